import DisplayText
import MigrationCore

/// The chain, and below its broken link the kind of error.
enum ChainScreen {
    /// Room at both sides, also for the signs that the line goes on.
    private static let margin = 3

    static func draw(_ inspector: Inspector, _ area: Rect, on canvas: inout Canvas) {
        guard let inspection = inspector.inspection, let trace = inspection.trace else { return }
        let room = area.inset(dx: margin, dy: 0)
        guard !trace.versions.isEmpty else {
            return drawHeadline(trace, isEmpty: inspection.unparsedSource?.count == 0, room, on: &canvas)
        }
        let line = ChainLine(inspection, width: room.width, glyphs: canvas.glyphs)
        canvas.clipped(to: room) { canvas in
            for piece in line.pieces { canvas.draw(piece.runs, x: room.x + piece.x - line.scroll, y: room.y) }
        }
        if line.scroll > 0 { canvas.draw(canvas.glyphs.continuesLeft, x: area.x + 1, y: room.y, style: .dim) }
        if line.width - line.scroll > room.width {
            canvas.draw(canvas.glyphs.continuesRight, x: area.maxX - 2, y: room.y, style: .dim)
        }
        guard area.height > 1 else { return }
        let used = drawFailure(inspection, line, room, on: &canvas)
        drawRemarks(inspection, trace, room, from: used, on: &canvas)
    }

    /// What nobody read and what to know besides, at every step: the overview, which lists it, may not be seen.
    private static func drawRemarks(
        _ inspection: Inspection, _ trace: MigrationTrace, _ room: Rect, from start: Int, on canvas: inout Canvas
    ) {
        guard inspection.stop > 0, let text = remarks(trace) else { return }
        let runs = [StyledText("\(canvas.glyphs.attention) \(text)", .warning)]
        let columns = TextWidth.columns(of: runs, repertoire: canvas.glyphs.repertoire)
        // Behind the kind of error there is room for all of it or for none.
        guard start == room.x || start + columns <= room.maxX else { return }
        canvas.draw(runs, x: start, y: room.y + 1, maxWidth: room.maxX - start, overflow: .ellipsis)
    }

    private static func remarks(_ trace: MigrationTrace) -> String? {
        var words: [String] = []
        if let first = trace.dropped.first {
            let others = trace.dropped.count - 1
            words.append("dropped: \(first)" + (others > 0 ? " and \(ValueText.grouped(others)) more" : ""))
        }
        let warnings = trace.warnings.count
        if warnings > 0 { words.append(warnings == 1 ? "1 warning" : "\(ValueText.grouped(warnings)) warnings") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// Gives the column behind it.
    private static func drawFailure(
        _ inspection: Inspection, _ line: ChainLine, _ room: Rect, on canvas: inout Canvas
    ) -> Int {
        guard let failure = inspection.trace?.failure else { return room.x }
        // Where no version fits there is no place in the chain to point at.
        let text = (line.failureColumn == nil ? canvas.glyphs.failed + " " : "") + failure.kind.rawValue
        let column = line.failureColumn ?? 0
        let x = room.x + column - line.scroll - text.count / 2
        let left = max(room.x, min(x, room.maxX - text.count))
        let used = canvas.draw(
            text, x: left, y: room.y + 1, style: .failed, maxWidth: room.maxX - left, overflow: .ellipsis)
        return left + used + 2
    }

    /// In place of a chain: why there is none.
    private static func drawHeadline(
        _ trace: MigrationTrace, isEmpty: Bool, _ room: Rect, on canvas: inout Canvas
    ) {
        let glyphs = canvas.glyphs
        let headline =
            switch (trace.outcome, trace.failure?.kind) {
            case (.unreadable, _): StyledText("\(glyphs.attention) could not be read", .failed)
            case (_, .malformed?) where isEmpty: StyledText("\(glyphs.failed) empty: there is nothing in it", .failed)
            case (_, .malformed?): StyledText("\(glyphs.failed) malformed: the text is not a document", .failed)
            case (.unrecognized, _): StyledText("\(glyphs.unrecognized) no chain claims this document", .warning)
            default: StyledText(trace.outcome.rawValue, trace.outcome.isProblem ? .failed : .succeeded)
            }
        canvas.draw([headline], x: room.x, y: room.y, maxWidth: room.width, overflow: .ellipsis)
    }

    /// The stop that a click in the chain leads to.
    static func stop(at x: Int, _ inspector: Inspector, _ area: Rect, _ glyphs: Glyphs) -> Int? {
        guard let inspection = inspector.inspection else { return nil }
        let room = area.inset(dx: margin, dy: 0)
        let line = ChainLine(inspection, width: room.width, glyphs: glyphs)
        let column = x - room.x + line.scroll
        return line.pieces.first { $0.x <= column && column < $0.x + $0.width }?.stop
    }
}
