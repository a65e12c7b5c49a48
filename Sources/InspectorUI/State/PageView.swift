import DisplayText

/// A page of text over the panels, such as the list of all keys. Nothing in it can be selected.
struct PageView: PanelView {
    let title: String
    let lines: [PageLine]
    private(set) var top = 0
    private var height = 0

    init(_ title: String, _ lines: [PageLine]) {
        self.title = title
        self.lines = lines
    }

    /// Creates a page with a copied text.
    init(copied text: String, _ repertoire: Repertoire) {
        self.init(
            PromptWords.sent,
            Array(Self.lines(of: text.withoutMiddle(most: Self.longestText), repertoire).prefix(1000)))
    }

    /// Returns the lines of a text, wrapped.
    static func lines(of text: String, _ repertoire: Repertoire) -> [PageLine] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            TextWidth.wrap(String(line), to: 76, repertoire: repertoire).map { PageLine.text(String($0)) }
        }
    }

    /// More than anyone reads on the screen, in bytes.
    static let longestText = 200_000

    var visible: ArraySlice<PageLine> { lines[top..<min(lines.count, top + height)] }

    func canMove(forward: Bool) -> Bool { forward ? top + height < lines.count : top > 0 }
    mutating func move(by rows: Int) { show(top: ListPosition.sum(top, rows)) }
    mutating func moveToEnd(forward: Bool) { show(top: forward ? lines.count : 0) }
    mutating func scroll(by rows: Int, height: Int) { move(by: rows) }

    mutating func show(in frame: Rect) {
        height = frame.inset(1).height
        show(top: top)
    }

    private mutating func show(top: Int) { self.top = max(0, min(top, lines.count - height)) }
}
