import DisplayText
import DocumentModel
import MigrationCore

/// One step: what it changed or what broke it; or the overview; or the value there.
enum StepScreen {
    static func draw(_ inspector: Inspector, _ area: Layout.Area, on canvas: inout Canvas) {
        guard let inspection = inspector.inspection, let trace = inspection.trace else { return }
        let isFocused = inspector.focus == .step
        canvas.panel(
            area, title: title(inspector, inspection, canvas.glyphs) + DetailScreen.zoomedName(inspector),
            trailing: trailing(inspector, inspection, trace),
            isFocused: isFocused)
        var rows = area.content
        let preamble = preamble(inspector, inspection, width: rows.width - 2, glyphs: canvas.glyphs)
        for line in preamble.prefix(max(0, rows.height - 1)) {
            canvas.draw(line, x: rows.x + 1, y: rows.y, maxWidth: rows.width - 2, overflow: .ellipsis)
            rows = rows.splitTop(1).rest
        }
        if inspector.showsValue, let value = inspection.value {
            ValueScreen.draw(value, rows, search: inspector.search, isFocused: isFocused, on: &canvas)
        } else if inspection.step.job != nil {
            guard inspector.ticksWaiting > 1 else { return }
            let spinner = canvas.glyphs.spinner[inspector.spinner % canvas.glyphs.spinner.count]
            canvas.draw("\(spinner) comparing", x: rows.x + 1, y: rows.y, style: .progress, maxWidth: rows.width - 1)
        } else {
            let saysMessage = isMessageShown(inspection, width: area.content.width - 2, glyphs: canvas.glyphs)
            draw(inspection.step, rows, inspector, saysMessage, isFocused: isFocused, on: &canvas)
        }
    }

    /// The rows that the lines above the step's own rows take.
    static func preambleHeight(_ inspector: Inspector, _ area: Rect) -> Int {
        guard let inspection = inspector.inspection else { return 0 }
        let glyphs = Glyphs.glyphs(for: inspector.repertoire)
        let lines = preamble(inspector, inspection, width: area.width - 2, glyphs: glyphs)
        return min(lines.count, max(0, area.height - 1))
    }

    // MARK: Title

    private static func title(_ inspector: Inspector, _ inspection: Inspection, _ glyphs: Glyphs) -> [StyledText] {
        if inspector.showsValue, inspection.value != nil {
            guard let here = inspection.versionHere else { return [StyledText("Value", .title)] }
            let type = here.type.map { " \($0)" } ?? ""
            return [StyledText("Value", .title), StyledText(" at \(here.version)\(type)", .dim)]
        }
        guard let step = inspection.shownStep else {
            // The chain broke before its first step: where the document is read as what it says it is.
            guard let failure = inspection.failureHere, failure.kind != .unsupportedVersion, failure.kind != .malformed,
                inspection.trace?.parts.isEmpty == true, let here = inspection.versionHere
            else { return [StyledText("Overview", .title)] }
            return [StyledText("Reading as \(here.version)\(here.type.map { " \($0)" } ?? "")", .title)]
        }
        return [StyledText("Step \(step.from) \(glyphs.arrow) \(step.to)", .title)]
    }

    private static func trailing(
        _ inspector: Inspector, _ inspection: Inspection, _ trace: MigrationTrace
    ) -> [StyledText] {
        if inspector.showsValue, let value = inspection.value {
            return [StyledText(value.selectedPath.description, .dim)]
        }
        guard let step = inspection.shownStep else {
            let style: Style =
                trace.outcome == .unrecognized ? .warning : trace.outcome.isProblem ? .failed : .succeeded
            return [StyledText(trace.outcome == .current ? "already current" : trace.outcome.rawValue, style)]
        }
        switch step.ending {
        case .failed: return [StyledText("failed", .failed)]
        case .madeUnencodable: return [StyledText("opens, but cannot be written", .warning)]
        case .made: break
        }
        let time = ValueText.seconds(step.seconds)
        guard let summary = inspection.step.summary else { return [StyledText(time, .dim)] }
        let separator = inspector.repertoire == .unicode ? " \u{B7} " : " - "
        let shownTime = inspector.repertoire == .unicode ? time : time.replacing("\u{B5}", with: "u")
        return [StyledText(summary.text, .label), StyledText(separator + shownTime, .dim)]
    }

    // MARK: Above the rows

