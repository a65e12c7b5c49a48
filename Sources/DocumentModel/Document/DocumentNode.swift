import Foundation

/// A value inside a document: a cursor, cheap to make and to pass on.
public struct DocumentNode: Sendable {
    /// The document that the value is part of.
    public let document: Document
    /// The place of the node on the document's tape.
    let index: Int

    var tapeNode: TapeNode { document.storage.tape[index] }

    /// The index of the node after this one and everything inside it.
    var endIndex: Int { Int(tapeNode.next) }

    /// What the value is.
    public var kind: NodeKind { tapeNode.kind }
}

// MARK: - Identity and reading order

extension DocumentNode: Identifiable {
    /// Tells the nodes of one document apart. A node that comes later in the document has a greater identity.
    public struct ID: Hashable, Strideable, Sendable {
        let index: Int

        /// The number of nodes between two identities.
        public func distance(to other: ID) -> Int { other.index - index }

        /// The identity that comes `distance` nodes later.
        public func advanced(by distance: Int) -> ID { ID(index: index + distance) }
    }

    /// The identity of the node within its document.
    public var id: ID { ID(index: index) }

    /// This node and every node inside it, names included, in reading order: a container before what is inside it, a
    /// name before its value.
    public var nodes: Nodes { Nodes(document: document, startIndex: id, endIndex: ID(index: endIndex)) }

    /// Some nodes of a document in reading order, found by their identities.
    public struct Nodes: RandomAccessCollection, Sendable {
        let document: Document
        /// The identity of the first node.
        public let startIndex: ID
        /// The identity behind that of the last node.
        public let endIndex: ID

        /// The node of that identity.
        public subscript(id: ID) -> DocumentNode { DocumentNode(document: document, index: id.index) }
    }
}

// MARK: - Scalars

extension DocumentNode {
    /// The text of a string or the name that a key stands for; nil for anything else.
    public var string: String? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let (text, range) = (document.storage.text, node.unquotedRange)
        return node.flags.contains(.escaped) ? text.withBytes(in: range, JSONString.unescaped) : text.string(in: range)
    }

    /// The number as it was written; nil for anything but a number. For a property list's reals it may be `nan`, `inf`
    /// or `-inf`; so for a number of JSON5, which is spelled as in JSON otherwise.
    public var numberText: String? {
        let node = tapeNode
        return node.kind == .number ? document.storage.text.string(in: node.range) : nil
    }

    /// Whether this is a number without fraction and exponent.
    var isIntegerNumber: Bool { tapeNode.kind == .number && tapeNode.flags.contains(.integer) }

    /// Whether this was read as the unique identifier of a keyed archive.
    var isIdentifier: Bool { tapeNode.flags.contains(.identifier) }

    /// The value of `true` or `false`; nil for anything else.
    public var boolean: Bool? {
        let node = tapeNode
        return node.kind == .boolean ? node.flags.contains(.isTrue) : nil
    }

    /// Whether this is null.
    public var isNull: Bool { kind == .null }

    /// The point in time that a property list's date stands for.
    public var date: Date? {
        let node = tapeNode
        guard node.kind == .date else { return nil }
        return document.storage.text.withBytes(in: node.range) {
            Date(timeIntervalSinceReferenceDate: $0.loadUnaligned(as: Double.self))
        }
    }

    /// The bytes of a property list's data.
    public var data: Data? {
        let node = tapeNode
        return node.kind == .data ? document.storage.text.data(in: node.range) : nil
    }

    /// The beginning of the text of a string or key, read without reading the rest: for showing one line of a string
    /// that may be a hundred megabytes long.
    ///
    /// - Parameter limit: How many bytes of the text, as it is stored, are read at most.
    /// - Returns: The text, and whether that is all of it; nil for anything but a string or key.
    public func beginning(limit: Int) -> (text: String, isWhole: Bool)? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let range = node.unquotedRange
        if range.count <= limit { return (string ?? "", true) }
        let text = document.storage.text
        var end = range.lowerBound + max(0, limit)
        // Not in the middle of a character of UTF-8 …
        while end > range.lowerBound, text[end] & 0xC0 == 0x80 { end -= 1 }
        guard node.flags.contains(.escaped) else { return (text.string(in: range.lowerBound..<end), false) }
        // … nor of an escape, of which `\uD83D\uDE00` is the longest.
        var offset = range.lowerBound
        while offset < end {
            guard text[offset] == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            let isHexadecimal = text[offset + 1] == UInt8(ascii: "u")
            let isPair =
                isHexadecimal && text[offset + 2] | 0x20 == UInt8(ascii: "d")
                && "89ab".utf8.contains(text[offset + 3] | 0x20)
            let length = isPair ? 12 : isHexadecimal ? 6 : 2
            if offset + length > end { end = offset } else { offset += length }
        }
        return (text.withBytes(in: range.lowerBound..<end, JSONString.unescaped), false)
    }

    /// Runs `body` with the bytes that the value has in the document's text: for JSON as they stand in the source,
    /// quotation marks included.
    func withTextBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try document.storage.text.withBytes(in: tapeNode.range, body)
    }
}

// MARK: - Containers

