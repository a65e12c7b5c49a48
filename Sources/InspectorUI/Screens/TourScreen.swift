import DisplayText

/// The text of the tour, in a separate panel below the others.
enum TourScreen {
    static func draw(_ view: TourView, _ inspector: Inspector, on canvas: inout Canvas) {
        let frame = inspector.layout.tour
        guard !frame.isEmpty else { return }
        canvas.clear(frame)
        let count = "stop \(view.number + 1) of \(view.tour.stops.count)"
        canvas.box(
            frame, title: [StyledText("Tour", .current), StyledText("  \(view.stop.title)", .title)],
            trailing: [StyledText(count, .dim)], style: .border)
        let area = frame.inset(dx: 2, dy: 1)
        var lines = [StyledText(view.stop.text)]
        if let task = view.stop.task {
            let sign = view.isDone ? canvas.glyphs.succeeded : canvas.glyphs.arrow
            lines.append(StyledText("\(sign) \(task)", view.isDone ? .succeeded : .current))
        }
        canvas.drawWrapped(lines, in: area)
        let on = !view.canGo(by: 1) ? "end" : view.isDone ? "next" : "skip"
        let keys = [(".", on)] + (view.canGo(by: -1) ? [(",", "back")] : []) + [("T", "leave")]
        let words = keys.flatMap { key, word in
            [
                StyledText(" \(key)", .hintKey),
                StyledText(" \(word) ", view.isDone && key == "." ? .current : .hintText),
            ]
        }
        let columns = TextWidth.columns(of: words, repertoire: canvas.glyphs.repertoire)
        canvas.draw(words, x: max(frame.x + 2, frame.maxX - columns - 2), y: frame.maxY - 1, maxWidth: frame.width - 3)
    }
}
