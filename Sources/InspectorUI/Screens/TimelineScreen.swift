import DisplayText
import DocumentModel
import MigrationCore

/// The states of a timeline and details about the current one, in place of the chain.
enum TimelineScreen {
    static func draw(_ inspector: Inspector, _ timeline: Timeline, on canvas: inout Canvas) {
        let area = inspector.layout.chain
        guard let line = inspector.layout.timelineLine, !area.isEmpty else { return }
        let room = area.inset(dx: Layout.chainMargin, dy: 0)
        let facts = facts(inspector, timeline, canvas.glyphs)
        // The signs are drawn over these lines.
        for side in timeline.sides.all where line.pitch > 1 && line.row(ofSide: side.row) != .states {
            draw(side, line, area, room, on: &canvas)
        }
        for (row, y) in zip(line.rows, area.minY..<area.maxY) {
            switch row {
            case .versions: drawVersions(line, room, y: y, on: &canvas)
            case .states, .sides: drawSigns(line, row, room, y: y, on: &canvas)
            case .turns: drawTurns(line, room, y: y, on: &canvas)
            case .followed: drawLevels(line, room, y: y, on: &canvas)
            case .axis: drawAxis(line, room, y: y, on: &canvas)
            case .window: drawWindow(line, area, room, y: y, on: &canvas)
            case .name, .outcome:
                guard let text = row == .name ? facts.first : facts.dropFirst().first else { continue }
                canvas.draw(text, x: room.x, y: y, maxWidth: room.width, overflow: .ellipsis)
            }
        }
    }

    // MARK: The whole history

    private static func drawVersions(_ line: TimelineLine, _ room: Rect, y: Int, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        for band in line.bands {
            let style: Style = band.isHere ? .current : .label
            guard let name = band.name else {
                canvas.draw(glyphs.verticalLine, x: room.x + band.x, y: y, style: style)
                continue
            }
            let used = canvas.draw(name, x: room.x + band.x, y: y, style: style)
            guard used < band.width else { continue }
            let rest = String(repeating: glyphs.horizontalLine, count: band.width - used)
            canvas.draw(rest, x: room.x + band.x + used, y: y, style: .border)
        }
    }

    private static func drawSigns(
        _ line: TimelineLine, _ row: TimelineLine.Row, _ room: Rect, y: Int, on canvas: inout Canvas
    ) {
        var last: TimelineLine.Column?
        for column in line.columns {
            guard let sign = line.sign(of: column, in: row) else { continue }
            if let last, line.pitch > 1, row == .states {
                // Leave room for the brackets around the current state.
                let start = last.x + (last.isHere ? 2 : 1)
                let count = max(0, column.x - start - (column.isHere ? 1 : 0))
                let link = String(repeating: canvas.glyphs.horizontalLine, count: count)
                canvas.draw(link, x: room.x + start, y: y, style: .border)
            }
            last = column
            draw(sign, x: room.x + column.x, y: y, isHere: column.isHere, hasRoom: line.pitch > 1, on: &canvas)
        }
    }

    /// The current state has brackets, which mark it even without colors or reversed cells.
    private static func draw(
        _ sign: StateSign, x: Int, y: Int, isHere: Bool, hasRoom: Bool, on canvas: inout Canvas
    ) {
        canvas.draw([sign.drawn(canvas.glyphs)], x: x, y: y)
        guard isHere else { return }
        if hasRoom {
            canvas.draw("[", x: x - 1, y: y, style: .current)
            canvas.draw("]", x: x + 1, y: y, style: .current)
        }
        canvas.select(Rect(x: x, y: y, width: 1, height: 1), isFocused: true)
    }

    /// Draws the line of a side, from the state that it comes from to the one that it is merged into.
    private static func draw(
        _ side: TimelineSides.Side, _ line: TimelineLine, _ area: Rect, _ room: Rect, on canvas: inout Canvas
    ) {
        guard let states = line.rows.firstIndex(of: .states),
            let row = line.rows.firstIndex(of: line.row(ofSide: side.row)), area.y + row < area.maxY
        else { return }
        let style = Style.border
        let stops = ([side.from] + side.states + [side.into]).compactMap(\.self)
        let y = area.y + row
        for (start, end) in zip(stops, stops.dropFirst()) where start < end {
            for x in (line.columns[start].x + 1)..<line.columns[end].x {
                canvas.putLine([.left, .right], x: room.x + x, y: y, style: style)
            }
        }
        for (end, arms) in [(side.from, LineArms.right), (side.into, .left)] {
            guard let end else { continue }
            let x = room.x + line.columns[end].x
            canvas.putLine([.up, arms], x: x, y: y, style: style)
            for above in (area.y + states + 1)..<max(area.y + states + 1, y) {
                canvas.putLine([.up, .down], x: x, y: above, style: style)
            }
        }
    }

