import DisplayText
import DocumentModel
import MigrationCore

/// The list of documents.
extension DocumentList {
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas) {
        let (area, isFocused) = (inspector.layout[panel], inspector.focus == panel)
        let style = Style.frame(isFocused: isFocused)
        canvas.box(
            area.frame, title: canvas.panelTitle([StyledText("Documents", .title)], isFocused: isFocused),
            trailing: rowNumber, style: style)
        drawFooter(inspector, area.frame, style, on: &canvas)
        guard rowCount > 0 else { return drawEmpty(inspector, area.content, on: &canvas) }
        let lines = position.visible(count: sections.lineCount, height: area.content.height)
        for (offset, line) in lines.enumerated() {
            let rect = area.content.row(offset)
            switch sections.line(at: line) {
            case .heading(let row): drawHeading(self.row(row).document.heading, rect, on: &canvas)
            case .row(let row):
                let (document, result) = self.row(row)
                drawRow(document, result, rect, on: &canvas)
                if row == selectedRow { canvas.select(rect, isFocused: isFocused) }
            }
        }
        canvas.scrollBar(
            besides: area.content, top: position.top, count: sections.lineCount, isFocused: isFocused)
    }

    private var rowNumber: [StyledText] {
        guard count > 0 else { return [] }
        let row = rowCount == 0 ? 0 : selectedRow + 1
        return [StyledText("\(NumberWords.grouped(row))/\(NumberWords.grouped(rowCount))", .dim)]
    }

    private func drawHeading(_ heading: String, _ rect: Rect, on canvas: inout Canvas) {
        canvas.draw(
            heading.isEmpty ? "./" : heading, x: rect.x + 1, y: rect.y, style: .dim, maxWidth: rect.width - 2,
            overflow: .middleEllipsis)
    }

    private func drawRow(
        _ document: FoundDocument, _ result: CheckResult?, _ rect: Rect, on canvas: inout Canvas
    ) {
        let glyphs = canvas.glyphs
        canvas.draw([StateSign.text(result, glyphs)], x: rect.x + 1, y: rect.y, maxWidth: rect.width - 1)
        let summary = VersionSummary.runs(result, repertoire: glyphs.repertoire)
        let summaryWidth = TextWidth.columns(of: summary, repertoire: glyphs.repertoire)
        let nameX = rect.x + 3
        // The name needs enough room to distinguish it from its neighbors.
        let fits = rect.width - 3 - summaryWidth - 2 >= 8
        let nameWidth = rect.maxX - nameX - 1 - (fits && summaryWidth > 0 ? summaryWidth + 1 : 0)
        let style: Style = result?.outcome.isProblem == true ? .plain.with(.emphasized) : .plain
        canvas.draw(
            document.displayName, x: nameX, y: rect.y, style: style, maxWidth: nameWidth, overflow: .middleEllipsis)
        if fits { canvas.draw(summary, x: rect.maxX - 1 - summaryWidth, y: rect.y) }
    }

    /// Draws the progress, or a summary of the list, in the bottom edge of the frame.
    private func drawFooter(_ inspector: Inspector, _ frame: Rect, _ style: Style, on canvas: inout Canvas) {
        let runs = footer(inspector, canvas.glyphs)
        guard !runs.isEmpty else { return }
        canvas.rule(x: frame.minX, y: frame.maxY - 1, length: frame.width, title: runs, style: style)
    }

    private func footer(_ inspector: Inspector, _ glyphs: Glyphs) -> [StyledText] {
        if !filter.isEmpty { return filterWords(glyphs) }
        let spinner = glyphs.spinner(inspector.spinner)
        if isFinding {
            return [StyledText("\(spinner) found \(NumberWords.grouped(count))", .progress)]
        }
        if isChecking {
            let all = NumberWords.grouped(count)
            return [StyledText("\(spinner) checked \(NumberWords.grouped(checkedCount)) of \(all)", .progress)]
        }
        if let (number, count) = problemNumber, count > 1 {
            let words = "\(NumberWords.grouped(number)) of \(NumberWords.grouped(count)) problems"
            return [StyledText("\(glyphs.failed) \(words)", .failed)]
        }
        let problems = count(of: .failed)
        guard problems > 0 else { return [] }
        return [StyledText("\(glyphs.failed) \(NumberWords.grouped(problems)) failed", .failed)]
    }

    private func filterWords(_ glyphs: Glyphs) -> [StyledText] {
        var runs: [StyledText] = []
        let shown = NumberWords.grouped(rowCount)
        let all = NumberWords.grouped(count)
        if let outcome = filter.outcome {
            let sign = StateSign.text(CheckResult(source: "", outcome: outcome), glyphs)
            runs.append(StyledText("\(sign.text) \(shown) \(outcome.rawValue) of \(all)", sign.style))
        } else if filter.isLossy {
            runs.append(StyledText("\(glyphs.loss) \(shown) of \(all) known to lose data", .warning))
        } else if filter.cause != nil {
            runs.append(StyledText("\(glyphs.failed) \(shown) of \(all) of one cause", .failed))
        } else {
            runs.append(StyledText("\(shown) of \(all)", .label))
        }
        if !filter.name.isEmpty { runs.append(StyledText(" with \"\(filter.name)\"", .label)) }
        return runs
    }

    // MARK: Nothing to list

    private func drawEmpty(_ inspector: Inspector, _ area: Rect, on canvas: inout Canvas) {
        var lines: [StyledText] = []
        if count > 0 {
            lines = [StyledText("No document matches.", .plain), StyledText("Esc shows all of them.", .dim)]
        } else if isFinding {
            lines = [StyledText("Looking for documents in", .dim), StyledText(inspector.title, .plain)]
        } else {
            lines = [StyledText("No documents in \(inspector.title).", .plain), StyledText("")]
            for leftOut in leftOut ?? [] where leftOut.count > 0 {
                lines.append(StyledText("\(NumberWords.grouped(leftOut.count)) \(leftOut.reason)", .dim))
            }
            lines += [
                StyledText(
                    "A document is a file that ends in \(DocumentEnding.listed), or that begins as a"
                        + " property list, a SQLite database or with {.", .dim),
                StyledText("", .dim),
                StyledText("F opens another file or folder, and so does", .dim),
                StyledText("\(inspector.program) PATH", .plain),
            ]
        }
        canvas.drawWrapped(lines, in: area.inset(dx: 1, dy: 0))
    }
}
