import DocumentModel

/// A position in a document that is shown as a tree: a value and the containers around it.
///
/// Moving to the next row looks only at that row, so a document of any size appears on the screen at once.
struct TreeCursor: Sendable, Hashable {
    private let root: DocumentNode
    /// The children along the path from the root to the value, outermost first.
    private(set) var levels: [DocumentNode.Child] = []

    /// Creates a cursor at the root of a document.
    init(_ document: Document) { root = document.root }

    /// Creates a cursor at a value, found from the root by skipping over the values before it. The ID of a key leads
    /// to its value.
    init(to id: DocumentNode.ID, in document: Document) {
        root = document.root
        levels = document.children(leadingTo: id)
    }

    var node: DocumentNode { levels.last?.value ?? root }
    var depth: Int { levels.count }
    var path: DocumentPath { DocumentPath(leadingThrough: levels) }
    /// The container of the value; nil at the root.
    private var container: DocumentNode? { levels.isEmpty ? nil : levels.dropLast().last?.value ?? root }

    static func == (left: TreeCursor, right: TreeCursor) -> Bool { left.node.id == right.node.id }
    func hash(into hasher: inout Hasher) { hasher.combine(node.id) }

    /// Moves to the next row; returns false at the end.
    mutating func moveToNext(folds: TreeFolds) -> Bool {
        if !folds.isClosed(node.id), let child = node.firstChild {
            levels.append(child)
            return true
        }
        guard let level = levels.lastIndex(where: { $0.next != nil }), let next = levels[level].next else {
            return false
        }
        levels.replaceSubrange(level..., with: [next])
        return true
    }

    /// Moves to the previous row; returns false at the beginning.
    mutating func moveToPrevious(folds: TreeFolds, siblings: inout SiblingIndex) -> Bool {
        guard let container, let child = levels.popLast() else { return false }
        if child.ordinal > 0, let previous = siblings.child(child.ordinal - 1, of: container) {
            levels.append(previous)
            moveToLastRow(folds: folds, siblings: &siblings)
        }
        return true
    }

    /// Moves to the last row inside the value, or stays if there is none.
    mutating func moveToLastRow(folds: TreeFolds, siblings: inout SiblingIndex) {
        while !folds.isClosed(node.id), let last = siblings.lastChild(of: node) { levels.append(last) }
    }

    /// Moves to the container; returns false at the root.
    mutating func moveToParent() -> Bool { levels.popLast() != nil }
}

/// The set of closed containers of a tree. Closing everything inside a container with a million others takes one rule
/// instead of a million entries.
struct TreeFolds: Sendable, Hashable {
    private struct Rule: Sendable, Hashable {
        let range: Range<DocumentNode.ID>
        let toggle: Toggle
    }

    private struct Toggle: Sendable, Hashable {
        let isClosed: Bool
        /// The order of toggles. The latest one applies.
        let serial: Int
    }

    private var rules: [Rule] = []
    private var single: [DocumentNode.ID: Toggle] = [:]
    private var serial = 0

    func isClosed(_ node: DocumentNode.ID) -> Bool {
        let toggle = single[node]
        guard let rule = rules.last(where: { $0.range.contains(node) })?.toggle else {
            return toggle?.isClosed ?? false
        }
        guard let toggle, toggle.serial > rule.serial else { return rule.isClosed }
        return toggle.isClosed
    }

    /// Returns whether something among the nodes was closed.
    func hasClosed(in range: Range<DocumentNode.ID>) -> Bool {
        rules.contains { $0.toggle.isClosed && $0.range.overlaps(range) }
            || single.contains { $0.value.isClosed && range.contains($0.key) }
    }

    mutating func set(_ node: DocumentNode.ID, closed: Bool) {
        serial += 1
        single[node] = Toggle(isClosed: closed, serial: serial)
    }

    /// Maps the folds to the new IDs of nodes in a document that has gained nodes.
    mutating func move(by moved: (DocumentNode.ID) -> DocumentNode.ID) {
        rules = rules.map { Rule(range: moved($0.range.lowerBound)..<moved($0.range.upperBound), toggle: $0.toggle) }
        single = Dictionary(uniqueKeysWithValues: single.map { (moved($0.key), $0.value) })
    }

    /// Opens or closes all of the nodes.
    mutating func setAll(in range: Range<DocumentNode.ID>, closed: Bool) {
        serial += 1
        rules.removeAll { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        single = single.filter { !range.contains($0.key) }
        rules.append(Rule(range: range, toggle: Toggle(isClosed: closed, serial: serial)))
    }
}

/// Finds the children of a container by position. It remembers every 512th child, so that moving backward does not
/// start at the beginning of the container each time.
struct SiblingIndex: Sendable {
    private struct Marks: Sendable {
        var children: [DocumentNode.Child] = []
        var last: DocumentNode.Child?
    }

    private var marks: [DocumentNode.ID: Marks] = [:]
    private static let stride = 512

    /// Returns the child at a position; nil if there is none.
    mutating func child(_ ordinal: Int, of container: DocumentNode) -> DocumentNode.Child? {
        let marks = marks(of: container).children
        guard marks.indices.contains(ordinal / Self.stride) else { return nil }
        return (0..<ordinal % Self.stride).reduce(Optional(marks[ordinal / Self.stride])) { child, _ in child?.next }
    }

    /// Returns the last child; nil if the container is empty.
    mutating func lastChild(of container: DocumentNode) -> DocumentNode.Child? { marks(of: container).last }

    private mutating func marks(of container: DocumentNode) -> Marks {
        if let known = marks[container.id] { return known }
        var found = Marks()
        for child in container.children {
            if child.ordinal % Self.stride == 0 { found.children.append(child) }
            found.last = child
        }
        marks[container.id] = found
        return found
    }
}
