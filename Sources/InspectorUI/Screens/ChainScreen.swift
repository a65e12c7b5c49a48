import DisplayText
import MigrationCore

/// The chain, with the kind of error below its broken link.
enum ChainScreen {
    /// - Parameter observed: The version observed in a document of no chain; nil if there is none.
    static func draw(
        _ shown: ShownDocument, observed: ObservedVersion?, _ layout: Layout, on canvas: inout Canvas
    ) {
        let area = layout.chain
        let room = area.inset(dx: Layout.chainMargin, dy: 0)
        guard !shown.trace.versions.isEmpty, let line = layout.chainLine else {
            return drawHeadline(shown.trace, observed, room, on: &canvas)
        }
        canvas.clipped(to: room) { canvas in
            for piece in line.pieces { canvas.draw(piece.runs, x: room.x + piece.x - line.scroll, y: room.y) }
        }
        if line.scroll > 0 { canvas.draw(canvas.glyphs.continuesLeft, x: area.x + 1, y: room.y, style: .dim) }
        if line.width - line.scroll > room.width {
            canvas.draw(canvas.glyphs.continuesRight, x: area.maxX - 2, y: room.y, style: .dim)
        }
        guard area.height > 1 else { return }
        let used = drawFailure(shown, line, room, on: &canvas)
        drawRemarks(shown, room, from: used, on: &canvas)
    }

    /// Draws dropped fields and warnings at every step, since the overview, which lists them, may not be on the
    /// screen.
    private static func drawRemarks(
        _ shown: ShownDocument, _ room: Rect, from start: Int, on canvas: inout Canvas
    ) {
        guard shown.stop > 0, let text = shown.trace.remarks else { return }
        let isLoss = !shown.trace.dropped.isEmpty && shown.trace.leftOver != nil
        let runs = [StyledText("\(isLoss ? canvas.glyphs.loss : canvas.glyphs.warning) \(text)", .warning)]
        let columns = TextWidth.columns(of: runs, repertoire: canvas.glyphs.repertoire)
        // Remarks that follow the kind of error are either shown in full or left out.
        guard start == room.x || start + columns <= room.maxX else { return }
        canvas.draw(runs, x: start, y: room.y + 1, maxWidth: room.maxX - start, overflow: .ellipsis)
    }

    /// Draws the kind of error below the broken link, and returns the column after it.
    private static func drawFailure(
        _ shown: ShownDocument, _ line: ChainLine, _ room: Rect, on canvas: inout Canvas
    ) -> Int {
        guard let failure = shown.trace.failure else { return room.x }
        // If no version fits, there is no point in the chain to mark.
        let failed = (line.failureColumn == nil ? canvas.glyphs.failed + " " : "") + failure.kind.rawValue
        // The author's message, below, is what people read first.
        let (text, style): (String, Style) = shown.running == nil ? (failed, .dim) : (RunProgress.word, .progress)
        let column = line.failureColumn ?? 0
        let x = room.x + column - line.scroll - text.count / 2
        let left = max(room.x, min(x, room.maxX - text.count))
        let used = canvas.draw(
            text, x: left, y: room.y + 1, style: style, maxWidth: room.maxX - left, overflow: .ellipsis)
        return left + used + 2
    }

    /// Draws the reason why there is no chain, in its place.
    private static func drawHeadline(
        _ trace: MigrationTrace, _ observed: ObservedVersion?, _ room: Rect, on canvas: inout Canvas
    ) {
        let isSigned = trace.outcome.isProblem || trace.outcome == .deleted
        let sign = isSigned ? StepRow.Sign(trace.outcome).drawn(canvas.glyphs).text + " " : ""
        canvas.draw(
            [StyledText(sign + trace.headline, trace.outcome.style)], x: room.x, y: room.y, maxWidth: room.width,
            overflow: .ellipsis)
        guard let observed, trace.outcome == .unrecognized, room.height > 1 else { return }
        let version = observed.path == nil ? "" : "version \(observed.version) "
        canvas.draw(
            [StyledText(version, .label), StyledText(observed.shownWords, .dim)], x: room.x, y: room.y + 1,
            maxWidth: room.width, overflow: .ellipsis)
    }
}
