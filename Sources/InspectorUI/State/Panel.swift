/// The parts of the screen that can have the keyboard, in the order of the Tab key.
enum Panel: Hashable, Sendable, CaseIterable {
    case documents, step, source
}

/// What the keys and the mouse do in a panel, whatever it lists.
protocol PanelView: Sendable {
    func canMove(forward: Bool) -> Bool
    mutating func move(by rows: Int)
    mutating func moveToEnd(forward: Bool)
    /// Selects what is on a line of the panel, counted from its top; a line with nothing on it changes nothing.
    mutating func select(line: Int)
    /// Moves the rows below the selection, which stays where it is while it is seen.
    mutating func scroll(by rows: Int, height: Int)

    /// Columns that are scrolled out at the left.
    var sideways: Int { get set }
    /// Whether something that is seen goes on at the right of the panel.
    func goesOn(beyond area: Rect) -> Bool

    /// Whether the selection can be opened or closed.
    var canToggle: Bool { get }
    mutating func toggle()
    var canOpenAll: Bool { get }
    mutating func openAll()

    /// What a search looks through; nil where nothing can be searched.
    func searchPlace(forward: Bool) -> SearchRequest.Place?
    /// Goes to a match. True when it was there already: then there is no other one.
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

/// A panel that is a list of rows with one selected.
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
