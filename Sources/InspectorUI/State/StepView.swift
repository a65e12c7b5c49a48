import DisplayText
import DocumentModel
import MigrationCore

/// The rows of one step, or of the overview, and the selected one.
struct StepView: ListPanel {
    /// What the rows are about.
    enum Content: Sendable {
        case nothing
        /// The document as a whole, in lines of this width.
        case overview(width: Int, Repertoire)
        /// The document that broke the step.
        case failure
        /// What the step changed.
        case difference(DocumentDifference, DifferenceRows.Summary, DifferenceStyle)
    }

    private(set) var content = Content.nothing
    private(set) var rows: [StepRow] = []
    var position = ListPosition()
    var sideways = 0
    private(set) var canOpenAll = false
    /// Whether a person has opened or closed rows, which new rows would undo.
    private(set) var isArranged = false
    /// What experiments show of the step whose changes are shown, in words.
    private var origins: OriginWords?

    var rowCount: Int { rows.count }
    var selectedRow: StepRow? { rows.indices.contains(position.selected) ? rows[position.selected] : nil }

    var difference: DocumentDifference? {
        if case .difference(let difference, _, _) = content { difference } else { nil }
    }

    var isSideBySide: Bool { if case .difference(_, _, .sideBySide) = content { true } else { false } }

    /// Takes the rows of a document that broke a step, with the culprit selected.
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

    /// Makes the overview's rows again whenever the width changes. The selection stays where it is.
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

    /// Has the overview's rows made again, for a trace that says more.
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
        if let failed { select(row: failed) }
    }

    private mutating func noteFolds() {
        canOpenAll = rows.contains(where: \.isFold)
    }

    /// The row of a part, by its position among them.
    func row(ofPart part: Int) -> Int? {
        rows.firstIndex { if case .part(part, _) = $0.body { true } else { false } }
    }

    /// Where the cursor is.
    var place: RowPlace { RowPlace(row: position.selected, path: selectedRow?.node?.path) }

    /// Selects the row of the same value or, where there is none, that of the same number.
    mutating func select(_ place: RowPlace) {
        var row = place.row
        if let path = place.path, rows.count <= Self.mostCompared,
            !rows.indices.contains(row) || rows[row].node?.path != path
        {
            row = rows.firstIndex { $0.node?.path == path } ?? row
        }
        select(row: row)
    }

    /// In more rows a value is not looked for by its path.
    private static var mostCompared: Int { 500 }

    /// Whether rows can be opened.
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

    /// Notes in rows that were opened what experiments show of their values.
    private mutating func noteFindings(in range: Range<Int>) {
        if let origins { rows.note(origins, in: range) }
    }

    mutating func show(height: Int) { position.show(count: rows.count, height: height) }

    func goesOn(beyond area: Rect) -> Bool {
        let (left, right) = area.splitLeft(area.width / 2)
        let places: [(StepRow.Side, Rect)] = isSideBySide ? [(.old, left), (.new, right)] : [(.both, area)]
        return position.visible(count: rows.count, height: area.height).contains { index in
            places.contains { side, place in
                guard rows[index].isShown(on: side) else { return false }
                let line = StepRowLine(
                    rows[index], glyphs: .unicode, width: place.width, sideways: sideways, side: side)
                return line.goesOn(beyond: place.width - 2, sideways: sideways)
            }
        }
    }

    func searchPlace(forward: Bool) -> SearchRequest.Place? { .rows(rows, from: position.selected) }

    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool {
        guard case .row(let row) = match else { return false }
        defer { select(row: row) }
        return position.selected == row
    }
}

/// A row of a step, by its number and by the value that stands there.
struct RowPlace: Hashable, Sendable {
    var row: Int
    /// Where the value is in its document; nil where the row stands for none.
    var path: DocumentPath?
}
