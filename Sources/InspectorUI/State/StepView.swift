import DisplayText
import DocumentModel
import MigrationCore

/// The rows of one step or of the overview, and the selected row.
struct StepView: ListPanel {
    /// The kind of content that the rows show.
    enum Content: Sendable {
        case nothing
        /// An overview of the document, in lines of this width.
        case overview(width: Int, Repertoire)
        /// The document that broke the step.
        case failure
        /// The changes of the step.
        case difference(DocumentDifference, DifferenceRows.Summary, DifferenceStyle)
    }

    private(set) var content = Content.nothing
    private(set) var rows: [StepRow] = []
    var position = ListPosition()
    var sideways = 0
    private(set) var canOpenAll = false
    /// Whether the user has opened or closed rows, which replacing the rows would undo.
    private(set) var isArranged = false
    /// Whether the culprit was selected and has not been drawn since.
    private var isFresh = false
    /// The origins that experiments found for the values of the step, in words.
    private var origins: OriginWords?

    var rowCount: Int { rows.count }
    var selectedRow: StepRow? { rows.indices.contains(position.selected) ? rows[position.selected] : nil }

    var difference: DocumentDifference? {
        if case .difference(let difference, _, _) = content { difference } else { nil }
    }

    var isSideBySide: Bool { if case .difference(_, _, .sideBySide) = content { true } else { false } }

    /// Shows the rows of a document that broke a step, with the culprit selected.
    mutating func show(failure rows: [StepRow]) {
        take(rows, .failure)
        selectCulprit()
    }

    mutating func show(_ arranged: DifferenceRows) {
        take(arranged.rows, .difference(arranged.difference, arranged.summary, arranged.style))
        origins = arranged.origins
        if let first = rows.firstIndex(where: { $0.sign != .none }) { select(row: first) }
        selectCulprit()
    }

    /// Builds the overview's rows, and rebuilds them when the width or the repertoire changes. Keeps the selection
    /// then.
    mutating func showOverview(
        of trace: MigrationTrace, _ revision: DocumentRevision?, width: Int, repertoire: Repertoire
    ) {
        var isFirst = true
        if case .overview(let shownWidth, let shownRepertoire) = content {
            if shownWidth == width, shownRepertoire == repertoire { return }
            isFirst = false
        }
        let rows = OverviewRows.rows(trace, revision, width: width, repertoire: repertoire)
        take(rows, .overview(width: width, repertoire))
        if isFirst { selectCulprit() }
    }

    /// Causes the overview's rows to be rebuilt, for a trace that contains more.
    mutating func renewOverview() {
        if case .overview(_, let repertoire) = content { content = .overview(width: -1, repertoire) }
    }

    private mutating func take(_ rows: [StepRow], _ content: Content) {
        self.rows = rows
        self.content = content
        origins = nil
        noteFolds()
        select(row: position.selected)
    }

    private mutating func selectCulprit() {
        let failed = rows.firstIndex(where: \.isCulprit) ?? rows.firstIndex { $0.sign == .failed }
        guard let failed else { return }
        select(row: failed)
        isFresh = true
    }

    private mutating func noteFolds() {
        canOpenAll = rows.contains(where: \.isFold)
    }

    /// Returns the row of a part, given its position among the parts.
    func row(ofPart part: Int) -> Int? {
        rows.firstIndex { if case .part(part, _) = $0.body { true } else { false } }
    }

    /// The position of the cursor.
    var cursor: RowPosition { RowPosition(row: position.selected, path: selectedRow?.node?.path) }

    /// Selects the row with the same value or, if there is none, the row with the same number.
    mutating func select(_ cursor: RowPosition) {
        var row = cursor.row
        if let path = cursor.path, rows.count <= Self.mostCompared,
            !rows.indices.contains(row) || rows[row].node?.path != path
        {
            row = rows.firstIndex { $0.node?.path == path } ?? row
        }
        select(row: row)
    }

    /// The number of rows above which a value is not searched for by its path.
    private static var mostCompared: Int { 500 }

    /// Whether there are rows that can be opened.
    var hasClosedRows: Bool { rows.contains { $0.isFold || $0.isFoldable && !$0.isOpen } }

    var canToggle: Bool { selectedRow?.isFoldable ?? false }

    mutating func toggle() {
        isArranged = true
        let (row, count) = (position.selected, rows.count)
        rows.toggle(at: row)
        if rows.count > count { noteFindings(in: row..<(row + 1 + rows.count - count)) }
        noteFolds()
    }

    mutating func openAll() {
        isArranged = true
        rows.openFolds()
        noteFindings(in: rows.indices)
        noteFolds()
    }

    /// Adds the findings of experiments to rows that were opened.
    private mutating func noteFindings(in range: Range<Int>) {
        if let origins { rows.note(origins, in: range) }
    }

    /// Scrolls the selection into view. A culprit outside it comes to the middle, with the rows around it.
    mutating func show(height: Int) {
        if isFresh, height > 0 {
            isFresh = false
            if !position.visible(count: rows.count, height: height).contains(position.selected) {
                position.center(count: rows.count, height: height)
            }
        }
        position.show(count: rows.count, height: height)
    }

    func goesOn(beyond area: Rect) -> Bool {
        let (left, right) = area.splitLeft(area.width / 2)
        let sides: [(StepRow.Side, Rect)] = isSideBySide ? [(.old, left), (.new, right)] : [(.both, area)]
        return position.visible(count: rows.count, height: area.height).contains { index in
            sides.contains { side, area in
                guard rows[index].isShown(on: side) else { return false }
                let line = StepRowLine(
                    rows[index], glyphs: .unicode, width: area.width, sideways: sideways, side: side)
                return line.goesOn(beyond: area.width - 2, sideways: sideways)
            }
        }
    }

    func searchStart(forward: Bool) -> SearchRequest.Start? { .rows(rows, from: position.selected) }

    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool {
        guard case .row(let row) = match else { return false }
        defer { select(row: row) }
        return position.selected == row
    }
}

/// A position in the rows of a step: the number of the row, and the value it shows.
struct RowPosition: Hashable, Sendable {
    var row: Int
    /// The path of the value in its document; nil if the row shows no value.
    var path: DocumentPath?
}
