import DisplayText

/// The frames of panels.
extension Canvas {
    /// Draws a rule across a panel's frame, with the title of what is below it. The panel with the keyboard has its
    /// rule and sides in another color, and a sign before its title.
    mutating func panel(
        _ area: Layout.Area, title: [StyledText], trailing: [StyledText] = [], isFocused: Bool
    ) {
        let style: Style = isFocused ? .focusedBorder : .border
        let content = area.content
        rule(
            x: area.frame.minX, y: area.frame.minY, length: area.frame.width,
            title: isFocused ? [StyledText(glyphs.bullet + " ", .focusedBorder)] + title : title, trailing: trailing,
            style: style)
        guard isFocused else { return }
        for x in [area.frame.minX, area.frame.maxX - 1] {
            restyle(Rect(x: x, y: content.minY, width: 1, height: content.height)) { $0 = style }
        }
    }

    /// Draws runs in a row, scrolled sideways, with signs where they go on.
    mutating func drawScrolled(_ runs: [StyledText], in row: Rect, sideways: Int) {
        let columns = TextWidth.columns(of: runs, repertoire: glyphs.repertoire)
        clipped(to: row) { canvas in
            _ = canvas.draw(runs, x: row.x - sideways, y: row.y)
        }
        if sideways > 0, columns > 0 {
            draw(glyphs.continuesLeft, x: row.x, y: row.y, style: .dim, maxWidth: row.width)
        }
        if columns - sideways > row.width {
            draw(glyphs.continuesRight, x: row.maxX - 1, y: row.y, style: .dim, maxWidth: row.width)
        }
    }

    /// Draws a row of the step panel: its label stays where it is while its value is scrolled sideways.
    mutating func drawScrolled(_ line: StepRowLine, in row: Rect, sideways: Int) {
        let (head, body) = line.pinned(to: row.width, repertoire: glyphs.repertoire)
        let columns = draw(head, x: row.x, y: row.y, maxWidth: row.width)
        drawScrolled(body, in: row.splitLeft(columns).rest, sideways: sideways)
    }

    /// Shows how far down the list is scrolled, in the right edge of a frame.
    mutating func scrollBar(x: Int, y: Int, height: Int, top: Int, count: Int, style: Style) {
        guard count > height, height > 1 else { return }
        let length = max(1, height * height / count)
        let start = min(height - length, top * (height - length) / max(1, count - height))
        for row in start..<(start + length) { draw(glyphs.scrollThumb, x: x, y: y + row, style: style) }
    }

    /// Lights up what is searched for in a row that is drawn.
    mutating func highlight(_ search: TextSearch?, in row: Rect, isCurrent: Bool) {
        guard let search, !search.isEmpty, !row.isEmpty, bounds.contains(x: row.x, y: row.y) else { return }
        var text = ""
        var columns: [Int] = []
        for x in row.minX..<min(row.maxX, width) {
            let cell = self[x, row.y]
            text += cell.text
            columns += Array(repeating: x, count: cell.text.utf8.count)
        }
        let role: Style = isCurrent ? .searchCurrent : .searchMatch
        for range in search.ranges(in: text) {
            let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
            let end = text.utf8.distance(from: text.startIndex, to: range.upperBound)
            guard start < end, end <= columns.count else { continue }
            let last =
                columns[end - 1]
                + (columns[end - 1] + 1 < width && self[columns[end - 1] + 1, row.y].isContinuation ? 1 : 0)
            restyle(Rect(x: columns[start], y: row.y, width: last - columns[start] + 1, height: 1)) {
                $0 = role.with($0.modifiers)
            }
        }
    }

    /// Marks the selected row.
    mutating func select(_ row: Rect, isFocused: Bool) {
        restyle(row) { $0.modifiers.insert(isFocused ? .selected : .selectedUnfocused) }
    }
}
