import DocumentModel

/// A place in a document that is shown as a tree: a value, and the containers around it.
///
/// Moving to the next row looks at nothing but that row, so that a document of any size is on the screen at once.
struct TreeCursor: Sendable, Hashable {
    struct Level: Sendable, Hashable {
        let container: Int
        let end: Int
        let isObject: Bool
        /// Which child the cursor is in, from 0.
        var ordinal: Int
    }

    private(set) var node = 0
    private(set) var levels: [Level] = []

    var depth: Int { levels.count }
    /// The tape index of the key before the value; nil for elements and the root.
    var key: Int? { levels.last?.isObject == true ? node - 1 : nil }

    static func == (left: TreeCursor, right: TreeCursor) -> Bool { left.node == right.node }
    func hash(into hasher: inout Hasher) { hasher.combine(node) }

    func path(in document: Document) -> DocumentPath {
        var components: [DocumentPath.Component] = []
        for (position, level) in levels.enumerated() {
            let child = position + 1 < levels.count ? levels[position + 1].container : node
            components.append(
                level.isObject
                    ? .key(DocumentNode(document: document, index: child - 1).string ?? "") : .index(level.ordinal))
        }
        return DocumentPath(components)
    }

    /// Moves to the next row; false at the end.
    mutating func moveToNext(in document: Document, folds: TreeFolds) -> Bool {
        let value = DocumentNode(document: document, index: node)
        if value.kind.isContainer, !value.isEmpty, !folds.isClosed(node) {
            descend(into: value)
            return true
        }
        return moveToNextSibling(in: document, from: value.endIndex)
    }

    /// Moves to the value behind this one and all that is inside it, leaving containers that end here.
    private mutating func moveToNextSibling(in document: Document, from next: Int) -> Bool {
        // The outermost container is the last to end.
        guard let outermost = levels.first, next < outermost.end else { return false }
        while let level = levels.last, next >= level.end { levels.removeLast() }
        levels[levels.count - 1].ordinal += 1
        node = levels[levels.count - 1].isObject ? next + 1 : next
        return true
    }

    /// Moves to the row before; false at the beginning.
    mutating func moveToPrevious(in document: Document, folds: TreeFolds, siblings: inout SiblingIndex) -> Bool {
        guard var level = levels.popLast() else { return false }
        guard level.ordinal > 0 else {
            node = level.container
            return true
        }
        level.ordinal -= 1
        node = siblings.child(level.ordinal, of: level.container, in: document)
        levels.append(level)
        moveToLastRow(in: document, folds: folds, siblings: &siblings)
        return true
    }

    /// Moves to the last row inside the value, or stays when there is none.
    mutating func moveToLastRow(in document: Document, folds: TreeFolds, siblings: inout SiblingIndex) {
        while true {
            let value = DocumentNode(document: document, index: node)
            guard value.kind.isContainer, !value.isEmpty, !folds.isClosed(node) else { return }
            descend(into: value)
            let last = siblings.count(of: value.index, in: document) - 1
            levels[levels.count - 1].ordinal = last
            node = siblings.child(last, of: value.index, in: document)
        }
    }

    /// Moves to the container; false at the root.
    mutating func moveToParent() -> Bool {
        guard let level = levels.popLast() else { return false }
        node = level.container
        return true
    }

    private mutating func descend(into value: DocumentNode) {
        let isObject = value.kind == .object
        levels.append(Level(container: value.index, end: value.endIndex, isObject: isObject, ordinal: 0))
        node = isObject ? value.index + 2 : value.index + 1
    }

    /// The cursor at a value, found from the root by hopping over what lies before it. A key leads to its value.
    init(to index: Int, in document: Document) {
        while node < index {
            let container = DocumentNode(document: document, index: node)
            guard container.kind.isContainer, index < container.endIndex else { return }
            let isObject = container.kind == .object
            var ordinal = 0
            var value = isObject ? node + 2 : node + 1
            var end = DocumentNode(document: document, index: value).endIndex
            while end <= index {
                value = isObject ? end + 1 : end
                end = DocumentNode(document: document, index: value).endIndex
                ordinal += 1
            }
            levels.append(Level(container: node, end: container.endIndex, isObject: isObject, ordinal: ordinal))
            node = value
        }
    }

    init() {}
}

/// Which containers of a tree are closed. Closing everything under a container of a million others is one rule, not a
/// million entries.
struct TreeFolds: Sendable, Hashable {
    private struct Rule: Sendable, Hashable {
        let range: Range<Int>
        let toggle: Toggle
    }

    private struct Toggle: Sendable, Hashable {
        let isClosed: Bool
        /// What was said later counts.
        let serial: Int
    }

    private var rules: [Rule] = []
    private var single: [Int: Toggle] = [:]
    private var serial = 0

    func isClosed(_ node: Int) -> Bool {
        let toggle = single[node]
        guard let rule = rules.last(where: { $0.range.contains(node) })?.toggle else {
            return toggle?.isClosed ?? false
        }
        guard let toggle, toggle.serial > rule.serial else { return rule.isClosed }
        return toggle.isClosed
    }

    /// Whether something in a range of the tape was closed.
    func hasClosed(in range: Range<Int>) -> Bool {
        rules.contains { $0.toggle.isClosed && $0.range.overlaps(range) }
            || single.contains { $0.value.isClosed && range.contains($0.key) }
    }

    mutating func set(_ node: Int, closed: Bool) {
        serial += 1
        single[node] = Toggle(isClosed: closed, serial: serial)
    }

    /// Opens or closes everything in a range of the tape.
    mutating func setAll(in range: Range<Int>, closed: Bool) {
        serial += 1
        rules.removeAll { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        single = single.filter { !range.contains($0.key) }
        rules.append(Rule(range: range, toggle: Toggle(isClosed: closed, serial: serial)))
    }
}

/// Finds the children of a container by their position. For long containers every 512th child is remembered, so that
/// going backwards does not begin at the container's start every time.
struct SiblingIndex: Sendable {
    private struct Marks: Sendable {
        var starts: [Int]
        var count: Int
    }

    private var marks: [Int: Marks] = [:]
    private static let stride = 512

    /// The tape index of the value of a child.
    mutating func child(_ ordinal: Int, of container: Int, in document: Document) -> Int {
        let marks = marks(of: container, in: document)
        var index = marks.starts[ordinal / Self.stride]
        let isObject = DocumentNode(document: document, index: container).kind == .object
        for _ in 0..<(ordinal % Self.stride) {
            index = DocumentNode(document: document, index: isObject ? index + 1 : index).endIndex
        }
        return isObject ? index + 1 : index
    }

    mutating func count(of container: Int, in document: Document) -> Int {
        marks(of: container, in: document).count
    }

    private mutating func marks(of container: Int, in document: Document) -> Marks {
        if let known = marks[container] { return known }
        let node = DocumentNode(document: document, index: container)
        let isObject = node.kind == .object
        var found = Marks(starts: [], count: 0)
        var index = container + 1
        while index < node.endIndex {
            if found.count % Self.stride == 0 { found.starts.append(index) }
            found.count += 1
            index = DocumentNode(document: document, index: isObject ? index + 1 : index).endIndex
        }
        marks[container] = found
        return found
    }
}
