import Foundation

/// A value inside a document: a cursor that is cheap to create and to pass around.
public struct DocumentNode: Sendable {
    /// The document that contains the value.
    public let document: Document
    /// The index of the node on the document's tape.
    let index: Int

    var tapeNode: TapeNode { document.storage.tape[index] }

    /// The index of the node after this one and everything inside it.
    var endIndex: Int { Int(tapeNode.next) }

    /// The kind of the value.
    public var kind: NodeKind { tapeNode.kind }
}

// MARK: - Identity and reading order

extension DocumentNode: Identifiable {
    /// Identifies a node within a document. A node that comes later in the document has a greater identity.
    public struct ID: Hashable, Strideable, Sendable {
        let index: Int

        /// The number of nodes between two identities.
        public func distance(to other: ID) -> Int { other.index - index }

        /// Returns the identity of the node `distance` nodes later.
        public func advanced(by distance: Int) -> ID { ID(index: index + distance) }
    }

    /// The identity of the node within its document.
    public var id: ID { ID(index: index) }

    /// This node and every node inside it, including keys, in reading order: a container before its contents, a key
    /// before its value.
    public var nodes: Nodes { Nodes(document: document, startIndex: id, endIndex: ID(index: endIndex)) }

    /// Consecutive nodes of a document in reading order, indexed by their identities.
    public struct Nodes: RandomAccessCollection, Sendable {
        let document: Document
        /// The identity of the first node.
        public let startIndex: ID
        /// The identity after that of the last node.
        public let endIndex: ID

        /// The node with that identity.
        public subscript(id: ID) -> DocumentNode { DocumentNode(document: document, index: id.index) }
    }
}

// MARK: - Scalars

extension DocumentNode {
    /// The text of a string, or the name of a key; nil for anything else.
    public var string: String? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let (text, range) = (document.storage.text, node.unquotedRange)
        return node.flags.contains(.escaped) ? text.withBytes(in: range, JSONString.unescaped) : text.string(in: range)
    }

    /// The number in its original spelling, or nil if this isn't a number. A real number in a property list may be
    /// `nan`, `inf` or `-inf`, and so may a number in JSON5, which is otherwise spelled as in JSON.
    public var numberText: String? {
        let node = tapeNode
        return node.kind == .number ? document.storage.text.string(in: node.range) : nil
    }

    /// Whether this is a number without a fraction or an exponent.
    var isIntegerNumber: Bool { tapeNode.kind == .number && tapeNode.flags.contains(.integer) }

    /// Whether the value is a zero with a minus sign. It is equal to a zero without one.
    package var isNegativeZero: Bool {
        guard let text = numberText, text.utf8.first == UInt8(ascii: "-") else { return false }
        return ExactNumber(text) == ExactNumber("0")
    }

    /// Whether this was read as a unique identifier of a keyed archive.
    var isIdentifier: Bool { tapeNode.flags.contains(.identifier) }

    /// The value of a boolean, or nil for anything else.
    public var boolean: Bool? {
        let node = tapeNode
        return node.kind == .boolean ? node.flags.contains(.isTrue) : nil
    }

    /// Whether this is null.
    public var isNull: Bool { kind == .null }

    /// The date in a property list, or nil if this isn't a date.
    public var date: Date? {
        let node = tapeNode
        guard node.kind == .date else { return nil }
        return document.storage.text.withBytes(in: node.range) {
            Date(timeIntervalSinceReferenceDate: $0.loadUnaligned(as: Double.self))
        }
    }

    /// The bytes of data in a property list, or nil if this isn't data.
    public var data: Data? {
        let node = tapeNode
        return node.kind == .data ? document.storage.text.data(in: node.range) : nil
    }

    /// Returns the beginning of the text of a string or key without reading the rest, to show one line of a string that
    /// may be a hundred megabytes long.
    ///
    /// - Parameter limit: The maximum number of stored bytes to read.
    /// - Returns: The text, and whether it is complete; nil if this isn't a string or key.
    public func beginning(limit: Int) -> (text: String, isWhole: Bool)? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let range = node.unquotedRange
        if range.count <= limit { return (string ?? "", true) }
        let text = document.storage.text
        var end = range.lowerBound + max(0, limit)
        // Don't end in the middle of a UTF-8 character …
        while end > range.lowerBound, text[end] & 0xC0 == 0x80 { end -= 1 }
        guard node.flags.contains(.escaped) else { return (text.string(in: range.lowerBound..<end), false) }
        // … or of an escape. The longest is a pair such as `\uD83D\uDE00`.
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

    /// Calls `body` with the bytes of the value in the document's text. For JSON, they are the bytes in the source,
    /// including quotation marks.
    func withTextBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try document.storage.text.withBytes(in: tapeNode.range, body)
    }
}

