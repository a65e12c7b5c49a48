/// A page of text over the panels, such as the list of all keys. Nothing in it can be selected.
struct PageView: PanelView {
    enum Line: Sendable {
        case heading(String)
        case keys([InspectorKey], String)
        case text(String)
        /// Signs as they look on the screen, and their meaning.
        case signs([StyledText], String)
        case gap
    }

    let title: String
    let lines: [Line]
    private(set) var top = 0
    private var height = 0

    init(_ title: String, _ lines: [Line]) {
        self.title = title
        self.lines = lines
    }

    var visible: ArraySlice<Line> { lines[top..<min(lines.count, top + height)] }

    func canMove(forward: Bool) -> Bool { forward ? top + height < lines.count : top > 0 }
    mutating func move(by rows: Int) { show(top: ListPosition.sum(top, rows)) }
    mutating func moveToEnd(forward: Bool) { show(top: forward ? lines.count : 0) }
    mutating func select(line: Int) {}
    mutating func scroll(by rows: Int, height: Int) { move(by: rows) }

    mutating func show(height: Int) {
        self.height = max(0, height)
        show(top: top)
    }

    private mutating func show(top: Int) { self.top = max(0, min(top, lines.count - height)) }
}
