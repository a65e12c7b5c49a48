import DisplayText
import DocumentModel

extension SourceView {
    func draw(_ inspector: Inspector, in panel: Panel, on canvas: inout Canvas) {
        SourceScreen.draw(inspector, inspector.layout[panel], on: &canvas)
    }
}

/// The text that the document was read from, with a caret below the marked position.
enum SourceScreen {
    static func draw(_ inspector: Inspector, _ area: Layout.Area, on canvas: inout Canvas) {
        guard let source = inspector.shown?.source else { return }
        let isFocused = inspector.focus == .source
        canvas.panel(
            area, title: title(inspector, source) + DetailScreen.zoomedName(inspector),
            trailing: trailing(source), isFocused: isFocused)
        switch source.content {
        case .loading:
            guard inspector.showsWaiting else { return }
            let text = "\(canvas.glyphs.spinner(inspector.spinner)) reading the text"
            canvas.draw(text, x: area.content.x + 1, y: area.content.y, style: .progress)
        case .none(let reason):
            canvas.draw(
                reason, x: area.content.x + 1, y: area.content.y, style: .dim, maxWidth: area.content.width - 2,
                overflow: .ellipsis)
        case .tree(let tree):
            ValueScreen.draw(tree, area.content, search: inspector.search, isFocused: isFocused, on: &canvas)
        case .text(let text):
            draw(text, source, inspector, area.content, isFocused: isFocused, on: &canvas)
        }
    }

    private static func title(_ inspector: Inspector, _ source: SourceView) -> [StyledText] {
        var runs = [StyledText("Source", .title)]
        let failure = inspector.shown?.endedFailureHere
        if let failure, let location = failure.location ?? source.text?.mark?.location {
            let first = location.within == nil ? source.text?.firstLine ?? 1 : 1
            runs.append(StyledText("  \(wordsOf(location, firstLine: first))", .failed))
            if let within = location.within { runs.append(StyledText(" in the string at \(within)", .dim)) }
        }
        if source.tree != nil { runs.append(StyledText("  no text, its values", .dim)) }
        return runs
    }

    private static func wordsOf(_ location: SourceLocation, firstLine: Int) -> String {
        "line \(NumberWords.grouped(firstLine + location.line - 1)), column \(NumberWords.grouped(location.column))"
    }

    private static func trailing(_ source: SourceView) -> [StyledText] {
        guard let text = source.text else {
            return source.tree.map { [StyledText($0.selectedPath.description, .dim)] } ?? []
        }
        let lines = text.lines.count
        return [StyledText(lines == 1 ? "1 line" : "\(NumberWords.grouped(lines)) lines", .dim)]
    }

    // MARK: Text

    private static func draw(
        _ text: SourceText, _ source: SourceView, _ inspector: Inspector, _ area: Rect, isFocused: Bool,
        on canvas: inout Canvas
    ) {
        let bar = canvas.glyphs.verticalLine
        let gutter = source.gutter
        let numberWidth = gutter - 3
        for (offset, row) in source.position.visible(count: text.rowCount, height: area.height).enumerated() {
            let rect = area.row(offset)
            let content = rect.splitLeft(gutter).rest.splitRight(1).rest
            let isSelected = row == source.position.selected && isFocused
            defer { if isSelected { canvas.select(rect, isFocused: true) } }
            canvas.draw(bar, x: rect.x + numberWidth + 1, y: rect.y, style: .lineNumber, maxWidth: rect.width)
            guard let line = text.line(atRow: row) else {
                drawCaret(text, source, content, on: &canvas)
                continue
            }
            let number = String(text.firstLine + line)
            let isMarked = text.mark?.line == line && inspector.shown?.endedFailureHere != nil
            canvas.draw(
                number, x: rect.x + numberWidth - number.count, y: rect.y, style: isMarked ? .failed : .lineNumber,
                maxWidth: rect.width)
            draw(line, text, source, content, isMarked, on: &canvas)
            if let followed = source.followed {
                let bar = Rect(x: rect.x + numberWidth + 1, y: rect.y, width: 1, height: 1)
                follow(followed, in: line, text, source, content, bar: bar, on: &canvas)
            }
            canvas.highlight(inspector.search, in: content, isCurrent: isSelected)
        }
        canvas.scrollBar(besides: area, top: source.position.top, count: text.rowCount, isFocused: isFocused)
    }