// MARK: - Containers

extension DocumentNode {
    /// A member of an object.
    public struct Member: Sendable {
        /// The node of the key.
        public let key: DocumentNode
        /// The node of the value.
        public let value: DocumentNode
        /// The name.
        public var name: String { key.string ?? "" }
    }

    /// A value in a container: the value of a member or an element of an array.
    public struct Child: Sendable {
        /// The value.
        public let value: DocumentNode
        /// The number of children before this one.
        public let ordinal: Int
        /// The index of the node after the container.
        private let end: Int

        /// Creates the child whose first node, its key or value, is at `index`, or returns nil after the last child.
        fileprivate init?(_ document: Document, index: Int, ordinal: Int, end: Int) {
            guard index < end else { return nil }
            let first = DocumentNode(document: document, index: index)
            value = first.kind == .key ? DocumentNode(document: document, index: index + 1) : first
            self.ordinal = ordinal
            self.end = end
        }

        /// The node of the key, or nil for an element.
        public var key: DocumentNode? { value.key }

        /// The next child, or nil after the last one.
        public var next: Child? { Child(value.document, index: value.endIndex, ordinal: ordinal + 1, end: end) }

        /// The path component that leads from the container to the child; if several members have the same name, to the
        /// first one. See ``DocumentPath/init(leadingThrough:)``.
        public var component: DocumentPath.Component { key.map { .key($0.string ?? "") } ?? .index(ordinal) }
    }

    /// The first value in a container, or nil if it is empty or this is a scalar.
    public var firstChild: Child? { Child(document, index: index + 1, ordinal: 0, end: endIndex) }

    /// The values in a container, including duplicates, in their original order; empty for a scalar.
    public var children: Children { Children(rest: firstChild) }

    /// The values in a container, in order.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        fileprivate var rest: Child?

        /// Returns the next child, or nil after the last one.
        public mutating func next() -> Child? {
            defer { rest = rest?.next }
            return rest
        }
    }

    /// The node of this value's key, or nil if the value isn't a member of an object.
    public var key: DocumentNode? {
        guard index > 0 else { return nil }
        let previous = DocumentNode(document: document, index: index - 1)
        return previous.kind == .key ? previous : nil
    }

    /// The members of an object, including duplicates, in their original order; empty for anything else.
    public var members: Members { Members(children: Children(rest: kind == .object ? firstChild : nil)) }

    /// The elements of an array; empty for anything else.
    public var elements: Elements { Elements(children: Children(rest: kind == .array ? firstChild : nil)) }

    /// Returns the value at a tape index inside this value, or nil if there is no value at that index.
    package func inside(at index: Int) -> DocumentNode? {
        guard index >= self.index, index < endIndex else { return nil }
        let node = DocumentNode(document: document, index: index)
        return node.kind == .key ? nil : node
    }

    /// The number of members or elements; 0 for a scalar. It is counted, in time proportional to the number.
    public var count: Int {
        children.reduce(0) { count, _ in count + 1 }
    }

    /// The maximum depth of nested containers, including this one; 0 for a scalar.
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

    /// Whether the value contains nothing.
    public var isEmpty: Bool { endIndex == index + 1 }

    /// The value of the first member with that name, which is the one that Foundation's JSONDecoder uses; nil if there
    /// is none.
    public subscript(name: String) -> DocumentNode? { member(named: name)?.value }

    /// Returns the first member with that name.
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

    /// The element at `position`, found by skipping over those before it, or nil if there is none.
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

    /// Returns whether the unescaped text of this string or key equals `bytes`.
    func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let node = tapeNode
        if node.flags.contains(.escaped) { return string.map { Array($0.utf8).elementsEqual(bytes) } ?? false }
        return document.storage.text.areBytes(in: node.unquotedRange, equalTo: bytes)
    }

    /// The members of an object.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        fileprivate var children: Children

        /// Returns the next member, or nil after the last one.
        public mutating func next() -> Member? {
            guard let value = children.next()?.value else { return nil }
            return Member(key: DocumentNode(document: value.document, index: value.index - 1), value: value)
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        fileprivate var children: Children

        /// Returns the next element, or nil after the last one.
        public mutating func next() -> DocumentNode? { children.next()?.value }
    }
}
