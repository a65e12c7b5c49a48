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
        let nodes = view.document.nodeCount
        let shown = view.rows(height: area.height)
        let last = shown.last.map { DocumentNode(document: view.document, index: $0.node).endIndex } ?? nodes
        guard view.top.node > 0 || last < nodes, area.height > 1 else { return }
        // Places on the tape stand for rows, which nobody has counted.
        let start = min(area.height - 1, view.top.node * area.height / max(1, nodes))
        canvas.draw(
            canvas.glyphs.scrollThumb, x: area.maxX, y: area.minY + start, style: isFocused ? .focusedBorder : .border)
    }

    private static func runs(_ view: ValueView, _ cursor: TreeCursor, width: Int, glyphs: Glyphs) -> [StyledText] {
        let node = DocumentNode(document: view.document, index: cursor.node)
        let isCulprit = view.culprit?.node == cursor.node
        let isOpen = view.isOpen(cursor)
        let hasChildren = node.kind.isContainer && !node.isEmpty
        var runs = [
            StyledText(String(repeating: "  ", count: min(cursor.depth, 100))),
            StyledText(hasChildren ? (isOpen ? glyphs.expanded : glyphs.collapsed) + " " : "  ", .dim),
        ]
        if let key = cursor.key {
            let name = DocumentNode(document: view.document, index: key).beginning(limit: 400)?.text ?? ""
            runs.append(StyledText(name, isCulprit ? .culprit : .key))
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