    private static func drawTurns(_ line: TimelineLine, _ room: Rect, y: Int, on canvas: inout Canvas) {
        for column in line.columns where column.isTurn || column.isRenamed {
            let mark = column.isRenamed ? canvas.glyphs.moved : canvas.glyphs.caret
            canvas.draw(mark, x: room.x + column.x, y: y, style: column.isRenamed ? .moved : .changed)
        }
    }

    private static func drawLevels(_ line: TimelineLine, _ room: Rect, y: Int, on canvas: inout Canvas) {
        for (index, column) in line.columns.enumerated() {
            guard line.levels.indices.contains(index), let level = line.levels[index] else {
                // A value that is not a number has no chart.
                guard line.changes.contains(index) else { continue }
                canvas.draw(
                    canvas.glyphs.bullet, x: room.x + column.x, y: y, style: column.isHere ? .current : .changed)
                continue
            }
            // A value lasts until the next state.
            let width = column.x == line.columns.last?.x ? 1 : line.pitch
            let bar = String(repeating: canvas.glyphs.levels[level], count: width)
            canvas.draw(bar, x: room.x + column.x, y: y, style: column.isHere ? .current : .number)
        }
    }

    private static func drawAxis(_ line: TimelineLine, _ room: Rect, y: Int, on canvas: inout Canvas) {
        for label in line.axis.labels {
            let arms: LineArms = label.isRightAligned ? [.up, .left] : [.up, .right]
            let corner = StyledText(canvas.glyphs.lines[Int(arms.rawValue)], .border)
            let text = StyledText(label.text, .dim)
            canvas.draw(
                label.isRightAligned ? [text, corner] : [corner, text], x: room.x + label.x, y: y,
                maxWidth: room.width - label.x)
        }
    }

    // MARK: The current state

    private static func drawWindow(
        _ line: TimelineLine, _ area: Rect, _ room: Rect, y: Int, on canvas: inout Canvas
    ) {
        for cell in line.window {
            draw(cell.sign, x: room.x + cell.x, y: y, isHere: cell.isHere, hasRoom: true, on: &canvas)
        }
        if line.goesOn.left { canvas.draw(canvas.glyphs.continuesLeft, x: area.x + 1, y: y, style: .dim) }
        if line.goesOn.right { canvas.draw(canvas.glyphs.continuesRight, x: area.maxX - 2, y: y, style: .dim) }
    }

    /// Returns the name of the current state and its outcome.
    private static func facts(_ inspector: Inspector, _ timeline: Timeline, _ glyphs: Glyphs) -> [[StyledText]] {
        guard let id = inspector.inspection?.document, let document = inspector.documents[id] else { return [] }
        var name = [StyledText(timeline.name(of: document), .title)]
        if let revision = document.revision {
            name = [StyledText("\(revision.day) \(revision.shortCommit)", .title)]
            // What follows may be cut, and this is about what the next line says.
            if revision.isOnSide { name.append(StyledText("  on a side", .dim)) }
            name.append(StyledText("  \(revision.author): \(revision.subject)"))
            let paths = timeline.statesBefore(id).compactMap { inspector.documents[$0]?.revision?.path }
            if let path = paths.first, !paths.contains(revision.path) {
                name.append(StyledText("  was \(path)", .moved))
            }
            if revision.unsearchedRenames != nil {
                name.append(StyledText("  may have had another name before", .warning))
            }
        } else if timeline.isHistory {
            name = [StyledText("now", .title), StyledText("  \(document.displayName) as it is on the disk")]
        }
        if timeline.isMigrated { name.append(StyledText("  as migrated", .changed)) }
        // The list only knows the document on the disk.
        if let shown = inspector.shown, inspector.whatIf?.edits.isEmpty == false {
            let result = CheckResult(shown.whole)
            let sign = StateSign.text(result, glyphs)
            return [
                name,
                [sign, StyledText(" ")] + VersionSummary.runs(result, repertoire: glyphs.repertoire)
                    + [
                        StyledText(
                            "  what if: \(result.failure?.shown.messageWithPath ?? result.outcome.rawValue)", .changed)
                    ],
            ]
        }
        guard let result = inspector.documents.result(of: id) else { return [name] }
        let sign = StateSign.text(result, glyphs)
        var words = [sign, StyledText(" ")] + VersionSummary.runs(result, repertoire: glyphs.repertoire)
        words += (inspector.turns(in: id) ?? []).map {
            StyledText("  \(glyphs.bullet) \($0.words) since here", .changed)
        }
        let outcome = result.observed?.shownWords ?? result.failure?.shown.messageWithPath ?? result.outcome.rawValue
        words.append(StyledText("  \(outcome)", sign.style))
        return [name, words]
    }
}
