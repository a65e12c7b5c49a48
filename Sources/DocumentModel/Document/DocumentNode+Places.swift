extension DocumentNode {
    /// The range of the value in ``Document/source``, or nil if the source has no positions (a binary property list) or
    /// the document wasn't parsed.
    public var sourceRange: Range<Int>? {
        if let ranges = document.storage.sourceRanges {
            return Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
        }
        guard document.storage.source === document.storage.text else { return nil }
        return tapeNode.range
    }

    /// The location of the beginning of the value in the source. It is found by reading from the start; use
    /// ``LineIndex`` for many lookups.
    public var location: SourceLocation? {
        sourceRange.flatMap { document.location(ofSourceByte: $0.lowerBound) }
    }

    /// The path from the root of the document to this value, found by skipping over the values before it. The path of a
    /// key is that of its value.
    public var path: DocumentPath { DocumentPath(leadingThrough: document.children(leadingTo: id)) }

    /// Returns the value at `path` from here, or nil if there is none.
    public func descendant(at path: DocumentPath) -> DocumentNode? {
        let (node, rest) = deepestDescendant(along: path)
        return rest.isEmpty ? node : nil
    }

    /// Returns the innermost existing value along `path`, and the remaining components, which don't exist.
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

    /// Returns the path with a position in place of each name that represents one: in an array, `1`, `Index 1` and
    /// `[1]` all name the second element. The path may lead into embedded documents.
    package func withPositions(_ path: DocumentPath) -> DocumentPath {
        var node: DocumentNode? = self
        return DocumentPath(
            path.components.map { component in
                let container = node?.container
                let placed = component.placed(in: container)
                node = container?.child(at: placed)
                return placed
            })
    }

    /// The object or array that a path leads through here: this value or the document embedded in it. Nil for any
    /// other value.
    package var container: DocumentNode? { kind.isContainer ? self : held?.document.root }

    /// Returns the member with a name or the element at a position, or nil if there is none.
    package func child(at component: DocumentPath.Component) -> DocumentNode? {
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
    /// Returns the children on the path from the root to a node, outermost first; empty for the root. For a key, this
    /// is the path to its value.
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

    /// Returns the last node that begins at or before a byte of ``source``, or nil if the source has no positions.
    public func node(atSourceByte offset: Int) -> DocumentNode? {
        // The tape contains nodes in the order of their positions.
        guard root.sourceRange != nil else { return nil }
        let end = root.nodes.partitioningIndex { $0.sourceRange.map { $0.lowerBound > offset } ?? true }
        return end > root.id ? root.nodes[end.advanced(by: -1)] : root
    }
}

extension DocumentPath {
    /// Creates the path through nested children, the first of which is a child of the root.
    package init(leadingThrough children: [DocumentNode.Child]) {
        var container = children.first?.value.document.root
        components = children.map { child in
            defer { container = child.value }
            return container.map { Component(to: child, in: $0) } ?? child.component
        }
    }
}

extension DocumentPath.Component {
    /// Returns the position that a name represents in an array, or otherwise the component itself.
    ///
    /// - Parameter number: The number that a coding key has beside its name.
    package func placed(in container: DocumentNode?, number: Int? = nil) -> DocumentPath.Component {
        guard case .key(let name) = self, let container, container.kind == .array else { return self }
        if let position = name.wholeMatch(of: /(?i:index[ _]?|\[|#)?(\d+)\]?/).flatMap({ Int($0.1) }) {
            return .index(position)
        }
        // A key whose raw value is a number may name a member, on a path that leaves out the position.
        guard let number, number >= 0, !container.elements.contains(where: { $0[name] != nil }) else { return self }
        return .index(number)
    }

    /// Creates the component that leads from a container to its child.
    init(to child: DocumentNode.Child, in container: DocumentNode) {
        guard let key = child.key else {
            self = child.component
            return
        }
        self = .key(
            key.string ?? "", occurrence: TapeView(key.document).occurrence(ofKey: key.index, in: container.index))
    }
}

extension DocumentNode {
    /// Calls `body` with the values in a container and the components that lead to them. Members with the same name
    /// have different components.
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
    /// Returns the number of members with the name of the one at `key`, up to and including that one.
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
    /// Creates the path for a JSON Pointer in `root`. Only the document can show whether `3` is a name or a position:
    /// it is a position in an array, or if there is no such container and it is written in the form that RFC 6901
    /// requires for positions.
    ///
    /// - Returns: nil if `jsonPointer` isn't valid, because it isn't empty and doesn't begin with `/`, or has a `~`
    ///   that isn't followed by 0 or 1.
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
