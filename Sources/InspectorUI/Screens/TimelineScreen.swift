import DisplayText
import DocumentModel
import MigrationCore

/// The states of a timeline and details about the current one, in place of the chain.
enum TimelineScreen {
    static func draw(_ inspector: Inspector, _ timeline: Timeline, on canvas: inout Canvas) {
        let area = inspector.layout.chain
        guard let line = inspector.layout.timelineLine, !area.isEmpty else { return }
        let room = area.inset(dx: Layout.chainMargin, dy: 0)
        let glyphs = canvas.glyphs
        var y = area.y
        if area.height > 2 {
            for label in line.labels {
                canvas.draw(
                    label.text, x: room.x + label.x, y: y, style: label.isHere ? .current : .label,
                    maxWidth: room.maxX - room.x - label.x)
            }
            y += 1
        }
        // The states on sides have a row of their own if there is room.
        let sideRow = !timeline.sides.isEmpty && area.height > 4 ? y + 1 : y
        let mainRow = y
        var last: TimelineLine.Cell?
        for cell in line.cells {
            y = cell.isOnSide ? sideRow : mainRow
            if let last, line.pitch > 1, y == mainRow {
                // Leave room for the bracket after the current state.
                let start = last.x + (last.isHere ? 2 : 1)
                let link = String(repeating: glyphs.horizontalLine, count: cell.x - start - (cell.isHere ? 1 : 0))
                canvas.draw(link, x: room.x + start, y: y, style: .border)
            }
            if y == mainRow { last = cell }
            canvas.draw([cell.sign], x: room.x + cell.x, y: y)
            if cell.isHere {
                // The brackets mark the current state even without colors or reversed cells.
                if line.pitch > 1 {
                    canvas.draw("[", x: room.x + cell.x - 1, y: y, style: .current)
                    canvas.draw("]", x: room.x + cell.x + 1, y: y, style: .current)
                }
                canvas.select(Rect(x: room.x + cell.x, y: y, width: 1, height: 1), isFocused: true)
            }
        }
        if line.goesOn.left { canvas.draw(glyphs.continuesLeft, x: area.x + 1, y: mainRow, style: .dim) }
        if line.goesOn.right { canvas.draw(glyphs.continuesRight, x: area.maxX - 2, y: mainRow, style: .dim) }
        y = sideRow
        for text in facts(inspector, timeline, glyphs) where y + 1 < area.maxY {
            y += 1
            canvas.draw(text, x: room.x, y: y, maxWidth: room.width, overflow: .ellipsis)
        }
    }

    /// Returns the name of the current state and its outcome.
    private static func facts(_ inspector: Inspector, _ timeline: Timeline, _ glyphs: Glyphs) -> [[StyledText]] {
        guard let id = inspector.inspection?.document, let document = inspector.documents[id] else { return [] }
        var name = [StyledText(document.displayName, .title)]
        if let revision = document.revision {
            name = [
                StyledText("\(revision.day) \(revision.shortCommit)", .title),
                StyledText("  \(revision.author): \(revision.subject)"),
            ]
            if revision.isOnSide { name.append(StyledText("  on a side that was merged", .dim)) }
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
        words.append(StyledText("  \(result.failure?.shown.messageWithPath ?? result.outcome.rawValue)", sign.style))
        return [name, words]
    }
}
