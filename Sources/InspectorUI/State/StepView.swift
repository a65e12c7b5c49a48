import DocumentModel
import MigrationCore

/// The rows of one step, or of the overview, and where one is in them.
struct StepView: Sendable {
    private(set) var rows: [StepRow] = []
    private(set) var position = ListPosition()
    /// Columns that are scrolled out at the left.
    var sideways = 0
    /// The job that makes the rows.
    var job: BackgroundJob.ID?
    /// For a step that went well, what it changed.
    private(set) var difference: DocumentDifference?
    private(set) var summary: DifferenceRows.Summary?
    private(set) var hasFolds = false

    var selectedRow: StepRow? { rows.indices.contains(position.selected) ? rows[position.selected] : nil }

    /// Takes the rows of a document that broke a step, with the culprit selected.
    mutating func show(failure rows: [StepRow]) {
        take(rows)
        selectCulprit()
    }

    mutating func show(_ difference: DocumentDifference, _ arranged: DifferenceRows) {
        self.difference = difference
        summary = arranged.summary
        take(arranged.rows)
        if let first = rows.firstIndex(where: { $0.sign != .none }) { position.select(first, count: rows.count) }
    }

    /// Takes the overview's rows, which are made anew for every width: the selection stays where it is.
    mutating func show(overview rows: [StepRow], isFirst: Bool) {
        take(rows)
        if isFirst { selectCulprit() }
    }

    private mutating func take(_ rows: [StepRow]) {
        self.rows = rows
        job = nil
        noteFolds()
        position.select(position.selected, count: rows.count)
    }

    private mutating func selectCulprit() {
        let failed = rows.firstIndex(where: \.isCulprit) ?? rows.firstIndex { $0.sign == .failed }
        guard let culprit = failed else { return }
        position.select(culprit, count: rows.count)
    }

    private mutating func noteFolds() {
        hasFolds = rows.contains { if case .fold = $0.body { true } else { false } }
    }

    mutating func toggle() {
        rows.toggle(at: position.selected)
        noteFolds()
    }

    mutating func openFolds() {
        rows.openFolds()
        noteFolds()
    }

    mutating func move(by count: Int) { position.move(by: count, count: rows.count) }
    mutating func select(_ row: Int) { position.select(row, count: rows.count) }
    mutating func scroll(by count: Int, height: Int) { position.scroll(by: count, count: rows.count, height: height) }
    mutating func show(height: Int) { position.show(count: rows.count, height: height) }
}
