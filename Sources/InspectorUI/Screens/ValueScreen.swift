import DocumentModel

extension ValueView {
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas) {
        let draw = panel == .step ? StepScreen.draw : SourceScreen.draw
        draw(inspector, inspector.layout[panel], &canvas)
    }
}

/// A document as a tree of rows.
enum ValueScreen {
    static func draw(
        _ view: ValueView, _ area: Rect, search: TextSearch?, isFocused: Bool, on canvas: inout Canvas
    ) {
        for (line, cursor) in view.rows(height: area.height).enumerated() {
            let rect = area.row(line)
            let runs = view.runs(cursor, width: rect.width, glyphs: canvas.glyphs)
            canvas.drawScrolled(runs, in: rect.inset(dx: 1, dy: 0), sideways: view.sideways)
            let isSelected = cursor == view.selected
            canvas.highlight(search, in: rect, isCurrent: isSelected && isFocused)
            if isSelected, isFocused { canvas.select(rect, isFocused: true) }
        }
        // Positions among the document's nodes approximate rows, which have not been counted.
        let nodes = view.document.root.nodes
        let before = nodes.distance(from: nodes.startIndex, to: view.top.node.id)
        let end = view.rows(height: area.height).last?.node.nodes.endIndex ?? nodes.endIndex
        guard before > 0 || end < nodes.endIndex, area.height > 1 else { return }
        let start = min(area.height - 1, before * area.height / nodes.count)
        canvas.draw(
            canvas.glyphs.scrollThumb, x: area.maxX, y: area.minY + start, style: .frame(isFocused: isFocused))
    }
}
