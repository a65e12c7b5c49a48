import DisplayText
import DocumentModel
import MigrationCore

/// The versions of a chain side by side, over the panels.
extension ChainTable: Overlay {
    var keys: [KeyGroup] {
        [
            .upAndDown(hint: "field"),
            KeyGroup(
                hint: "version", .init(.previousVersion, .left, "h", "["), .init(.nextVersion, .right, "l", "]")),
            KeyGroup(hint: "close", isAlwaysShown: true, .init(.close, .escape, "t", "q")),
        ] + KeyTable.everywhere
    }
    var isOfDocument: Bool { true }

    func frame(in panels: Rect) -> Rect { panels }
    func rows(in frame: Rect) -> Rect? { fieldRows }

    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool {
        inspector.change(ChainTable.self) { $0.select(x: mouse.x, y: mouse.y) }
        return true
    }

    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas) {
        guard !frame.isEmpty else { return }
        canvas.clear(frame)
        let (first, last) = (visibleColumns.lowerBound + 1, visibleColumns.upperBound)
        let all = columns.count
        let seen = shownColumns == all ? "" : "\(first) to \(last) of "
        canvas.box(
            frame, title: [StyledText(title, .title)],
            trailing: [StyledText("\(seen)\(all == 1 ? "1 version" : "\(all) versions")", .dim)], style: .focusedBorder)
        let area = frame.inset(1)
        for index in visibleColumns { drawHead(index, area, on: &canvas) }
        if fields.isEmpty {
            let words = Self.wordsWithoutFields(isKnown: isKnown, isOfChain: chain != nil)
            canvas.draw(words, x: area.x + 1, y: fieldRows.y, style: .dim, maxWidth: area.width - 2)
        }
        let names = nameWidth
        for (line, row) in position.visible(count: rowCount, height: fieldRows.height).enumerated() {
            for index in visibleColumns {
                drawField(index, row, names, rect(of: index, in: fieldRows.row(line)), on: &canvas)
            }
            if row == position.selected { canvas.select(fieldRows.row(line), isFocused: false) }
        }
        let line = position.selected - position.top
        if rowCount > 0, line >= 0, line < fieldRows.height {
            canvas.select(rect(of: column, in: fieldRows.row(line)), isFocused: true)
        }
        canvas.scrollBar(besides: fieldRows, top: position.top, count: rowCount, isFocused: true)
        let detail = Rect(x: area.x, y: fieldRows.maxY, width: area.width, height: Self.detailHeight)
        drawWords(words(canvas.glyphs), in: detail.inset(dx: 1, dy: 0), on: &canvas)
        drawExamples(area, on: &canvas)
        separate(area, on: &canvas)
    }

    private static func wordsWithoutFields(isKnown: Bool, isOfChain: Bool) -> String {
        if isOfChain {
            return isKnown ? "The fields of its types are not known." : "looking for the fields of its types"
        }
        return isKnown ? "None of these documents has fields." : "reading the documents"
    }

    // MARK: The heads

    private func drawHead(_ index: Int, _ area: Rect, on canvas: inout Canvas) {
        let column = columns[index]
        let head = rect(of: index, in: area.splitTop(Self.headHeight).top)
        let isHere = index == self.column
        let version = column.version == .unversioned ? "no version" : "version \(column.version)"
        canvas.draw(
            [StyledText(version, isHere ? .current : .label), StyledText("  \(column.type)", .dim)], x: head.x + 1,
            y: head.y, maxWidth: head.width - 2, overflow: .ellipsis)
        canvas.draw(
            column.note ?? "", x: head.x + 1, y: head.y + 1, style: .dim, maxWidth: head.width - 2, overflow: .ellipsis)
    }

    private func separate(_ area: Rect, on canvas: inout Canvas) {
        // The details span all columns.
        let start = fields.isEmpty ? fieldRows.minY : fieldRows.maxY
        let details = start..<(fieldRows.maxY + Self.detailHeight)
        for index in visibleColumns.dropFirst() {
            for y in area.minY..<area.maxY where !details.contains(y) && y != details.upperBound {
                canvas.draw(
                    canvas.glyphs.verticalLine, x: rect(of: index, in: area).x - 1, y: y, style: .border)
            }
        }
    }

    // MARK: The fields

    /// Returns the width of the longest name, but at most half of a column.
    private var nameWidth: Int {
        let names = fields.map { indentation($0) + TextWidth.columns(of: name($0)) }
        return min(names.max() ?? 0, columnWidth / 2)
    }

    private func indentation(_ path: DocumentPath) -> Int { 2 * max(0, path.components.count - 1) }

    private func name(_ path: DocumentPath) -> String {
        path.lastKey ?? (path.isRoot ? "$" : path.components.last == .everyMember ? ".*" : "[*]")
    }

    private func drawField(
        _ index: Int, _ row: Int, _ names: Int, _ rect: Rect, on canvas: inout Canvas
    ) {
        let (column, path) = (columns[index], fields[row])
        let isCulprit = column.culprit == path
        let change = column.changes[path]
        guard isCulprit || change != nil else { return }
        let sign: StepRow.Sign =
            if isCulprit {
                .failed
            } else {
                switch change?.kind {
                case .added: .added
                case .removed: .removed
                case .changed: .changed
                case .same, nil: .none
                }
            }
        let glyphs = canvas.glyphs
        let style: Style = sign == .none ? .plain : sign.style
        let indent = min(indentation(path), max(0, names - 4))
        canvas.draw([sign.drawn(glyphs)], x: rect.x, y: rect.y, maxWidth: 1)
        canvas.draw(
            name(path), x: rect.x + 2 + indent, y: rect.y, style: isCulprit ? .culprit : sign == .none ? .key : style,
            maxWidth: names - indent, overflow: .ellipsis)
        let missing = column.isComplete ? "no field" : "not known"
        let type = change.map { $0.kind == .removed ? "" : $0.field.writtenType ?? "" } ?? missing
        var words = [StyledText(type, sign == .none ? .dim : style)]
        if let group = column.group, let count = group.counts[path], count < group.readCount {
            words.append(StyledText("  in \(count) of \(group.readCount)", .dim))
        }
        // A new field that is made from another may be that field under a new name.
        if change?.kind == .added, let origin = column.origins?.of(path) {
            words.append(StyledText("  \(origin)", .dim))
        }
        canvas.draw(
            words, x: rect.x + 3 + names, y: rect.y, maxWidth: rect.width - names - 5, overflow: .ellipsis)
    }

    /// Draws texts below each other, with an ellipsis on the last line if the rest does not fit.
    private func drawWords(_ texts: [StyledText], in area: Rect, on canvas: inout Canvas) {
        let lines = texts.flatMap { text in
            TextWidth.wrap(text.text, to: max(1, area.width), repertoire: canvas.glyphs.repertoire)
                .map { StyledText(String($0), text.style) }
        }
        for (row, line) in lines.prefix(area.height).enumerated() {
            let goesOn = row == area.height - 1 && lines.count > area.height
            let text = goesOn ? StyledText(line.text + canvas.glyphs.ellipsis, line.style) : line
            canvas.draw([text], x: area.x, y: area.y + row, maxWidth: area.width, overflow: .ellipsis)
        }
    }

    /// Returns the details about the selected field in the selected version.
    private func words(_ glyphs: Glyphs) -> [StyledText] {
        guard let path = selectedField else { return [] }
        let column = columns[self.column]
        var parts: [String] = []
        switch column.changes[path] {
        case let change? where change.kind == .removed:
            parts.append("not in version \(column.version); it was \(change.field.writtenType ?? "there")")
        case let change?:
            let isNew = change.kind == .added ? "new in version \(column.version)  " : ""
            parts.append(isNew + change.words)
        case nil where column.isComplete: parts.append("version \(column.version) has no such field")
        case nil: parts.append("it is not known whether version \(column.version) has such a field")
        }
        if let group = column.group {
            let all = group.readCount == 1 ? "1 document" : "\(group.readCount) documents"
            parts.append("in \(group.counts[path] ?? 0) of \(all) of version \(column.version)")
            let unread = group.documents.count - group.readCount
            if unread > 0 { parts.append("\(unread) could not be read") }
        }
        if let origin = column.origins?.of(path) { parts.append(origin) }
        // For a field inside array elements, use the first element.
        let first = DocumentPath(path.components.map { $0 == .everyElement ? .index(0) : $0 })
        let value = column.culprit == path ? column.culpritValue ?? first : first
        if let example = column.example {
            let text = example.view.document.root.descendant(at: value).map {
                ValueText.runs($0, budget: 60).map(\.text).joined()
            }
            let position = value == path ? "" : " at \(value)"
            parts.append("\(example.title) has \(text ?? "none")\(position)")
        }
        let details = "\(path): " + parts.joined(separator: " \(glyphs.separator) ")
        let note = column.note.map { [StyledText("To version \(column.version): \($0)", .dim)] } ?? []
        return [StyledText(details, column.culprit == path ? .failed : .plain)] + note
    }

    // MARK: The documents

    private func drawExamples(_ area: Rect, on canvas: inout Canvas) {
        let rows = exampleRows
        guard rows.height > 0 else { return }
        canvas.rule(x: area.x - 1, y: rows.y - 1, length: area.width + 2, style: .border)
        for index in visibleColumns {
            let rect = self.rect(of: index, in: rows)
            guard let example = columns[index].example else {
                canvas.draw(
                    " no document here ", x: rect.x, y: rows.y - 1, style: .dim, maxWidth: rect.width - 3,
                    overflow: .ellipsis)
                continue
            }
            canvas.draw(
                " \(example.title) ", x: rect.x, y: rows.y - 1, style: example.isFound ? .label : .dim,
                maxWidth: rect.width - 2, overflow: .middleEllipsis)
            for (line, cursor) in example.view.rows(height: rows.height + 1).dropFirst().enumerated() {
                let row = rect.row(line)
                let runs = example.view.runs(cursor, width: rect.width, glyphs: canvas.glyphs)
                // The members of the document itself need not be indented.
                canvas.clipped(to: row.splitRight(2).rest) { canvas in
                    _ = canvas.draw(runs, x: row.x - 2, y: row.y, maxWidth: rect.width, overflow: .ellipsis)
                }
            }
        }
    }
}
