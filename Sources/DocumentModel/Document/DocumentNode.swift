import Foundation

/// A value inside a document: a cursor, cheap to make and to pass on.
public struct DocumentNode: Sendable {
    /// The document that the value is part of.
    public let document: Document
    /// The place of the value on the document's tape. Within a document, equal indices mean the same value, and values that come
    /// later in the source have greater indices.
    public let index: Int

    /// The value at `index`, which must be one of `document`'s nodes.
    public init(document: Document, index: Int) {
        self.document = document
        self.index = index
    }

    var tapeNode: TapeNode { document.storage.tape[index] }

    /// What the value is.
    public var kind: NodeKind { tapeNode.kind }

    /// The index of the node after this one and everything inside it.
    public var endIndex: Int { Int(tapeNode.next) }
}

// MARK: - Scalars

extension DocumentNode {
    /// The text of a string or the name that a key stands for; nil for anything else.
    public var string: String? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let text = document.storage.text
        var range = Int(node.start)..<Int(node.end)
        guard node.flags.contains(.quoted) else { return text.string(in: range) }
        range = range.lowerBound + 1..<range.upperBound - 1
        return node.flags.contains(.escaped) ? JSONString.unescaped(text, range) : text.string(in: range)
    }

    /// The number as it was written; nil for anything but a number. For a property list's reals it may be `nan`, `inf` or `-inf`.
    public var numberText: String? {
        let node = tapeNode
        return node.kind == .number ? document.storage.text.string(in: Int(node.start)..<Int(node.end)) : nil
    }

    /// Whether this is a number without fraction and exponent.
    public var isIntegerNumber: Bool { tapeNode.kind == .number && tapeNode.flags.contains(.integer) }

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
        return document.storage.text.withBytes(in: Int(node.start)..<Int(node.end)) {
            Date(timeIntervalSinceReferenceDate: $0.loadUnaligned(as: Double.self))
        }
    }

    /// The bytes of a property list's data.
    public var data: Data? {
        let node = tapeNode
        return node.kind == .data ? document.storage.text.data(in: Int(node.start)..<Int(node.end)) : nil
    }

    /// Runs `body` with the bytes that the value has in the document's text: for JSON as they stand in the source, quotation marks
    /// included.
    func withTextBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let node = tapeNode
        return try document.storage.text.withBytes(in: Int(node.start)..<Int(node.end), body)
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

    /// The members of an object, in the order in which they were written, duplicates included; empty for anything else.
    public var members: Members { Members(container: self) }

    /// The elements of an array; empty for anything else.
    public var elements: Elements { Elements(container: self) }

    /// The number of members or elements; 0 for a scalar. Counts them, in time that grows with their number.
    public var count: Int {
        switch kind {
        case .object: members.reduce(into: 0) { count, _ in count += 1 }
        case .array: elements.reduce(into: 0) { count, _ in count += 1 }
        default: 0
        }
    }

    /// Whether there is nothing inside.
    public var isEmpty: Bool { endIndex == index + 1 }

    /// The value of the first member of that name, as Foundation's JSONDecoder picks it; nil where there is none.
    public subscript(name: String) -> DocumentNode? { member(named: name)?.value }

    /// The first member of that name.
    public func member(named name: String) -> Member? {
        var name = name
        return name.withUTF8 { bytes in
            members.first { $0.key.hasText(UnsafeRawBufferPointer(bytes)) }
        }
    }

    /// The element at `position`, found by hopping over those before it; nil where there is none.
    public subscript(position: Int) -> DocumentNode? {
        guard position >= 0 else { return nil }
        return elements.dropFirst(position).first { _ in true }
    }

    /// Whether the unescaped text of this string or key is `bytes`.
    func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let node = tapeNode
        if node.flags.contains(.escaped) { return string.map { Array($0.utf8).elementsEqual(bytes) } ?? false }
        let inset = node.flags.contains(.quoted) ? 1 : 0
        let range = Int(node.start) + inset..<Int(node.end) - inset
        guard range.count == bytes.count else { return false }
        guard let other = bytes.baseAddress, !range.isEmpty else { return true }
        return document.storage.text.withBytes(in: range) { memcmp($0.baseAddress!, other, bytes.count) == 0 }
    }

    /// The members of an object.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private var nodes: Children

        init(container: DocumentNode) { nodes = Children(of: container, if: .object) }

        /// The next member, or nil behind the last.
        public mutating func next() -> Member? {
            guard let key = nodes.next(), let value = nodes.next() else { return nil }
            return Member(key: key, value: value)
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private var nodes: Children

        init(container: DocumentNode) { nodes = Children(of: container, if: .array) }

        /// The next element, or nil behind the last.
        public mutating func next() -> DocumentNode? { nodes.next() }
    }

    /// The nodes inside a container: elements, or names and values in turn.
    private struct Children: Sendable {
        private let document: Document
        private var index: Int
        private let end: Int

        /// The nodes inside `container`; none if it is of another kind.
        init(of container: DocumentNode, if kind: NodeKind) {
            document = container.document
            index = container.index + 1
            end = container.kind == kind ? container.endIndex : index
        }

        mutating func next() -> DocumentNode? {
            guard index < end else { return nil }
            let node = DocumentNode(document: document, index: index)
            index = node.endIndex
            return node
        }
    }
}

// MARK: - Places

extension DocumentNode {
    /// The bytes of ``Document/source`` in which the value stands; nil where the source has no places (a binary property list) or
    /// the document was made rather than read.
    public var sourceRange: Range<Int>? {
        if let ranges = document.storage.sourceRanges {
            return Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
        }
        guard document.storage.source === document.storage.text else { return nil }
        return Int(tapeNode.start)..<Int(tapeNode.end)
    }

    /// Where the value begins in the source. Found by reading from the start; see ``LineIndex`` for many questions.
    public var location: SourceLocation? {
        sourceRange.flatMap { document.location(ofSourceByte: $0.lowerBound) }
    }

    /// The path from the root of the document to this value, found from the root by hopping over what lies before it.
    public var path: DocumentPath {
        var components: [DocumentPath.Component] = []
        var container = document.root
        while container.index < index {
            if container.kind == .object {
                guard let member = container.members.first(where: { index < $0.value.endIndex }) else { break }
                components.append(.key(member.name))
                // A key has the path of its value.
                if member.key.index == index { break }
                container = member.value
            } else {
                var position = 0
                guard
                    let element = container.elements.first(where: {
                        if index < $0.endIndex { return true }
                        position += 1
                        return false
                    })
                else { break }
                components.append(.index(position))
                container = element
            }
        }
        return DocumentPath(components)
    }

    /// The value at `path` from here; nil where there is none.
    public func descendant(at path: DocumentPath) -> DocumentNode? {
        let (node, rest) = deepestDescendant(along: path)
        return rest.isEmpty ? node : nil
    }

    /// The innermost value that exists on the way along `path`, and the components that lead on from there to what does not.
    public func deepestDescendant(along path: DocumentPath) -> (
        node: DocumentNode, rest: ArraySlice<DocumentPath.Component>
    ) {
        var node = self
        var rest = path.components[...]
        while let component = rest.first {
            let child: DocumentNode? =
                switch component {
                case .key(let name) where node.kind == .object: node[name]
                case .index(let position) where node.kind == .array: node[position]
                default: nil
                }
            guard let child else { break }
            node = child
            rest.removeFirst()
        }
        return (node, rest)
    }
}
