import DisplayText

/// Where everything is, at the size that the screen has, with the lines that the places of others depend on. It is made
/// once for each event, in ``Inspector/arrange()``; keys, mouse and drawing use that one.
struct Layout: Sendable {
    /// A panel: the row of its title, and what is below it. Empty when it is not shown.
    struct Area: Sendable {
        /// The frame, or the rule at the top of the panel.
        var frame = Rect.zero
        var content = Rect.zero

        var isShown: Bool { !frame.isEmpty }
    }

    private(set) var bounds = Rect.zero
    private var areas: [Panel: Area] = [:]
    /// The frame around the chain, the step and the source.
    private(set) var detail = Rect.zero
    /// The rows of the chain, inside the detail's frame.
    private(set) var chain = Rect.zero
    private(set) var hints = Rect.zero
    /// What the tour says.
    private(set) var tour = Rect.zero
    private(set) var page = Rect.zero
    private(set) var menu = Rect.zero
    /// The frame of the chain's table.
    private(set) var chainTable = Rect.zero

    /// The chain in its place.
    var chainLine: ChainLine?
    /// The states of the timeline, in its place.
    var timelineLine: TimelineLine?
    /// What stands above the rows of the step.
    var preamble = StepPreamble()

    /// In a smaller window no panels are drawn.
    static let smallest = (width: 30, height: 7)
    var isTooSmall: Bool { bounds.width < Self.smallest.width || bounds.height < Self.smallest.height }

    /// The layout before there is a screen.
    init() {}

    init(_ inspector: Inspector) {
        bounds = Rect(x: 0, y: 0, width: inspector.size.width, height: inspector.size.height)
        var (panels, hints) = bounds.splitBottom(1)
        if let view = inspector.tourView {
            let height = view.height(width: bounds.width, repertoire: inspector.repertoire)
            (panels, tour) = panels.splitBottom(min(height, panels.height / 2))
        }
        if let lines = inspector.page?.lines { page = panels.centered(width: 80, height: lines.count + 2) }
        if inspector.chainTable != nil { chainTable = panels }
        if let menu = inspector.menu {
            self.menu = panels.centered(
                width: max(menu.widest + 3, TextWidth.columns(of: menu.title)) + 8, height: menu.items.count + 2)
        }
        guard !isTooSmall else { return }
        self.hints = hints
        if inspector.isZoomed {
            let isList = inspector.focus == .documents
            if !isList { detail = panels }
            areas[inspector.focus] = Area(frame: isList ? panels : panels.row(0), content: panels.inset(1))
        } else if inspector.timeline != nil {
            place(panels, inspector)
        } else if bounds.width >= 100 {
            placeBoth(panels, inspector, listAtLeast: Self.leastListWidth, most: bounds.width * 2 / 5)
        } else if inspector.focus != .documents, inspector.inspection != nil {
            // In a narrow window a step needs all of it; the list comes back with its keys.
            place(panels, inspector)
        } else if bounds.width >= 70 {
            placeBoth(panels, inspector, listAtLeast: bounds.width * 2 / 5, most: bounds.width * 9 / 20)
        } else {
            areas[.documents] = Area(frame: panels, content: panels.inset(1))
        }
    }

    subscript(panel: Panel) -> Area { areas[panel] ?? Area() }

    /// What a panel's own rows take: without the preamble of the step.
    func rows(of panel: Panel) -> Rect {
        let content = self[panel].content
        return panel == .step ? content.splitTop(min(preamble.lines.count, max(0, content.height - 1))).rest : content
    }

    /// The panel that this cell belongs to.
    func panel(x: Int, y: Int) -> Panel? {
        Panel.allCases.first { self[$0].frame.contains(x: x, y: y) || self[$0].content.contains(x: x, y: y) }
    }

    private static let leastListWidth = 34
    private static let mostListWidth = 72
    /// The columns that the frame, the sign and the blanks beside them take of a row of the list.
    private static let columnsAroundName = 6
    /// Room at both sides of the chain, also for the signs that it goes on.
    static let chainMargin = 3

    /// The list, as wide as the names need it, and the document beside it.
    private mutating func placeBoth(_ panels: Rect, _ inspector: Inspector, listAtLeast least: Int, most: Int) {
        let needed = inspector.documents.widestRow + Self.columnsAroundName
        let (list, detail) = panels.splitLeft(max(least, min(needed, most, Self.mostListWidth)))
        areas[.documents] = Area(frame: list, content: list.inset(1))
        place(detail, inspector)
    }

    /// Chain, step and source below each other in one frame.
    private mutating func place(_ frame: Rect, _ inspector: Inspector) {
        detail = frame
        let inside = frame.inset(1)
        let most = inspector.timeline == nil ? 2 : 4
        let (chain, panels) = inside.splitTop(
            inside.height < 4 ? 0 : inside.height < 7 ? 1 : min(most, inside.height - 4))
        self.chain = chain
        let rows = panels.height - 1
        if rows < 6 {
            // Room for one of them.
            areas[inspector.focus == .source ? .source : .step] = area(panels, in: frame)
            return
        }
        let (above, below) = panels.splitBottom(max(3, rows * sourceShare(inspector) / 100))
        areas[.step] = area(above, in: frame)
        areas[.source] = area(below, in: frame)
    }

    /// The share of the source panel in the height, in percent.
    private func sourceShare(_ inspector: Inspector) -> Int {
        // For a text that is not a document, the text is all there is to see.
        if inspector.shown?.trace.failure?.kind == .malformed { return 75 }
        return inspector.focus == .source ? 60 : 40
    }

    /// The first row is the rule with the title, from edge to edge of the frame.
    private func area(_ rows: Rect, in frame: Rect) -> Area {
        let (title, content) = rows.splitTop(1)
        return Area(frame: Rect(x: frame.x, y: title.y, width: frame.width, height: title.height), content: content)
    }
}
