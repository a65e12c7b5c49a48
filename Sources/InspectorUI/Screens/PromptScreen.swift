import DisplayText

/// The text being typed, in the last line.
extension Prompt {
    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas) {
        let row = inspector.layout.hints
        canvas.clear(row)
        if let completions { Self.draw(completions, row, on: &canvas) }
        let label = problem.map { $0 + "  " } ?? purpose.label + ": "
        let repertoire = canvas.glyphs.repertoire
        var x = row.x + 1
        x += canvas.draw(
            label, x: x, y: row.y, style: problem == nil ? .label : .failed, maxWidth: row.width * 2 / 3,
            overflow: .ellipsis)
        let room = row.maxX - x - 2
        // The cursor is always visible, and the text before it takes precedence.
        var shown = field.before.suffix(max(0, room))
        while TextWidth.columns(of: String(shown), repertoire: repertoire) > room, !shown.isEmpty {
            shown = shown.dropFirst()
        }
        x += canvas.draw(String(shown), x: x, y: row.y, style: .input, maxWidth: max(0, room))
        canvas.cursor = Point(x: min(x, max(0, canvas.width - 1)), y: row.y)
        x += canvas.draw(field.after, x: x, y: row.y, style: .input, maxWidth: max(0, row.maxX - x - 2))
        let hint = BottomLine.items(inspector, width: row.width, repertoire).map { "\($0.keys) \($0.word)" }
            .joined(separator: "  ")
        let hintX = row.maxX - 1 - TextWidth.columns(of: hint)
        if hintX > x + 2 { canvas.draw(hint, x: hintX, y: row.y, style: .hintText) }
    }

    /// Draws the completions in the row above. The selected one is always among them.
    private static func draw(_ completions: PathCompletions, _ row: Rect, on canvas: inout Canvas) {
        guard row.y > 0 else { return }
        let line = Rect(x: row.x, y: row.y - 1, width: row.width, height: 1)
        canvas.clear(line)
        let repertoire = canvas.glyphs.repertoire
        let labels = completions.names.map { DisplayText(String(PathCompletions.label(of: $0))).string }
        let room = line.width - 2
        func columns(_ range: Range<Int>) -> Int {
            labels[range].reduce(0) { $0 + TextWidth.columns(of: $1, repertoire: repertoire) + 2 }
        }
        // Start as far left as the selected name allows.
        var first = 0
        while let selected = completions.selected, first < selected, columns(first..<selected + 1) > room - 2 {
            first += 1
        }
        var x = line.x + 1
        if first > 0 { x += canvas.draw("\(canvas.glyphs.ellipsis) ", x: x, y: line.y, style: .hintText) }
        for (index, label) in labels.enumerated().dropFirst(first) {
            let width = TextWidth.columns(of: label, repertoire: repertoire)
            guard x + width <= line.maxX - 3 || index == completions.selected else {
                canvas.draw(canvas.glyphs.ellipsis, x: x, y: line.y, style: .hintText)
                break
            }
            let style: Style = index == completions.selected ? .input : .hintText
            x += canvas.draw(label, x: x, y: line.y, style: style, maxWidth: max(0, line.maxX - x - 1)) + 2
        }
    }
}
