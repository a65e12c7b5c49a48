import DisplayText

/// Frames and lines. Lines that touch are joined: a rule from a box's left edge to its right edge ends with ├ and ┤.
extension Canvas {
    /// Draws a frame along the edge of the rectangle, with a title on the left of its top edge and a short text on
    /// the right. Does not change the inside, which is `rect.inset(1)`.
    ///
    /// A rectangle of one row becomes a horizontal line, and one of one column a vertical line.
    public mutating func box(
        _ rect: Rect, title: [StyledText] = [], trailing: [StyledText] = [], style: Style = .border
    ) {
        guard !rect.isEmpty else { return }
        verticalLine(x: rect.minX, y: rect.minY, length: rect.height, style: style)
        verticalLine(x: rect.maxX - 1, y: rect.minY, length: rect.height, style: style)
        rule(x: rect.minX, y: rect.maxY - 1, length: rect.width, style: style)
        rule(x: rect.minX, y: rect.minY, length: rect.width, title: title, trailing: trailing, style: style)
    }

    /// Draws a horizontal line with a title on its left and a short text on its right. If there is not enough room
    /// for both, the last runs of the text on the right are left out, then the title is shortened. If that would leave
    /// fewer than eight columns of it, the text on the right is left out.
    public mutating func rule(
        x: Int, y: Int, length: Int, title: [StyledText] = [], trailing: [StyledText] = [], style: Style = .border
    ) {
        guard length > 0 else { return }
        if length == 1 { return putLine([.left, .right], x: x, y: y, style: style) }
        for column in 0..<length {
            let arms: LineArms = column == 0 ? .right : column == length - 1 ? .left : [.left, .right]
            putLine(arms, x: x + column, y: y, style: style)
        }
        // A corner and a space on either side of each text: "┌ Title ──── 4/17 ┐".
        var room = length - 4
        let titleWidth = TextWidth.columns(of: title, repertoire: glyphs.repertoire)
        let besideTitle = trailingRoom(in: length, beside: title)
        var trailing = trailing[...]
        while trailing.count > 1, columns(of: trailing) > besideTitle { trailing.removeLast() }
        let trailingWidth = columns(of: trailing)
        let shortestTitle = min(titleWidth, 8)
        if trailingWidth > 0, room >= trailingWidth + (titleWidth > 0 ? shortestTitle + 3 : 0) {
            let start = x + length - 2 - trailingWidth
            draw(Array(trailing), x: start, y: y)
            draw(" ", x: start - 1, y: y, style: style)
            draw(" ", x: start + trailingWidth, y: y, style: style)
            room -= trailingWidth + 3
        }
        if titleWidth > 0, room > 0 {
            let used = draw(title, x: x + 2, y: y, maxWidth: room, overflow: .ellipsis)
            draw(" ", x: x + 1, y: y, style: style)
            draw(" ", x: x + 2 + used, y: y, style: style)
        }
    }

    /// Returns how many columns of a rule are left for the text on its right if its title is not shortened.
    func trailingRoom(in length: Int, beside title: [StyledText]) -> Int {
        let titleWidth = TextWidth.columns(of: title, repertoire: glyphs.repertoire)
        return length - 4 - (titleWidth > 0 ? titleWidth + 3 : 0)
    }

    private func columns(of runs: ArraySlice<StyledText>) -> Int {
        TextWidth.columns(of: Array(runs), repertoire: glyphs.repertoire)
    }

    public mutating func verticalLine(x: Int, y: Int, length: Int, style: Style = .border) {
        guard length > 0 else { return }
        if length == 1 { return putLine([.up, .down], x: x, y: y, style: style) }
        for row in 0..<length {
            let arms: LineArms = row == 0 ? .down : row == length - 1 ? .up : [.up, .down]
            putLine(arms, x: x, y: y + row, style: style)
        }
    }
}