    /// The author's note, and the failure's message where the row of the culprit has no room for it.
    private static func preamble(
        _ inspector: Inspector, _ inspection: Inspection, width: Int, glyphs: Glyphs
    ) -> [[StyledText]] {
        guard width > 8, !(inspector.showsValue && inspection.value != nil) else { return [] }
        var lines: [[StyledText]] = []
        // In a low panel the rows need the room.
        if let note = inspection.shownStep?.note, inspector.size.height > 14 {
            lines += wrap(note, to: width - 4, atMost: 2, glyphs: glyphs).map {
                [StyledText("    " + $0, .label)]
            }
        }
        if let failure = inspection.failureHere, !isMessageShown(inspection, width: width, glyphs: glyphs) {
            // The row that is lit up says which field it is; without one the message does.
            let isFieldSeen = inspection.step.rows.contains(where: \.isCulprit)
            let text = "\(glyphs.failed) \(isFieldSeen ? failure.message : failure.messageWithPath)"
            lines += wrap(text, to: width, atMost: 4, glyphs: glyphs).map { [StyledText($0, .failed)] }
        }
        return lines
    }

    /// The text in no more lines than that; of a longer one, the middle is left out, for its ends tell most.
    private static func wrap(_ text: String, to width: Int, atMost lines: Int, glyphs: Glyphs) -> [String] {
        let width = max(1, width)
        let text = text.utf8.count > 4000 ? text.prefix(1000) + glyphs.ellipsis + text.suffix(1000) : text[...]
        let wrapped = broken(text)
        guard wrapped.count > lines else { return wrapped }
        // Lines that end at blanks are not full, so what fits is found by trying.
        let oneLine = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        var columns = width * lines
        while true {
            let shortened = broken(TextWidth.truncate(oneLine, to: columns, middle: true, glyphs: glyphs)[...])
            if shortened.count <= lines || columns <= width { return Array(shortened.prefix(lines)) }
            columns -= max(1, width / 4)
        }

        /// What is a line end in the text is one here.
        func broken(_ text: Substring) -> [String] {
            text.split(whereSeparator: \.isNewline).flatMap {
                TextWidth.wrap(String($0), to: width, repertoire: glyphs.repertoire).map(String.init)
            }
        }
    }

    private static func isMessageShown(_ inspection: Inspection, width: Int, glyphs: Glyphs) -> Bool {
        guard let row = inspection.step.rows.first(where: \.isCulprit) ?? rowOfFailedPart(inspection) else {
            return false
        }
        let runs = StepRowLine(row, glyphs: glyphs, width: width).runs
        return TextWidth.columns(of: runs, repertoire: glyphs.repertoire) <= width
    }

    /// The row of the first part, if the whole document failed of that.
    private static func rowOfFailedPart(_ inspection: Inspection) -> StepRow? {
        guard let trace = inspection.trace, !trace.parts.isEmpty, inspection.stop == 0 else { return nil }
        return inspection.step.rows.first { row in
            guard case .part(let part, _) = row.body else { return false }
            return trace.parts[part].failure?.message == trace.failure?.message
        }
    }

    // MARK: Rows

    private static func draw(
        _ step: StepView, _ area: Rect, _ inspector: Inspector, _ saysMessage: Bool, isFocused: Bool,
        on canvas: inout Canvas
    ) {
        let isSideBySide = inspector.style == .sideBySide && step.difference != nil
        for (line, index) in step.position.visible(count: step.rows.count, height: area.height).enumerated() {
            let rect = area.row(line)
            let row = step.rows[index]
            if isSideBySide {
                drawSideBySide(row, rect, sideways: step.sideways, on: &canvas)
            } else {
                let content = StepRowLine(
                    row, glyphs: canvas.glyphs, width: rect.width, sideways: step.sideways, saysMessage: saysMessage)
                canvas.drawScrolled(content, in: rect.inset(dx: 1, dy: 0), sideways: step.sideways)
            }
            let isSelected = index == step.position.selected
            canvas.highlight(inspector.search, in: rect, isCurrent: isSelected && isFocused)
            if isSelected, isFocused { canvas.select(rect, isFocused: true) }
        }
        canvas.scrollBar(
            x: area.maxX, y: area.minY, height: area.height, top: step.position.top, count: step.rows.count,
            style: isFocused ? .focusedBorder : .border)
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
        canvas.draw(glyphs.repertoire == .unicode ? "│" : "|", x: right.x, y: rect.y, style: .border)
    }

    /// Whether a row on the screen goes on beyond the panel.
    static func isWiderThan(_ area: Rect, _ inspection: Inspection?, _ style: DifferenceStyle) -> Bool {
        guard let step = inspection?.step else { return false }
        let isSideBySide = style == .sideBySide && step.difference != nil
        let (left, right) = area.splitLeft(area.width / 2)
        let places: [(StepRow.Side, Rect)] = isSideBySide ? [(.old, left), (.new, right)] : [(.both, area)]
        return step.position.visible(count: step.rows.count, height: area.height).contains { index in
            places.contains { side, place in
                guard step.rows[index].isShown(on: side) else { return false }
                let line = StepRowLine(
                    step.rows[index], glyphs: .unicode, width: place.width, sideways: step.sideways, side: side)
                return line.goesOn(beyond: place.width - 2, sideways: step.sideways)
            }
        }
    }
}
