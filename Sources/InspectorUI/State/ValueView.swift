import DisplayText
import DocumentModel
import MigrationCore

/// A document as a tree of rows that open and close.
struct ValueView: PanelView {
    /// The document as it was passed in.
    let original: Document
    /// The document with nested documents that have been unfolded in place.
    private(set) var document: Document
    private(set) var selected: TreeCursor
    private(set) var top: TreeCursor
    private(set) var folds = TreeFolds()
    private var siblings = SiblingIndex()
    /// The field to highlight, and its failure.
    private(set) var culprit: (node: DocumentNode.ID, failure: MigrationFailure)?
    /// The number of columns scrolled out of view on the left.
    var sideways = 0

    init(_ document: Document, culprit: (path: DocumentPath, failure: MigrationFailure)? = nil) {
        original = document
        let document = document.unfolding(along: culprit.map { [$0.path] } ?? [])
        self.document = document
        self.culprit = culprit.flatMap { culprit in
            document.root.descendant(at: culprit.path).map { ($0.id, culprit.failure) }
        }
        top = TreeCursor(document)
        selected = self.culprit.map { TreeCursor(to: $0.node, in: document) } ?? top
    }

    var selectedNode: DocumentNode { selected.node }
    var selectedPath: DocumentPath { selected.path }

    /// Returns the visible rows, starting at the top of the screen.
    func rows(height: Int) -> [TreeCursor] {
        var rows: [TreeCursor] = []
        var cursor = top
        while rows.count < height {
            rows.append(cursor)
            if !cursor.moveToNext(folds: folds) { break }
        }
        return rows
    }

    // MARK: Moving

    mutating func move(by rows: Int) {
        for _ in 0..<min(abs(rows), Self.longestMove) {
            let moved =
                rows > 0
                ? selected.moveToNext(folds: folds)
                : selected.moveToPrevious(folds: folds, siblings: &siblings)
            if !moved { break }
        }
    }

    func canMove(forward: Bool) -> Bool {
        guard forward else { return selected.depth > 0 }
        var next = selected
        return next.moveToNext(folds: folds)
    }

    mutating func moveToEnd(forward: Bool) {
        selected = TreeCursor(document)
        if forward { selected.moveToLastRow(folds: folds, siblings: &siblings) }
    }

    mutating func select(line: Int) {
        let rows = rows(height: line + 1)
        if rows.indices.contains(line) { selected = rows[line] }
    }

    func searchStart(forward: Bool) -> SearchRequest.Start? {
        let node = selected.node
        return .values(document, from: forward ? node.id : node.key?.id ?? node.id)
    }

    /// Selects a value, opening the containers around it.
    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool {
        guard case .value(let cursor) = match else { return false }
        defer { selected = cursor }
        for container in [document.root] + cursor.levels.dropLast().map(\.value) where folds.isClosed(container.id) {
            folds.set(container.id, closed: false)
        }
        return selected == cursor
    }

    mutating func scroll(by rows: Int, height: Int) {
        for _ in 0..<min(abs(rows), Self.longestMove) {
            if rows > 0 {
                // The last row stays at the bottom.
                guard self.rows(height: height + 1).count > height, top.moveToNext(folds: folds) else { break }
            } else if !top.moveToPrevious(folds: folds, siblings: &siblings) {
                break
            }
        }
        let visible = self.rows(height: height)
        if selected.node.id < top.node.id { selected = top }
        if let last = visible.last, selected.node.id > last.node.id { selected = last }
    }

    /// Scrolls the selection into view, moving as little as possible, or to the middle of the screen after a jump.
    mutating func show(height: Int) {
        let height = max(1, height)
        if selected.node.id < top.node.id {
            let distance = rowsBetween(selected, top, atMost: height)
            top = selected
            if distance == nil { moveTopUp(by: height / 2) }
        } else if let bottom = rows(height: height).last, selected.node.id > bottom.node.id {
            let distance = rowsBetween(bottom, selected, atMost: height)
            top = selected
            moveTopUp(by: distance == nil ? height / 2 : height - 1)
        }
        let visible = rows(height: height).count
        if visible < height { moveTopUp(by: height - visible) }
    }

