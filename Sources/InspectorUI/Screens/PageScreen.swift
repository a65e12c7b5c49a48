import DisplayText

/// A page, over the panels.
enum PageScreen {
    static func draw(_ page: PageView, _ frame: Rect, on canvas: inout Canvas) {
        let area = frame.inset(1)
        canvas.clear(frame)
        canvas.box(frame, title: [StyledText(page.title, .title)], style: .focusedBorder)
        for (row, line) in page.visible.enumerated() {
            let y = area.y + row
            switch line {
            case .gap: break
            case .text(let text): canvas.draw(text, x: area.x + 1, y: y, maxWidth: area.width - 2)
            case .heading(let text):
                canvas.draw(text, x: area.x + 1, y: y, style: .label, maxWidth: area.width - 2)
            case .keys(let keys, let text):
                let names = keys.map { $0.name(in: canvas.glyphs.repertoire) }.joined(separator: " ")
                let keysWidth = min(28, area.width / 2)
                canvas.draw(names, x: area.x + 3, y: y, style: .hintKey, maxWidth: keysWidth - 3)
                canvas.draw(
                    text, x: area.x + keysWidth + 1, y: y, maxWidth: area.width - keysWidth - 2, overflow: .ellipsis)
            }
        }
        canvas.scrollBar(besides: area, top: page.top, count: page.lines.count, isFocused: true)
    }
}
