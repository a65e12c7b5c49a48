import DisplayText

/// A menu over the panels.
extension MenuView: Overlay {
    var keys: [KeyGroup] {
        [
            .upAndDown(hint: "item"), KeyGroup(hint: "choose", .init(.chooseItem, .enter)),
            KeyGroup(hint: "close", isAlwaysShown: true, .init(.close, .escape)),
        ]
    }

    func frame(in panels: Rect) -> Rect {
        panels.centered(width: max(widest + 3, TextWidth.columns(of: title)) + 8, height: items.count + 2)
    }

    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas) {
        let area = frame.inset(1)
        canvas.clear(frame)
        canvas.box(frame, title: [StyledText(title, .title)], style: .focusedBorder)
        for (line, index) in position.visible(count: rowCount, height: area.height).enumerated() {
            let (item, row) = (items[index], area.row(line))
            let runs = [StyledText(item.key.map { "\($0)" } ?? " ", .hintKey), StyledText("  \(item.label)")]
            canvas.draw(runs, x: row.x + 1, y: row.y, maxWidth: row.width - 2, overflow: .ellipsis)
            if index == position.selected { canvas.select(row, isFocused: true) }
        }
        canvas.scrollBar(besides: area, top: position.top, count: rowCount, isFocused: true)
    }

    func typed(_ key: InspectorKey, in inspector: inout Inspector) -> Bool {
        guard case .character(let character) = key, let item = items.first(where: { $0.key == character }) else {
            return false
        }
        inspector.choose(item)
        return true
    }

    /// A click on an item chooses it. A click outside the menu closes it.
    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool {
        let rows = inspector.layout.overlay.inset(1)
        let index = position.top + mouse.y - rows.minY
        if !rows.contains(x: mouse.x, y: mouse.y) {
            inspector.closeOverlay()
        } else if items.indices.contains(index) {
            inspector.choose(items[index])
        }
        return true
    }
}

extension KeyCommand {
    fileprivate static let chooseItem = KeyCommand("chooseItem") {
        guard let item = $0.menu?.selectedItem else { return .nothing() }
        return .change { $0.choose(item) }
    }
}

extension Inspector {
    fileprivate mutating func choose(_ item: MenuView.Item) {
        closeOverlay()
        item.choose(&self)
    }
}
