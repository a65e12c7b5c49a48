import DisplayText
import DocumentModel

/// A document as a tree of rows.
enum ValueScreen {
    static func draw(
        _ view: ValueView, _ area: Rect, search: TextSearch?, isFocused: Bool, on canvas: inout Canvas
    ) {
        for (line, cursor) in view.rows(height: area.height).enumerated() {
            let rect = area.row(line)
            let runs = runs(view, cursor, width: rect.width, glyphs: canvas.glyphs)
            canvas.drawScrolled(runs, in: rect.inset(dx: 1, dy: 0), sideways: view.sideways)
            let isSelected = cursor == view.selected
            canvas.highlight(search, in: rect, isCurrent: isSelected && isFocused)
            if isSelected, isFocused { canvas.select(rect, isFocused: true) }
        }
        // Places among the document's nodes stand for rows, which nobody has counted.
        let nodes = view.document.root.nodes
        let before = nodes.distance(from: nodes.startIndex, to: view.top.node.id)
        let end = view.rows(height: area.height).last?.node.nodes.endIndex ?? nodes.endIndex
        guard before > 0 || end < nodes.endIndex, area.height > 1 else { return }
        let start = min(area.height - 1, before * area.height / nodes.count)
        canvas.draw(
            canvas.glyphs.scrollThumb, x: area.maxX, y: area.minY + start, style: isFocused ? .focusedBorder : .border)
    }

    private static func runs(_ view: ValueView, _ cursor: TreeCursor, width: Int, glyphs: Glyphs) -> [StyledText] {
        let node = cursor.node
        let isCulprit = view.culprit?.node == node.id
        let isOpen = view.isOpen(cursor)
        let hasChildren = node.firstChild != nil
        var runs = [
            StyledText(String(repeating: "  ", count: min(cursor.depth, 100))),
            StyledText(hasChildren ? (isOpen ? glyphs.expanded : glyphs.collapsed) + " " : "  ", .dim),
        ]
        if let key = node.key {
            runs.append(StyledText(key.beginning(limit: 400)?.text ?? "", isCulprit ? .culprit : .key))
            runs.append(StyledText(": ", .punctuation))
        } else if let level = cursor.levels.last {
            runs.append(StyledText("[\(level.ordinal)]", isCulprit ? .culprit : .dim))
            runs.append(StyledText(" "))
        }
        if isOpen {
            runs.append(StyledText(ValueText.size(node), .dim))
        } else {
            let content = ValueText.runs(node, budget: width + view.sideways + 16)
            runs += isCulprit ? content.colored(.culprit) : content
        }
        if isCulprit, let blame = view.culprit?.blame {
            let likely = blame.isLikely ? " (likely culprit)" : ""
            runs.append(StyledText("  "))
            runs.append(StyledText("\(glyphs.pointer) \(blame.message)\(likely)", .failed))
        }
        return runs
    }

    /// Whether a row on the screen goes on beyond the panel.
    static func isWiderThan(_ area: Rect, _ view: ValueView) -> Bool {
        view.rows(height: area.height).contains { cursor in
            TextWidth.columns(of: runs(view, cursor, width: area.width, glyphs: .unicode)) - view.sideways > area.width
                - 2
        }
    }
}
