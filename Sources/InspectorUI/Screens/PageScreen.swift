import DisplayText

/// A page over the panels.
extension PageView: Overlay {
    var keys: [KeyGroup] {
        [
            .upAndDown(hint: "scroll"), KeyGroup(.init(.pageDown, " ")),
            KeyGroup(hint: "close", isAlwaysShown: true, .init(.close, .escape, "?", "q", .enter)),
        ] + KeyTable.everywhere
    }

    func frame(in panels: Rect) -> Rect { panels.centered(width: 80, height: lines.count + 2) }

    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool {
        inspector.closeOverlay()
        return true
    }

    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas) {
        let area = frame.inset(1)
        canvas.clear(frame)
        canvas.box(frame, title: [StyledText(title, .title)], style: .focusedBorder)
        for (row, line) in visible.enumerated() {
            let y = area.y + row
            switch line {
            case .gap: break
            case .text(let text): canvas.draw(text, x: area.x + 1, y: y, maxWidth: area.width - 2)
            case .heading(let text):
                canvas.draw(text, x: area.x + 1, y: y, style: .label, maxWidth: area.width - 2)
            case .keys(let keys, let text):
                let names = keys.map { $0.name(in: canvas.glyphs.repertoire) }.joined(separator: " ")
                Self.draw([StyledText(names, .hintKey)], text, area.row(row), on: &canvas)
            case .signs(let signs, let text): Self.draw(signs, text, area.row(row), on: &canvas)
            }
        }
        canvas.scrollBar(besides: area, top: top, count: lines.count, isFocused: true)
    }

    /// Draws a term with its meaning beside it.
    private static func draw(_ term: [StyledText], _ meaning: String, _ row: Rect, on canvas: inout Canvas) {
        let width = min(28, row.width / 2)
        canvas.draw(term, x: row.x + 3, y: row.y, maxWidth: width - 3)
        canvas.draw(meaning, x: row.x + width + 1, y: row.y, maxWidth: row.width - width - 2, overflow: .ellipsis)
    }
}
