import DisplayText
import DocumentModel
import MigrationCore

extension StepView {
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas) {
        StepScreen.draw(inspector, inspector.layout[panel], on: &canvas)
    }
}

/// A step with its changes or its failure, the overview, or the value at the stop.
enum StepScreen {
    static func draw(_ inspector: Inspector, _ area: Layout.Area, on canvas: inout Canvas) {
        guard let shown = inspector.shown else { return }
        let isFocused = inspector.focus == .step
        let title = title(inspector, shown, canvas.glyphs) + DetailScreen.zoomedName(inspector)
        let shownTitle = canvas.panelTitle(title, isFocused: isFocused)
        canvas.panel(
            area, title: title,
            trailing: trailing(inspector, shown, room: canvas.trailingRoom(in: area.frame.width, beside: shownTitle)),
            isFocused: isFocused)
        let rows = inspector.layout.rows(of: .step)
        for (line, y) in zip(inspector.layout.preamble.lines, area.content.minY..<rows.minY) {
            canvas.draw(line, x: rows.x + 1, y: y, maxWidth: rows.width - 2, overflow: .ellipsis)
        }
        if let value = shown.value {
            ValueScreen.draw(value, rows, search: inspector.search, isFocused: isFocused, on: &canvas)
        } else if inspector.jobs[.step] != nil {
            guard inspector.showsWaiting else { return }
            let words =
                shown.awaitedStep == nil ? "comparing" : "running the step again: it was too large to keep"
            let text = "\(canvas.glyphs.spinner(inspector.spinner)) \(words)"
            canvas.draw(text, x: rows.x + 1, y: rows.y, style: .progress, maxWidth: rows.width - 1)
        } else {
            draw(shown.step, rows, inspector, isFocused: isFocused, on: &canvas)
        }
    }

    // MARK: Title

    private static func title(
        _ inspector: Inspector, _ shown: ShownDocument, _ glyphs: Glyphs
    ) -> [StyledText] {
        let here = shown.versionHere.map { "\($0.version)\($0.type.map { " \($0)" } ?? "")" }
        if shown.value != nil {
            return [StyledText("Value", .title)] + (here.map { [StyledText(" at \($0)", .dim)] } ?? [])
        }
        if let compared = shown.compared, compared.isNeighbor {
            if let since = inspector.unchangedSince {
                let migrated = compared.isMigrated ? ", as migrated" : ""
                return [
                    StyledText("Last changed in \(since)", .title),
                    StyledText(" from \(compared.title)\(migrated); the same since then", .title),
                ]
            }
            return [StyledText("Changed from \(compared.title)\(compared.isMigrated ? ", as migrated" : "")", .title)]
        }
        if let compared = shown.compared { return [StyledText("Compared with \(compared.title)", .title)] }
        if let timeline = inspector.timeline, let position = inspector.timelinePosition {
            if let unchanged = timeline.unchanged, unchanged.state == shown.document {
                if timeline.awaited != nil { return [StyledText("Looking for the last change", .progress)] }
                let states = unchanged.count == 1 ? "the state" : "the \(unchanged.count) states"
                return [StyledText("Nothing differs from \(states) before", .title)]
            }
            if shown.whole.outcome == .deleted, position > 0 {
                return [StyledText("Deleted here; [ goes to the state before", .title)]
            }
            let before = timeline.state(at: position - 1).flatMap { timeline[$0] }
            let document = timeline.isMigrated ? shown.whole.result : shown.whole.document
            let isRead = if case .unreadable? = before { false } else { document != nil }
            let why =
                isRead ? "" : ", since there are not two states to compare\(timeline.isMigrated ? " that migrate" : "")"
            let revision = inspector.documents[shown.document]?.revision
            let first =
                revision?.isAtBorder == true
                ? "The first state in this clone ('git fetch --unshallow' gets earlier ones)"
                : revision?.unsearchedRenames == nil ? "The first state" : "The first state found"
            return [StyledText(position == 0 ? first : "Overview\(why)", .title)]
        }
        if let first = shown.trace.steps.first, let last = shown.trace.steps.last, shown.isWholeWay {
            return [StyledText("All steps \(first.from) \(glyphs.arrow) \(last.to)", .title)]
        }
        if let step = shown.shownStep { return [StyledText("Step \(step.from) \(glyphs.arrow) \(step.to)", .title)] }
        // The chain broke before its first step, when the document was read as the version that it states.
        guard let failure = shown.failureHere, failure.kind != .unsupportedVersion, failure.kind != .malformed,
            shown.trace.parts.isEmpty, let here
        else { return [StyledText("Overview", .title)] }
        return [StyledText("Reading as \(here)", .title)]
    }

