extension DocumentNode {
    /// The bytes of ``Document/source`` in which the value stands; nil where the source has no places (a binary
    /// property list) or the document was made rather than read.
    public var sourceRange: Range<Int>? {
        if let ranges = document.storage.sourceRanges {
            return Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
        }
        guard document.storage.source === document.storage.text else { return nil }
        return tapeNode.range
    }

    /// Where the value begins in the source. Found by reading from the start; see ``LineIndex`` for many questions.
    public var location: SourceLocation? {
        sourceRange.flatMap { document.location(ofSourceByte: $0.lowerBound) }
    }

    /// The path from the root of the document to this value, found from the root by hopping over what lies before it. A
    /// name has the path of its value.
    public var path: DocumentPath { DocumentPath(leadingThrough: document.children(leadingTo: id)) }

    /// The value at `path` from here; nil if there is none.
    public func descendant(at path: DocumentPath) -> DocumentNode? {
        let (node, rest) = deepestDescendant(along: path)
        return rest.isEmpty ? node : nil
    }

    /// The innermost value that exists on the way along `path`, and the components that lead on from there to what does
    /// not.
    public func deepestDescendant(along path: DocumentPath) -> (
        node: DocumentNode, rest: ArraySlice<DocumentPath.Component>
    ) {
        var node = self
        var rest = path.components[...]
        while let component = rest.first, let child = node.child(at: component) {
            node = child
            rest.removeFirst()
        }
        return (node, rest)
    }

    /// The member of a name or the element at a position; nil if there is none.
    func child(at component: DocumentPath.Component) -> DocumentNode? {
        switch component {
        case .key(let name) where kind == .object: self[name]
        case .laterKey(let name, let occurrence) where kind == .object:
            members.lazy.filter { $0.name.isExactly(name) }.dropFirst(occurrence - 1).first?.value
        case .index(let position) where kind == .array: self[position]
        default: nil
        }
    }
}

extension Document {
    /// The children on the way from the root to a node, outermost first; empty for the root. The way to a name is that
    /// to its value.
    public func children(leadingTo id: DocumentNode.ID) -> [DocumentNode.Child] {
        var way: [DocumentNode.Child] = []
        while (way.last?.value ?? root).index < id.index {
            var child = (way.last?.value ?? root).firstChild
            while let passed = child, passed.value.endIndex <= id.index { child = passed.next }
            guard let child else { break }
            way.append(child)
        }
        return way
    }

    /// The last node that begins at or before a byte of ``source``; nil where the source has no places.
    public func node(atSourceByte offset: Int) -> DocumentNode? {
        // Nodes stand on the tape in the order of their places.
        guard root.sourceRange != nil else { return nil }
        let end = root.nodes.partitioningIndex { $0.sourceRange.map { $0.lowerBound > offset } ?? true }
        return end > root.id ? root.nodes[end.advanced(by: -1)] : root
    }
}

extension DocumentPath {
    /// The way through children of one another, the first of which is one of the root.
    package init(leadingThrough children: [DocumentNode.Child]) {
        var container = children.first?.value.document.root
        components = children.map { child in
            defer { container = child.value }
            guard let key = child.key, let object = container else { return child.component }
            return .key(
                key.string ?? "", occurrence: TapeView(key.document).occurrence(ofKey: key.index, in: object.index))
        }
    }
}

extension DocumentNode {
    /// Calls `body` with the values in a container and the steps to them: of several members of one name each has its own.
    package func forEachStep(_ body: (DocumentPath.Component, DocumentNode) -> Void) {
        guard kind == .object, !hasDistinctPlainNames else {
            for child in children { body(child.component, child.value) }
            return
        }
        var counts: [ExactText: Int] = [:]
        for member in members {
            counts[ExactText(member.name), default: 0] += 1
            body(.key(member.name, occurrence: counts[ExactText(member.name)] ?? 1), member.value)
        }
    }
}

extension TapeView {
    /// How many members of an object up to the one at `key`, with that one, have its name.
    func occurrence(ofKey key: Int, in object: Int) -> Int {
        let comparison = ValueComparison(left: self, right: self)
        var (count, other) = (1, object + 1)
        while other < key {
            if comparison.haveSameText(other, key) { count += 1 }
            other = next(after: other + 1)
        }
        return count
    }
}

extension DocumentPath {
    /// The way that a JSON Pointer names in `root`. Whether `3` is a name or a position only the document can say: it
    /// is a position where the container is an array, or where there is no such container and it is written as RFC 6901
    /// writes positions.
    ///
    /// - Returns: nil if `jsonPointer` is not one: not empty and not beginning with `/`, or with a `~` that is not
    ///   followed by 0 or 1.
    public init?(jsonPointer: String, in root: DocumentNode? = nil) {
        components = []
        guard !jsonPointer.isEmpty else { return }
        guard jsonPointer.unicodeScalars.first == "/" else { return nil }
        var node = root
        for token in jsonPointer.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = Self.unescaped(pointerToken: token) else { return nil }
            let position = name == "0" || name.utf8.first != UInt8(ascii: "0") ? Self.position(name) : nil
            let isPosition = position != nil && node?.kind != .object
            components.append(isPosition ? .index(position ?? 0) : .key(name))
            node = isPosition ? node?[position ?? 0] : node?[name]
        }
    }

    private static func position(_ token: String) -> Int? {
        token.utf8.allSatisfy(\.isDigit) ? Int(token) : nil
    }
}
