import DisplayText
import MigrationCore
import MigrationWorker

/// The chain, and below its broken link the kind of error.
enum ChainScreen {
    static func draw(_ shown: ShownDocument, _ layout: Layout, on canvas: inout Canvas) {
        let area = layout.chain
        let room = area.inset(dx: Layout.chainMargin, dy: 0)
        guard !shown.trace.versions.isEmpty, let line = layout.chainLine else {
            return drawHeadline(shown.trace, room, on: &canvas)
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

    /// Dropped fields and warnings, at every step: the overview, which lists them, may not be on the screen.
    private static func drawRemarks(
        _ shown: ShownDocument, _ room: Rect, from start: Int, on canvas: inout Canvas
    ) {
        guard shown.stop > 0, let text = shown.trace.remarks else { return }
        let isLoss = !shown.trace.dropped.isEmpty && shown.trace.leftOver != nil
        let runs = [StyledText("\(isLoss ? canvas.glyphs.loss : canvas.glyphs.warning) \(text)", .warning)]
        let columns = TextWidth.columns(of: runs, repertoire: canvas.glyphs.repertoire)
        // After the kind of error, the remarks are shown whole or not at all.
        guard start == room.x || start + columns <= room.maxX else { return }
        canvas.draw(runs, x: start, y: room.y + 1, maxWidth: room.maxX - start, overflow: .ellipsis)
    }

    /// Draws the kind of error below the broken link, and returns the column behind it.
    private static func drawFailure(
        _ shown: ShownDocument, _ line: ChainLine, _ room: Rect, on canvas: inout Canvas
    ) -> Int {
        guard let failure = shown.trace.failure else { return room.x }
        // Where no version fits there is no place in the chain to point at.
        let failed = (line.failureColumn == nil ? canvas.glyphs.failed + " " : "") + failure.kind.rawValue
        let (text, style): (String, Style) = shown.running == nil ? (failed, .failed) : (WorkerProgress.word, .progress)
        let column = line.failureColumn ?? 0
        let x = room.x + column - line.scroll - text.count / 2
        let left = max(room.x, min(x, room.maxX - text.count))
        let used = canvas.draw(
            text, x: left, y: room.y + 1, style: style, maxWidth: room.maxX - left, overflow: .ellipsis)
        return left + used + 2
    }

    /// Shown in place of a chain: why there is none.
    private static func drawHeadline(_ trace: MigrationTrace, _ room: Rect, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        let sign =
            switch trace.outcome {
            case .unreadable: glyphs.unreadable + " "
            case .failed: glyphs.failed + " "
            case .unrecognized: glyphs.unrecognized + " "
            case .current, .migrated: ""
            }
        canvas.draw(
            [StyledText(sign + trace.headline, trace.outcome.style)], x: room.x, y: room.y, maxWidth: room.width,
            overflow: .ellipsis)
    }
}
