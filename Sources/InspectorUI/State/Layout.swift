/// The areas of everything on the screen at its current size, and the lines of text whose height other areas depend
/// on. It is computed once per event, in ``Inspector/arrange()``, and used for keys, the mouse and drawing.
struct Layout: Sendable {
    /// The row of a panel's title and the content below it. Empty if the panel is not shown.
    struct Area: Sendable {
        /// The panel's frame, or the rule at its top.
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
    /// The text of the tour.
    private(set) var tour = Rect.zero
    private(set) var overlay = Rect.zero

    /// The chain as it fits its area.
    var chainLine: ChainLine?
    /// The states of the timeline as they fit its area.
    var timelineLine: TimelineLine?
    /// The lines above the rows of the step.
    var preamble = StepPreamble()

    /// In a window smaller than this, no panels are drawn.
    static let smallest = (width: 30, height: 7)
    var isTooSmall: Bool { bounds.width < Self.smallest.width || bounds.height < Self.smallest.height }

    /// Creates the layout used before there is a screen.
    init() {}

    init(_ inspector: Inspector) {
        bounds = Rect(x: 0, y: 0, width: inspector.size.width, height: inspector.size.height)
        var (panels, hints) = bounds.splitBottom(1)
        if let view = inspector.tour.view {
            let height = view.height(width: bounds.width, repertoire: inspector.repertoire)
            (panels, tour) = panels.splitBottom(min(height, panels.height / 2))
        }
        overlay = inspector.overlay?.frame(in: panels) ?? .zero
        guard !isTooSmall else { return }
        self.hints = hints
        if inspector.isZoomed {
            let isList = inspector.focus == .documents
            if !isList { detail = panels }
            areas[inspector.focus] = Area(frame: isList ? panels : panels.row(0), content: panels.inset(1))
        } else if inspector.timeline != nil {
            stack(panels, inspector)
        } else if bounds.width >= 100 {
            layOutBoth(panels, inspector, listAtLeast: Self.leastListWidth, most: bounds.width * 2 / 5)
        } else if inspector.focus != .documents, inspector.inspection != nil {
            // A narrow window has no room for both. The list comes back with its keys.
            stack(panels, inspector)
        } else if bounds.width >= 70 {
            layOutBoth(panels, inspector, listAtLeast: bounds.width * 2 / 5, most: bounds.width * 9 / 20)
        } else {
            areas[.documents] = Area(frame: panels, content: panels.inset(1))
        }
    }

    subscript(panel: Panel) -> Area { areas[panel] ?? Area() }

    /// Returns the area of a panel's own rows, which excludes the preamble of the step.
    func rows(of panel: Panel) -> Rect {
        let content = self[panel].content
        return panel == .step ? content.splitTop(min(preamble.lines.count, max(0, content.height - 1))).rest : content
    }

    /// Returns the panel that this cell belongs to.
    func panel(x: Int, y: Int) -> Panel? {
        Panel.allCases.first { self[$0].frame.contains(x: x, y: y) || self[$0].content.contains(x: x, y: y) }
    }

    private static let leastListWidth = 34
    private static let mostListWidth = 72
    /// The width of the frame, the sign and the spaces beside the name in a row of the list.
    private static let columnsAroundName = 6
    /// The margin on each side of the chain, where signs show that it continues.
    static let chainMargin = 3

    /// Lays out the list, as wide as its names need, with the document beside it.
    private mutating func layOutBoth(_ panels: Rect, _ inspector: Inspector, listAtLeast least: Int, most: Int) {
        let needed = inspector.documents.widestRow + Self.columnsAroundName
        let (list, detail) = panels.splitLeft(max(least, min(needed, most, Self.mostListWidth)))
        areas[.documents] = Area(frame: list, content: list.inset(1))
        stack(detail, inspector)
    }

    /// Lays out the chain and the panels of the document from top to bottom in one frame.
    private mutating func stack(_ frame: Rect, _ inspector: Inspector) {
        detail = frame
        let inside = frame.inset(1)
        var most = 2
        if let timeline = inspector.timeline {
            let line = TimelineLine(
                timeline, here: inspector.timelinePosition, documents: inspector.documents,
                width: inside.inset(dx: Self.chainMargin, dy: 0).width, height: max(4, inside.height / 3),
                glyphs: inspector.glyphs)
            timelineLine = line
            most = line.rows.count
        }
        let (chain, panels) = inside.splitTop(
            inside.height < 4 ? 0 : inside.height < 7 ? 1 : min(most, inside.height - 4))
        self.chain = chain
        let stack = Panel.allCases.dropFirst()
        let rows = panels.height - 1
        if rows < 6 {
            // There is only room for one of them.
            areas[stack.contains(inspector.focus) ? inspector.focus : .step] = area(panels, in: frame)
            return
        }
        var rest = panels
        for panel in stack.dropFirst().reversed() {
            let (above, below) = rest.splitBottom(max(3, rows * panel.share(inspector) / 100))
            areas[panel] = area(below, in: frame)
            rest = above
        }
        areas[.step] = area(rest, in: frame)
    }

    /// Returns the area with its first row as the rule with the title, which reaches from edge to edge of the frame.
    private func area(_ rows: Rect, in frame: Rect) -> Area {
        let (title, content) = rows.splitTop(1)
        return Area(frame: Rect(x: frame.x, y: title.y, width: frame.width, height: title.height), content: content)
    }
}
