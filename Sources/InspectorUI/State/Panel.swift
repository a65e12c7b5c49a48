/// The parts of the screen that can have the keyboard focus, in the order of the Tab key.
enum Panel: Hashable, Sendable, CaseIterable {
    case documents, step, source
}

/// The actions of keys and the mouse in a panel, independent of what it lists.
protocol PanelView: Sendable {
    func canMove(forward: Bool) -> Bool
    mutating func move(by rows: Int)
    mutating func moveToEnd(forward: Bool)
    /// Selects the content of a line, counted from the top of the panel. Ignores empty lines.
    mutating func select(line: Int)
    /// Scrolls the rows. The selection only moves when it would leave the screen.
    mutating func scroll(by rows: Int, height: Int)

    /// The number of columns scrolled out of view on the left.
    var sideways: Int { get set }
    /// Returns whether a visible line continues beyond the right edge of the panel.
    func goesOn(beyond area: Rect) -> Bool

    /// Whether the selection can be opened or closed.
    var canToggle: Bool { get }
    mutating func toggle()
    var canOpenAll: Bool { get }
    mutating func openAll()

    /// Returns what a search looks through, and where it starts; nil if nothing can be searched.
    func searchPlace(forward: Bool) -> SearchRequest.Place?
    /// Selects a match. Returns true if it was selected already, which means that there is no other match.
    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool
}

extension PanelView {
    var sideways: Int {
        get { 0 }
        set {}
    }
    func goesOn(beyond area: Rect) -> Bool { false }
    var canToggle: Bool { false }
    mutating func toggle() {}
    var canOpenAll: Bool { false }
    mutating func openAll() {}
    func searchPlace(forward: Bool) -> SearchRequest.Place? { nil }
    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool { false }
}

/// A panel with a list of rows, one of which is selected.
protocol ListPanel: PanelView {
    var position: ListPosition { get set }
    var rowCount: Int { get }
}

extension ListPanel {
    func canMove(forward: Bool) -> Bool { forward ? position.selected + 1 < rowCount : position.selected > 0 }
    mutating func move(by rows: Int) { position.move(by: rows, count: rowCount) }
    mutating func moveToEnd(forward: Bool) { select(row: forward ? .max : 0) }
    mutating func select(row: Int) { position.select(row, count: rowCount) }
    mutating func select(line: Int) { if position.top + line < rowCount { select(row: position.top + line) } }
    mutating func scroll(by rows: Int, height: Int) { position.scroll(by: rows, count: rowCount, height: height) }
}
