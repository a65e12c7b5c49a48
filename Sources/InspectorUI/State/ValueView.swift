import DocumentModel

/// A document as a tree of rows that open and close.
struct ValueView: Sendable {
    let document: Document
    private(set) var selected = TreeCursor()
    private(set) var top = TreeCursor()
    private(set) var folds = TreeFolds()
    private var siblings = SiblingIndex()
    /// The field to light up, and what to say of it.
    let culprit: (node: Int, blame: StepRow.Blame)?
    /// Columns that are scrolled out at the left.
    var sideways = 0

    init(_ document: Document, culprit: (node: Int, blame: StepRow.Blame)? = nil) {
        self.document = document
        self.culprit = culprit
        if let culprit { selected = TreeCursor(to: culprit.node, in: document) }
    }

    var selectedNode: DocumentNode { DocumentNode(document: document, index: selected.node) }
    var selectedPath: DocumentPath { selected.path(in: document) }

    /// The rows from the top of the screen on.
    func rows(height: Int) -> [TreeCursor] {
        var rows: [TreeCursor] = []
        var cursor = top
        while rows.count < height {
            rows.append(cursor)
            if !cursor.moveToNext(in: document, folds: folds) { break }
        }
        return rows
    }

    // MARK: Moving

    mutating func move(by rows: Int) {
        for _ in 0..<min(abs(rows), Self.longestMove) {
            let moved =
                rows > 0
                ? selected.moveToNext(in: document, folds: folds)
                : selected.moveToPrevious(in: document, folds: folds, siblings: &siblings)
            if !moved { break }
        }
    }

    mutating func moveToFirst() { selected = TreeCursor() }

    mutating func moveToLast() {
        selected = TreeCursor()
        selected.moveToLastRow(in: document, folds: folds, siblings: &siblings)
    }

    mutating func select(_ cursor: TreeCursor) { selected = cursor }

    /// Selects a value, opening what it is in.
    mutating func reveal(_ cursor: TreeCursor) {
        for level in cursor.levels where folds.isClosed(level.container) { folds.set(level.container, closed: false) }
        selected = cursor
    }

    mutating func scroll(by rows: Int, height: Int) {
        for _ in 0..<min(abs(rows), Self.longestMove) {
            if rows > 0 {
                // The last rows stay at the bottom.
                var end = top
                var isMore = true
                for _ in 0..<height where isMore { isMore = end.moveToNext(in: document, folds: folds) }
                guard isMore, top.moveToNext(in: document, folds: folds) else { break }
            } else if !top.moveToPrevious(in: document, folds: folds, siblings: &siblings) {
                break
            }
        }
        let visible = self.rows(height: height)
        if selected.node < top.node { selected = top }
        if let last = visible.last, selected.node > last.node { selected = last }
    }

    /// Brings the selection on the screen, moving as little as possible, and to its middle after a jump.
    mutating func show(height: Int) {
        let height = max(1, height)
        if selected.node < top.node {
            let distance = rowsBetween(selected, top, atMost: height)
            top = selected
            if distance == nil { moveTopUp(by: height / 2) }
        } else if !rows(height: height).contains(selected) {
            var bottom = top
            for _ in 0..<(height - 1) where bottom.moveToNext(in: document, folds: folds) {}
            let distance = rowsBetween(bottom, selected, atMost: height)
            top = selected
            moveTopUp(by: distance == nil ? height / 2 : height - 1)
        }
        let visible = rows(height: height).count
        if visible < height { moveTopUp(by: height - visible) }
    }

    private mutating func moveTopUp(by rows: Int) {
        for _ in 0..<rows {
            guard top.moveToPrevious(in: document, folds: folds, siblings: &siblings) else { break }
        }
    }

    private func rowsBetween(_ start: TreeCursor, _ end: TreeCursor, atMost limit: Int) -> Int? {
        var cursor = start
        for distance in 0...limit {
            if cursor.node >= end.node { return distance }
            guard cursor.moveToNext(in: document, folds: folds) else { return nil }
        }
        return nil
    }

    // MARK: Opening and closing

    func isOpen(_ cursor: TreeCursor) -> Bool {
        let node = DocumentNode(document: document, index: cursor.node)
        return node.kind.isContainer && !node.isEmpty && !folds.isClosed(cursor.node)
    }

    /// Whether something is inside the selected value.
    var canToggle: Bool { selectedNode.kind.isContainer && !selectedNode.isEmpty }

    /// Whether the selected value or something inside it may be closed.
    var canOpenAll: Bool { canToggle && folds.hasClosed(in: selected.node..<selectedNode.endIndex) }

    mutating func toggle() {
        if canToggle { folds.set(selected.node, closed: isOpen(selected)) }
    }

    /// Closes the selected container, or goes to the one around it.
    mutating func foldOrLeave() {
        if isOpen(selected), canToggle { folds.set(selected.node, closed: true) } else { _ = selected.moveToParent() }
        if selected.node < top.node { top = selected }
    }

    /// Opens the selected container, or goes to its first child.
    mutating func unfoldOrEnter() {
        guard canToggle else { return }
        if isOpen(selected) { move(by: 1) } else { folds.set(selected.node, closed: false) }
    }

    mutating func setAll(closed: Bool) {
        folds.setAll(in: selected.node..<selectedNode.endIndex, closed: closed)
    }

    /// A page of the largest terminal, and more than any wheel turns.
    private static let longestMove = 1000
}
