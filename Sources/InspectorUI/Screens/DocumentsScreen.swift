import DisplayText
import DocumentSources
import MigrationCore

/// The list of documents.
enum DocumentsScreen {
    static func draw(_ inspector: Inspector, _ area: Layout.Area, on canvas: inout Canvas) {
        let list = inspector.documents
        let isFocused = inspector.focus == .documents
        let style = Style.frame(isFocused: isFocused)
        canvas.box(
            area.frame, title: canvas.panelTitle([StyledText("Documents", .title)], isFocused: isFocused),
            trailing: position(list), style: style)
        drawFooter(inspector, area.frame, style, on: &canvas)
        guard list.rowCount > 0 else { return drawEmpty(inspector, area.content, on: &canvas) }
        let lines = list.position.visible(count: list.sections.lineCount, height: area.content.height)
        for (offset, line) in lines.enumerated() {
            let rect = area.content.row(offset)
            switch list.sections.line(at: line) {
            case .heading(let row): drawHeading(list.row(row).document.place, rect, on: &canvas)
            case .row(let row):
                let (document, result) = list.row(row)
                drawRow(document, result, rect, on: &canvas)
                if row == list.selectedRow { canvas.select(rect, isFocused: isFocused) }
            }
        }
        canvas.scrollBar(
            besides: area.content, top: list.position.top, count: list.sections.lineCount, isFocused: isFocused)
    }

    private static func position(_ list: DocumentList) -> [StyledText] {
        guard list.count > 0 else { return [] }
        let row = list.rowCount == 0 ? 0 : list.selectedRow + 1
        return [StyledText("\(NumberWords.grouped(row))/\(NumberWords.grouped(list.rowCount))", .dim)]
    }

    private static func drawHeading(_ place: String, _ rect: Rect, on canvas: inout Canvas) {
        canvas.draw(
            place.isEmpty ? "./" : place, x: rect.x + 1, y: rect.y, style: .dim, maxWidth: rect.width - 2,
            overflow: .middleEllipsis)
    }

    private static func drawRow(
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
    private static func drawFooter(_ inspector: Inspector, _ frame: Rect, _ style: Style, on canvas: inout Canvas) {
        let runs = footer(inspector, canvas.glyphs)
        guard !runs.isEmpty else { return }
        canvas.rule(x: frame.minX, y: frame.maxY - 1, length: frame.width, title: runs, style: style)
    }

    private static func footer(_ inspector: Inspector, _ glyphs: Glyphs) -> [StyledText] {
        let list = inspector.documents
        if !list.filter.isEmpty { return filterWords(list, glyphs) }
        let spinner = glyphs.spinner(inspector.spinner)
        if list.isFinding {
            return [StyledText("\(spinner) found \(NumberWords.grouped(list.count))", .progress)]
        }
        if list.isChecking {
            let all = NumberWords.grouped(list.count)
            return [StyledText("\(spinner) checked \(NumberWords.grouped(list.checkedCount)) of \(all)", .progress)]
        }
        if let (number, count) = list.problemNumber, count > 1 {
            let words = "\(NumberWords.grouped(number)) of \(NumberWords.grouped(count)) problems"
            return [StyledText("\(glyphs.failed) \(words)", .failed)]
        }
        let problems = list.count(of: .failed)
        guard problems > 0 else { return [] }
        return [StyledText("\(glyphs.failed) \(NumberWords.grouped(problems)) failed", .failed)]
    }

    private static func filterWords(_ list: DocumentList, _ glyphs: Glyphs) -> [StyledText] {
        var runs: [StyledText] = []
        let count = NumberWords.grouped(list.rowCount)
        let all = NumberWords.grouped(list.count)
        if let outcome = list.filter.outcome {
            let sign = StateSign.text(CheckResult(source: "", outcome: outcome), glyphs)
            runs.append(StyledText("\(sign.text) \(count) \(outcome.rawValue) of \(all)", sign.style))
        } else if list.filter.isLossy {
            runs.append(StyledText("\(glyphs.loss) \(count) of \(all) known to lose data", .warning))
        } else if list.filter.cause != nil {
            runs.append(StyledText("\(glyphs.failed) \(count) of \(all) of one cause", .failed))
        } else {
            runs.append(StyledText("\(count) of \(all)", .label))
        }
        if !list.filter.name.isEmpty { runs.append(StyledText(" with \"\(list.filter.name)\"", .label)) }
        return runs
    }

    // MARK: Nothing to list

    private static func drawEmpty(_ inspector: Inspector, _ area: Rect, on canvas: inout Canvas) {
        let list = inspector.documents
        var lines: [StyledText] = []
        if list.count > 0 {
            lines = [StyledText("No document matches.", .plain), StyledText("Esc shows all of them.", .dim)]
        } else if list.isFinding {
            lines = [StyledText("Looking for documents in", .dim), StyledText(inspector.title, .plain)]
        } else {
            lines = [StyledText("No documents in \(inspector.title).", .plain), StyledText("")]
            for leftOut in list.leftOut ?? [] where leftOut.count > 0 {
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
