/// Where everything is, at the size that the screen has.
struct Layout {
    /// A panel: the row of its title, and what is below it. Empty when it is not shown.
    struct Area {
        /// The frame, or the rule at the top of the panel.
        var frame = Rect.zero
        var content = Rect.zero

        var isShown: Bool { !frame.isEmpty }
    }

    let bounds: Rect
    private(set) var documents = Area()
    /// The frame around the chain, the step and the source.
    private(set) var detail = Rect.zero
    /// The rows of the chain, inside the detail's frame.
    private(set) var chain = Rect.zero
    private(set) var step = Area()
    private(set) var source = Area()
    private(set) var hints = Rect.zero

    /// Smaller than this there is no point in drawing panels.
    static let smallest = (width: 30, height: 7)
    var isTooSmall: Bool { bounds.width < Self.smallest.width || bounds.height < Self.smallest.height }

    init(_ inspector: Inspector) {
        bounds = Rect(x: 0, y: 0, width: inspector.size.width, height: inspector.size.height)
        guard !isTooSmall else { return }
        let (panels, hints) = bounds.splitBottom(1)
        self.hints = hints
        if inspector.isZoomed {
            zoom(inspector.focus, in: panels)
        } else if bounds.width >= 100 {
            let (list, detail) = panels.splitLeft(
                listWidth(inspector, least: Self.leastListWidth, most: bounds.width * 2 / 5))
            placeDocuments(list)
            place(detail, inspector)
        } else if inspector.focus == .documents || inspector.inspection == nil {
            placeNarrow(panels, inspector)
        } else {
            // In a narrow window a step needs all of it; the list comes back with its keys.
            place(panels, inspector)
        }
    }

    func height(of panel: Panel) -> Int {
        switch panel {
        case .documents: documents.content.height
        case .step: step.content.height
        case .source: source.content.height
        }
    }

    /// As wide as the names need it.
    private func listWidth(_ inspector: Inspector, least: Int, most: Int) -> Int {
        let needed = inspector.documents.widestRow + DocumentsScreen.columnsAroundRow
        return max(least, min(needed, most, Self.mostListWidth))
    }

    private static let leastListWidth = 34
    private static let mostListWidth = 72

    private mutating func placeDocuments(_ frame: Rect) {
        documents = Area(frame: frame, content: frame.inset(1))
    }

    private mutating func zoom(_ panel: Panel, in frame: Rect) {
        switch panel {
        case .documents: placeDocuments(frame)
        case .step:
            detail = frame
            step = Area(frame: frame.row(0), content: frame.inset(1))
        case .source:
            detail = frame
            source = Area(frame: frame.row(0), content: frame.inset(1))
        }
    }

    /// The list with the keyboard and as much of the document as fits beside it.
    private mutating func placeNarrow(_ panels: Rect, _ inspector: Inspector) {
        guard bounds.width >= 70 else { return placeDocuments(panels) }
        let (list, detail) = panels.splitLeft(
            listWidth(inspector, least: bounds.width * 2 / 5, most: bounds.width * 9 / 20))
        placeDocuments(list)
        place(detail, inspector)
    }

    /// Chain, step and source below each other in one frame.
    private mutating func place(_ frame: Rect, _ inspector: Inspector) {
        detail = frame
        let inside = frame.inset(1)
        let (chain, panels) = inside.splitTop(inside.height < 4 ? 0 : inside.height < 7 ? 1 : 2)
        self.chain = chain
        let rows = panels.height - 1
        if rows < 6 {
            // Room for one of them.
            if inspector.focus == .source {
                source = area(panels, in: frame)
            } else {
                step = area(panels, in: frame)
            }
            return
        }
        let (above, below) = panels.splitBottom(max(3, rows * sourceShare(inspector) / 100))
        step = area(above, in: frame)
        source = area(below, in: frame)
    }

    /// How much of the height is the source's, in percent.
    private func sourceShare(_ inspector: Inspector) -> Int {
        // Of a text that is no document there is nothing to see but the text.
        if inspector.inspection?.trace?.failure?.kind == .malformed { return 75 }
        return inspector.focus == .source ? 60 : 40
    }

    /// The first row is the rule with the title, from edge to edge of the frame.
    private func area(_ rows: Rect, in frame: Rect) -> Area {
        let (title, content) = rows.splitTop(1)
        return Area(frame: Rect(x: frame.x, y: title.y, width: frame.width, height: title.height), content: content)
    }
}
