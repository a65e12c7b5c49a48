import DisplayText

/// A menu over the panels.
enum MenuScreen {
    static func draw(_ menu: MenuView, _ frame: Rect, on canvas: inout Canvas) {
        let area = frame.inset(1)
        canvas.clear(frame)
        canvas.box(frame, title: [StyledText(menu.title, .title)], style: .focusedBorder)
        for (line, index) in menu.position.visible(count: menu.rowCount, height: area.height).enumerated() {
            let (item, row) = (menu.items[index], area.row(line))
            let runs = [StyledText(item.key.map { "\($0)" } ?? " ", .hintKey), StyledText("  \(item.label)")]
            canvas.draw(runs, x: row.x + 1, y: row.y, maxWidth: row.width - 2, overflow: .ellipsis)
            if index == menu.position.selected { canvas.select(row, isFocused: true) }
        }
        canvas.scrollBar(besides: area, top: menu.position.top, count: menu.rowCount, isFocused: true)
    }
}