    private static func draw(
        _ line: Int, _ text: SourceText, _ source: SourceView, _ rect: Rect, _ isMarked: Bool, on canvas: inout Canvas
    ) {
        let seen = SourceLine(
            text, line: line, sideways: source.sideways, width: rect.width, repertoire: canvas.glyphs.repertoire)
        canvas.draw(seen.runs, x: rect.x, y: rect.y, maxWidth: rect.width)
        if seen.continuesLeft { canvas.draw(canvas.glyphs.continuesLeft, x: rect.x - 1, y: rect.y, style: .dim) }
        if seen.continuesRight { canvas.draw(canvas.glyphs.continuesRight, x: rect.maxX, y: rect.y, style: .dim) }
        if isMarked, let column = seen.markColumn {
            canvas.restyle(
                Rect(x: rect.x + column, y: rect.y, width: markedLength(text, from: column, seen), height: 1)
            ) {
                $0 = .culprit
            }
        }
        for offset in text.others where text.lines.line(at: offset) == line {
            let column = SourceLine.column(of: offset, in: text) - source.sideways
            guard (0..<rect.width).contains(column) else { continue }
            let width = min(markedLength(text, from: column, seen), rect.width - column)
            canvas.restyle(Rect(x: rect.x + column, y: rect.y, width: width, height: 1)) { $0 = .culprit }
        }
    }

    /// Marks the lines of the value that is selected in the step, and also the value itself if it is on a single
    /// line.
    private static func follow(
        _ followed: Range<Int>, in line: Int, _ text: SourceText, _ source: SourceView, _ rect: Rect, bar: Rect,
        on canvas: inout Canvas
    ) {
        let range = text.lines.range(ofLine: line)
        guard followed.lowerBound <= range.upperBound, followed.upperBound > range.lowerBound else { return }
        canvas.draw(canvas.glyphs.selection, x: bar.x, y: bar.y, style: .current, maxWidth: 1)
        guard range.lowerBound <= followed.lowerBound, followed.upperBound <= range.upperBound else { return }
        let start = max(0, SourceLine.column(of: followed.lowerBound, in: text) - source.sideways)
        let end = min(rect.width, SourceLine.column(of: followed.upperBound, in: text) - source.sideways)
        guard start < end else { return }
        canvas.restyle(Rect(x: rect.x + start, y: rect.y, width: end - start, height: 1)) {
            // The culprit is already marked and should remain the most noticeable.
            if $0.role != .culprit { $0.modifiers.insert(.selectedUnfocused) }
        }
    }

    /// Returns the number of columns of the value at the mark, as far as it is a single token. In XML, a value
    /// extends to the end tag on its line.
    private static func markedLength(_ text: SourceText, from column: Int, _ seen: SourceLine) -> Int {
        var end = 0
        var length = 0
        for run in seen.runs {
            end += TextWidth.columns(of: run.text)
            guard column < end else { continue }
            if run.text.hasPrefix("</") { return end - column }
            if length == 0 {
                length = end - column
                guard text.isXML, run.text.hasPrefix("<"), !run.text.hasSuffix("/>") else { break }
            } else if run.text.hasPrefix("<") {
                break
            }
        }
        return max(1, length)
    }

    private static func drawCaret(_ text: SourceText, _ source: SourceView, _ rect: Rect, on canvas: inout Canvas) {
        guard let mark = text.mark else { return }
        let seen = SourceLine(
            text, line: mark.line, sideways: source.sideways, width: rect.width, repertoire: canvas.glyphs.repertoire)
        guard let column = seen.markColumn else { return }
        let style: Style = mark.isFailure ? .failed : .dim
        canvas.draw(canvas.glyphs.caret, x: rect.x + column, y: rect.y, style: style)
        let (before, behind) = (column - 1, rect.width - column - 2)
        func columns(_ label: String) -> Int { TextWidth.columns(of: label, repertoire: canvas.glyphs.repertoire) }
        // Draw the longest label that fits after or before the caret, otherwise the shortest on the side with more room.
        guard let label = mark.labels.first(where: { columns($0) <= max(before, behind) }) ?? mark.labels.last else {
            return
        }
        let isBehind = columns(label) <= behind || behind >= before
        let x = isBehind ? column + 2 : max(0, before - columns(label))
        canvas.draw(
            label, x: rect.x + x, y: rect.y, style: style, maxWidth: isBehind ? behind : before, overflow: .ellipsis)
    }
}