    /// - Parameter room: The columns beside the title.
    private static func trailing(_ inspector: Inspector, _ shown: ShownDocument, room: Int) -> [StyledText] {
        if let playback = inspector.playback {
            let separator = inspector.glyphs.separator
            let count = "\(playback.beat) of \(playback.beats.count) changes \(separator) \(playback.pace.words)"
            return [StyledText(playback.isPaused ? "waiting" : "playing", .progress), StyledText(" \(count)", .dim)]
        }
        if let value = shown.value { return [StyledText(value.selectedPath.shown.description, .dim)] }
        if shown.running != nil, shown.failureHere != nil { return [StyledText(RunProgress.word, .progress)] }
        let steps = shown.isWholeWay ? shown.trace.steps : [shown.shownStep].compactMap(\.self)
        if shown.compared != nil {
            guard case .difference(_, let summary, _) = shown.step.content else { return [] }
            return [words(summary, .label, room: room, inspector.glyphs)]
        }
        guard let step = steps.last else {
            let outcome = shown.trace.outcome
            return [StyledText(outcome == .current ? "already current" : outcome.rawValue, outcome.style)]
        }
        switch step.ending {
        case .failed: return [StyledText("failed", .failed)]
        case .madeUnencodable(let reason):
            return [StyledText(reason.unwrittenWords, .warning)]
        case .made, .checked: break
        }
        let time = NumberWords.seconds(steps.reduce(0) { $0 + $1.seconds })
        guard case .difference(_, let summary, _) = shown.step.content else { return [StyledText(time, .dim)] }
        let separator = " \(inspector.glyphs.separator) "
        let shownTime = inspector.repertoire == .unicode ? time : time.replacing("\u{B5}", with: "u")
        let style: Style = summary.counts[.failed] != nil ? .failed : .label
        return [
            words(summary, style, room: room, inspector.glyphs), StyledText(separator + shownTime, .dim),
        ]
    }

    /// Returns the changes in words, or as signs if there is no room for the words.
    private static func words(
        _ summary: DifferenceRows.Summary, _ style: Style, room: Int, _ glyphs: Glyphs
    ) -> StyledText {
        let fits = TextWidth.columns(of: summary.text, repertoire: glyphs.repertoire) <= room
        return StyledText(fits ? summary.text : summary.signs(glyphs), style)
    }

    // MARK: Rows

    private static func draw(
        _ step: StepView, _ area: Rect, _ inspector: Inspector, isFocused: Bool, on canvas: inout Canvas
    ) {
        for (line, index) in step.position.visible(count: step.rows.count, height: area.height).enumerated() {
            let rect = area.row(line)
            let hasHappened = inspector.playback?.hasHappened(index) ?? true
            // The result of a change that has not happened yet is not shown.
            if let row = hasHappened ? step.rows[index] : step.rows[index].beforehand {
                draw(row, step, rect, inspector, on: &canvas)
            }
            let isSelected = index == step.position.selected
            canvas.highlight(inspector.search, in: rect, isCurrent: isSelected && isFocused)
            if isSelected, isFocused { canvas.select(rect, isFocused: true) }
        }
        if let flight = inspector.playback?.flight { draw(flight, step, area, on: &canvas) }
        canvas.scrollBar(besides: area, top: step.position.top, count: step.rows.count, isFocused: isFocused)
    }

    private static func draw(
        _ row: StepRow, _ step: StepView, _ rect: Rect, _ inspector: Inspector, on canvas: inout Canvas
    ) {
        if step.isSideBySide { return drawSideBySide(row, rect, sideways: step.sideways, on: &canvas) }
        let content = StepRowLine(
            row, glyphs: canvas.glyphs, width: rect.width, sideways: step.sideways,
            saysMessage: inspector.layout.preamble.isMessageInRow)
        canvas.drawScrolled(content, in: rect.inset(dx: 1, dy: 0), sideways: step.sideways)
    }

    /// Draws a value on its way from the row of its origin to its new row.
    private static func draw(
        _ flight: (from: Int, to: Int, share: Double), _ step: StepView, _ area: Rect, on canvas: inout Canvas
    ) {
        guard step.rows.indices.contains(flight.from), step.rows.indices.contains(flight.to) else { return }
        let source = step.rows[flight.from].beforehand ?? step.rows[flight.from]
        let line = StepRowLine(source, glyphs: canvas.glyphs, width: area.width)
        let (head, body) = line.pinned(to: area.width, repertoire: canvas.glyphs.repertoire)
        let way = Double(flight.to - flight.from) * flight.share
        let y = area.y + flight.from - step.position.top + Int(way.rounded())
        guard y >= area.minY, y < area.maxY, Int(way.rounded()) != 0 else { return }
        let x = area.x + 1 + TextWidth.columns(of: head, repertoire: canvas.glyphs.repertoire)
        let text = body.map { StyledText($0.text, .moved) }
        // The value hides the content of the rows that it passes.
        canvas.clear(Rect(x: x, y: y, width: area.maxX - x - 1, height: 1))
        canvas.draw(text, x: x, y: y, maxWidth: area.maxX - x - 1, overflow: .ellipsis)
    }

    private static func drawSideBySide(_ row: StepRow, _ rect: Rect, sideways: Int, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        if case .text(let runs) = row.body, row.label == nil {
            canvas.draw(runs, x: rect.x + StepRow.gutter, y: rect.y, maxWidth: rect.width - StepRow.gutter)
            return
        }
        let (left, right) = rect.splitLeft(rect.width / 2)
        for (side, half) in [(StepRow.Side.old, left), (.new, right)] where row.isShown(on: side) {
            let content = StepRowLine(row, glyphs: glyphs, width: half.width, sideways: sideways, side: side)
            canvas.drawScrolled(content, in: half.inset(dx: 1, dy: 0), sideways: sideways)
        }
        canvas.draw(glyphs.verticalLine, x: right.x, y: rect.y, style: .border)
    }
}
