/// A part of the screen that can have the keyboard focus.
struct Panel: Hashable, Sendable, CaseIterable {
    /// The meaning of keys, unless the panel shows a tree of values.
    let context: KeyContexts
    /// The keys that work only in this panel, besides those of the table.
    var keys: [KeyGroup] = []
    /// The view in the panel; nil if the panel is empty.
    let view: @Sendable (Inspector) -> (any PanelView)?
    let replaceView: @Sendable (inout Inspector, any PanelView) -> Void
    /// The share of the document's height, in percent, if there are other panels above.
    var share: @Sendable (Inspector) -> Int = { _ in 40 }

    /// The panels, in the order of the Tab key. The first one is the list, and the others share the document's frame
    /// from top to bottom.
    static let allCases: [Panel] = [.documents, .step, .source]

    static func == (left: Panel, right: Panel) -> Bool { left.context == right.context }
    func hash(into hasher: inout Hasher) { hasher.combine(context) }
}

extension Panel {
    static let documents: Panel = .init(context: .documents) {
        $0.documents
    } replaceView: {
        if let list = $1 as? DocumentList { $0.documents = list }
    }

    static let step: Panel = .init(context: .rows) {
        if let value = $0.shown?.value { value } else { $0.shown?.step }
    } replaceView: {
        if let tree = $1 as? ValueView { $0.shown?.value = tree }
        if let step = $1 as? StepView { $0.shown?.step = step }
    }

    static let source: Panel = .init(context: .source) {
        if let tree = $0.shown?.source.tree { tree } else { $0.shown?.source }
    } replaceView: {
        if let tree = $1 as? ValueView { $0.shown?.source.tree = tree }
        if let source = $1 as? SourceView { $0.shown?.source = source }
    } share: {
        // If the document could not be parsed, its text is all there is to see.
        $0.shown?.trace.failure?.kind == .malformed ? 75 : $0.focus == .source ? 60 : 40
    }
}

/// The actions of keys and the mouse in a panel or an overlay, independent of what it lists.
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
    func searchStart(forward: Bool) -> SearchRequest.Start?
    /// Selects a match. Returns true if it was selected already, which means that there is no other match.
    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool

    /// Draws a panel that shows the view.
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas)
}

extension PanelView {
    func canMove(forward: Bool) -> Bool { false }
    mutating func move(by rows: Int) {}
    mutating func moveToEnd(forward: Bool) {}
    mutating func select(line: Int) {}
    mutating func scroll(by rows: Int, height: Int) {}
    var sideways: Int {
        get { 0 }
        set {}
    }
    func goesOn(beyond area: Rect) -> Bool { false }
    var canToggle: Bool { false }
    mutating func toggle() {}
    var canOpenAll: Bool { false }
    mutating func openAll() {}
    func searchStart(forward: Bool) -> SearchRequest.Start? { nil }
    mutating func reveal(_ match: SearchResult, in area: Rect) -> Bool { false }
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas) {}
}

/// A view with a list of rows, one of which is selected.
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