    private mutating func moveTopUp(by rows: Int) {
        for _ in 0..<rows {
            guard top.moveToPrevious(folds: folds, siblings: &siblings) else { break }
        }
    }

    private func rowsBetween(_ start: TreeCursor, _ end: TreeCursor, atMost limit: Int) -> Int? {
        var cursor = start
        for distance in 0...limit {
            if cursor.node.id >= end.node.id { return distance }
            guard cursor.moveToNext(folds: folds) else { return nil }
        }
        return nil
    }

    // MARK: Opening and closing

    func isOpen(_ cursor: TreeCursor) -> Bool {
        cursor.node.firstChild != nil && !folds.isClosed(cursor.node.id)
    }

    /// Whether the selected value has contents.
    var canToggle: Bool { selectedNode.hasRows }

    /// Whether the selected value or something inside it may be closed.
    var canOpenAll: Bool { canToggle && folds.hasClosed(in: selectedNode.nodes.indices) }

    mutating func toggle() {
        guard canToggle, !unfold() else { return }
        folds.set(selected.node.id, closed: isOpen(selected))
    }

    /// Replaces the selected value with the document that it holds; returns false if it holds none.
    private mutating func unfold() -> Bool {
        let holder = selectedNode
        guard let unfolded = holder.unfolded else { return !holder.kind.isContainer }
        document = unfolded.document
        let added = unfolded.nodes.count - holder.nodes.count
        func moved(_ id: DocumentNode.ID) -> DocumentNode.ID { id > holder.id ? id.advanced(by: added) : id }
        folds.move(by: moved)
        culprit = culprit.map { (moved($0.node), $0.failure) }
        selected = TreeCursor(to: unfolded.id, in: document)
        top = TreeCursor(to: moved(top.node.id), in: document)
        siblings = SiblingIndex()
        return true
    }

    /// Closes the selected container, or selects the container around it.
    mutating func foldOrLeave() {
        if isOpen(selected), canToggle {
            folds.set(selected.node.id, closed: true)
        } else {
            _ = selected.moveToParent()
        }
        if selected.node.id < top.node.id { top = selected }
    }

    /// Opens the selected container, or selects its first child.
    mutating func unfoldOrEnter() {
        guard canToggle, !unfold() else { return }
        if isOpen(selected) { move(by: 1) } else { folds.set(selected.node.id, closed: false) }
    }

    mutating func openAll() { setAll(closed: false) }

    mutating func setAll(closed: Bool) {
        folds.setAll(in: selectedNode.nodes.indices, closed: closed)
    }

    // MARK: Rows

    func goesOn(beyond area: Rect) -> Bool {
        rows(height: area.height).contains {
            TextWidth.columns(of: runs($0, width: area.width, glyphs: .unicode)) - sideways > area.width - 2
        }
    }

    /// Returns a row as styled text. A long value is cut off after what fits in `width` columns.
    func runs(_ cursor: TreeCursor, width: Int, glyphs: Glyphs) -> [StyledText] {
        let node = cursor.node
        let isCulprit = culprit?.node == node.id
        let isOpen = self.isOpen(cursor)
        let hasChildren = node.hasRows
        var runs = [
            StyledText(String(repeating: "  ", count: min(cursor.depth, 100))),
            StyledText(hasChildren ? (isOpen ? glyphs.expanded : glyphs.collapsed) + " " : "  ", .dim),
        ]
        if let key = node.key {
            runs.append(StyledText(key.beginning(limit: 400)?.text ?? "", isCulprit ? .culprit : .key))
            runs.append(StyledText(": ", .punctuation))
        } else if let level = cursor.levels.last {
            runs.append(StyledText("[\(level.ordinal)]", isCulprit ? .culprit : .dim))
            runs.append(StyledText(" "))
        }
        if isOpen {
            runs.append(StyledText(ValueText.size(node), .dim))
        } else {
            let content = ValueText.runs(node, budget: width + sideways + 16)
            runs += isCulprit ? content.colored(.culprit) : content
        }
        if isCulprit, let failure = culprit?.failure {
            runs.append(StyledText("  "))
            runs.append(StyledText("\(glyphs.pointer) \(failure.shown.messageAtCulprit)", .failed))
        }
        return runs
    }

    /// More rows than a page of the largest terminal or a turn of any mouse wheel.
    private static let longestMove = 1000
}