extension DocumentNode {
    /// A member of an object.
    public struct Member: Sendable {
        /// The node of the name.
        public let key: DocumentNode
        /// The node of the value.
        public let value: DocumentNode
        /// The name.
        public var name: String { key.string ?? "" }
    }

    /// A value in a container: a member of an object or an element of an array.
    public struct Child: Sendable {
        /// The value.
        public let value: DocumentNode
        /// The number of children before this one.
        public let ordinal: Int
        /// The index of the node behind the container.
        private let end: Int

        /// The child whose first node, its name or itself, is at `index`; nil behind the last child.
        fileprivate init?(_ document: Document, index: Int, ordinal: Int, end: Int) {
            guard index < end else { return nil }
            let first = DocumentNode(document: document, index: index)
            value = first.kind == .key ? DocumentNode(document: document, index: index + 1) : first
            self.ordinal = ordinal
            self.end = end
        }

        /// The node of the name; nil for an element.
        public var key: DocumentNode? { value.key }

        /// The child behind this one; nil behind the last.
        public var next: Child? { Child(value.document, index: value.endIndex, ordinal: ordinal + 1, end: end) }

        /// The step of a path that leads from the container to the child; of several members of one name, to the first. See
        /// ``DocumentPath/init(leadingThrough:)``.
        public var component: DocumentPath.Component { key.map { .key($0.string ?? "") } ?? .index(ordinal) }
    }

    /// The first value in a container; nil for an empty container and for a scalar.
    public var firstChild: Child? { Child(document, index: index + 1, ordinal: 0, end: endIndex) }

    /// The values in a container, duplicates included, in the order in which they were written; empty for a scalar.
    public var children: Children { Children(rest: firstChild) }

    /// The values in a container, one after the other.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        fileprivate var rest: Child?

        /// The next child, or nil behind the last.
        public mutating func next() -> Child? {
            defer { rest = rest?.next }
            return rest
        }
    }

    /// The node of the name of this value; nil where the value is no member of an object.
    public var key: DocumentNode? {
        guard index > 0 else { return nil }
        let previous = DocumentNode(document: document, index: index - 1)
        return previous.kind == .key ? previous : nil
    }

    /// The members of an object, in the order in which they were written, duplicates included; empty for anything else.
    public var members: Members { Members(children: Children(rest: kind == .object ? firstChild : nil)) }

    /// The elements of an array; empty for anything else.
    public var elements: Elements { Elements(children: Children(rest: kind == .array ? firstChild : nil)) }

    /// The value at an index of the tape that lies in this value; nil where there is none.
    package func inside(at index: Int) -> DocumentNode? {
        guard index >= self.index, index < endIndex else { return nil }
        let node = DocumentNode(document: document, index: index)
        return node.kind == .key ? nil : node
    }

    /// The number of members or elements; 0 for a scalar. Counts them, in time that grows with their number.
    public var count: Int {
        children.reduce(0) { count, _ in count + 1 }
    }

    /// How many containers lie in one another at most, this one included; 0 for a scalar.
    package var depth: Int {
        let tape = TapeView(document)
        var (ends, deepest): ([Int], Int) = ([], 0)
        for index in index..<endIndex where tape[index].kind.isContainer {
            while let end = ends.last, end <= index { ends.removeLast() }
            ends.append(Int(tape[index].next))
            deepest = max(deepest, ends.count)
        }
        return deepest
    }

    /// Whether there is nothing inside.
    public var isEmpty: Bool { endIndex == index + 1 }

    /// The value of the first member of that name, as Foundation's JSONDecoder picks it; nil if there is none.
    public subscript(name: String) -> DocumentNode? { member(named: name)?.value }

    /// The first member of that name.
    public func member(named name: String) -> Member? {
        guard kind == .object else { return nil }
        return name.withBytes { bytes in
            let view = TapeView(document)
            var key = index + 1
            while key < view.next(after: index) {
                let isMatch =
                    view[key].flags.contains(.escaped)
                    ? document.node(at: key).hasText(bytes) : view.hasPlainText(bytes, at: key)
                if isMatch { return Member(key: document.node(at: key), value: document.node(at: key + 1)) }
                key = view.next(after: key + 1)
            }
            return nil
        }
    }

    /// The element at `position`, found by hopping over those before it; nil if there is none.
    public subscript(position: Int) -> DocumentNode? {
        guard position >= 0, kind == .array else { return nil }
        let view = TapeView(document)
        var (element, rest) = (index + 1, position)
        while element < view.next(after: index) {
            if rest == 0 { return document.node(at: element) }
            rest -= 1
            element = view.next(after: element)
        }
        return nil
    }

    /// Whether the unescaped text of this string or key is `bytes`.
    func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let node = tapeNode
        if node.flags.contains(.escaped) { return string.map { Array($0.utf8).elementsEqual(bytes) } ?? false }
        return document.storage.text.areBytes(in: node.unquotedRange, equalTo: bytes)
    }

    /// The members of an object.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        fileprivate var children: Children

        /// The next member, or nil behind the last.
        public mutating func next() -> Member? {
            guard let value = children.next()?.value else { return nil }
            return Member(key: DocumentNode(document: value.document, index: value.index - 1), value: value)
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        fileprivate var children: Children

        /// The next element, or nil behind the last.
        public mutating func next() -> DocumentNode? { children.next()?.value }
    }
}
