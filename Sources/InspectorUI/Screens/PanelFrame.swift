import DisplayText

extension Style {
    /// Returns the style of a panel's frame.
    static func frame(isFocused: Bool) -> Style { isFocused ? .focusedBorder : .border }
}

/// The frames of panels.
extension Canvas {
    /// Draws a rule across a panel's frame, with the title of the content below it. The focused panel has its rule
    /// and sides in another color, and a sign before its title.
    mutating func panel(
        _ area: Layout.Area, title: [StyledText], trailing: [StyledText] = [], isFocused: Bool
    ) {
        let style = Style.frame(isFocused: isFocused)
        let content = area.content
        rule(
            x: area.frame.minX, y: area.frame.minY, length: area.frame.width,
            title: panelTitle(title, isFocused: isFocused), trailing: trailing, style: style)
        guard isFocused else { return }
        for x in [area.frame.minX, area.frame.maxX - 1] {
            restyle(Rect(x: x, y: content.minY, width: 1, height: content.height)) { $0 = style }
        }
    }

    /// Returns the title of a panel, with a sign before it if the panel is focused.
    func panelTitle(_ title: [StyledText], isFocused: Bool) -> [StyledText] {
        isFocused ? [StyledText(glyphs.bullet + " ", .focusedBorder)] + title : title
    }

    /// Draws texts below each other, wrapping each, and returns the row after them.
    @discardableResult
    mutating func drawWrapped(_ texts: [StyledText], in area: Rect) -> Int {
        var y = area.y
        for text in texts {
            for line in TextWidth.wrap(text.text, to: max(1, area.width), repertoire: glyphs.repertoire)
            where y < area.maxY {
                draw(String(line), x: area.x, y: y, style: text.style, maxWidth: area.width)
                y += 1
            }
        }
        return y
    }

    /// Draws runs in a row, scrolled sideways, with signs where they continue.
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

    /// Draws a row of the step panel. Its label stays in place while its value is scrolled sideways.
    mutating func drawScrolled(_ line: StepRowLine, in row: Rect, sideways: Int) {
        let (head, body) = line.pinned(to: row.width, repertoire: glyphs.repertoire)
        let columns = draw(head, x: row.x, y: row.y, maxWidth: row.width)
        drawScrolled(body, in: row.splitLeft(columns).rest, sideways: sideways)
    }

    /// Shows how far a list is scrolled, in the edge of the frame to its right.
    mutating func scrollBar(besides area: Rect, top: Int, count: Int, isFocused: Bool) {
        let height = area.height
        guard count > height, height > 1 else { return }
        let length = max(1, height * height / count)
        let start = min(height - length, top * (height - length) / max(1, count - height))
        for row in start..<(start + length) {
            draw(glyphs.scrollThumb, x: area.maxX, y: area.minY + row, style: .frame(isFocused: isFocused))
        }
    }

    /// Highlights the matches of a search in a row that has been drawn.
    mutating func highlight(_ search: TextSearch?, in row: Rect, isCurrent: Bool) {
        guard let search, !search.isEmpty, !row.isEmpty, bounds.contains(x: row.x, y: row.y) else { return }
        var text: [UInt8] = []
        var columns: [Int] = []
        for x in row.minX..<min(row.maxX, width) {
            text += self[x, row.y].text.utf8
            columns += Array(repeating: x, count: text.count - columns.count)
        }
        let role: Style = isCurrent ? .searchCurrent : .searchMatch
        for range in search.ranges(in: text) {
            let first = columns[range.lowerBound]
            var last = columns[range.upperBound - 1]
            if last + 1 < width, self[last + 1, row.y].isContinuation { last += 1 }
            restyle(Rect(x: first, y: row.y, width: last - first + 1, height: 1)) { $0 = role.with($0.modifiers) }
        }
    }

    /// Marks the selected row.
    mutating func select(_ row: Rect, isFocused: Bool) {
        restyle(row) { $0.modifiers.insert(isFocused ? .selected : .selectedUnfocused) }
    }
}
