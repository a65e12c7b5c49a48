import DisplayText

/// The last line: the keys that can be used at the moment, the text being typed, or a message.
enum BottomLine {
    static func draw(_ inspector: Inspector, _ row: Rect, on canvas: inout Canvas) {
        if let prompt = inspector.prompt { return draw(prompt, inspector, row, on: &canvas) }
        if let message = inspector.message {
            canvas.draw(
                message.text, x: row.x + 1, y: row.y, style: .warning, maxWidth: row.width - 2, overflow: .ellipsis)
            return
        }
        drawKeys(inspector, row, on: &canvas)
    }

    private static func draw(_ prompt: Prompt, _ inspector: Inspector, _ row: Rect, on canvas: inout Canvas) {
        if let completions = prompt.completions { draw(completions, row, on: &canvas) }
        let label = prompt.problem.map { $0 + "  " } ?? prompt.purpose.label
        let repertoire = canvas.glyphs.repertoire
        var x = row.x + 1
        x += canvas.draw(
            label, x: x, y: row.y, style: prompt.problem == nil ? .label : .failed, maxWidth: row.width * 2 / 3,
            overflow: .ellipsis)
        let room = row.maxX - x - 2
        // The cursor is always visible, and the text before it takes precedence.
        var shown = prompt.field.before.suffix(max(0, room))
        while TextWidth.columns(of: String(shown), repertoire: repertoire) > room, !shown.isEmpty {
            shown = shown.dropFirst()
        }
        x += canvas.draw(String(shown), x: x, y: row.y, style: .input, maxWidth: max(0, room))
        canvas.cursor = Point(x: min(x, max(0, canvas.width - 1)), y: row.y)
        x += canvas.draw(prompt.field.after, x: x, y: row.y, style: .input, maxWidth: max(0, row.maxX - x - 2))
        let hint = items(inspector, width: row.width, repertoire).map { "\($0.keys) \($0.word)" }
            .joined(separator: "  ")
        let hintX = row.maxX - 1 - TextWidth.columns(of: hint)
        if hintX > x + 2 { canvas.draw(hint, x: hintX, y: row.y, style: .hintText) }
    }

    /// Draws the completions in the row above. The selected one is always among them.
    private static func draw(_ completions: PathCompletions, _ row: Rect, on canvas: inout Canvas) {
        guard row.y > 0 else { return }
        let line = Rect(x: row.x, y: row.y - 1, width: row.width, height: 1)
        canvas.clear(line)
        let repertoire = canvas.glyphs.repertoire
        let labels = completions.names.map { DisplayText(String(PathCompletions.label(of: $0))).string }
        let room = line.width - 2
        func columns(_ range: Range<Int>) -> Int {
            labels[range].reduce(0) { $0 + TextWidth.columns(of: $1, repertoire: repertoire) + 2 }
        }
        // Start as far left as the selected name allows.
        var first = 0
        while let selected = completions.selected, first < selected, columns(first..<selected + 1) > room - 2 {
            first += 1
        }
        var x = line.x + 1
        if first > 0 { x += canvas.draw("\(canvas.glyphs.ellipsis) ", x: x, y: line.y, style: .hintText) }
        for (index, label) in labels.enumerated().dropFirst(first) {
            let width = TextWidth.columns(of: label, repertoire: repertoire)
            guard x + width <= line.maxX - 3 || index == completions.selected else {
                canvas.draw(canvas.glyphs.ellipsis, x: x, y: line.y, style: .hintText)
                break
            }
            let style: Style = index == completions.selected ? .input : .hintText
            x += canvas.draw(label, x: x, y: line.y, style: style, maxWidth: max(0, line.maxX - x - 1)) + 2
        }
    }

    struct Item {
        let keys: String
        let word: String
        let group: KeyGroup

        func columns(_ repertoire: Repertoire) -> Int {
            TextWidth.columns(of: keys, repertoire: repertoire) + 1 + TextWidth.columns(of: word) + 2
        }
    }

    private static func drawKeys(_ inspector: Inspector, _ row: Rect, on canvas: inout Canvas) {
        var x = row.x + 1
        let words = inspector.tally?.words ?? ""
        let taken = words.isEmpty ? 0 : TextWidth.columns(of: words) + 2
        if taken > 0, row.width > taken + 30 {
            canvas.draw(words, x: row.maxX - taken + 1, y: row.y, style: .label, maxWidth: taken)
        }
        for item in items(inspector, width: row.width - taken, canvas.glyphs.repertoire) {
            x += canvas.draw(item.keys, x: x, y: row.y, style: .hintKey, maxWidth: row.maxX - x)
            x += 1
            x += canvas.draw(item.word, x: x, y: row.y, style: .hintText, maxWidth: row.maxX - x)
            x += 2
        }
    }

    /// The width below which there is only room for a few hints.
    private static let narrow = 60

    /// Returns the groups to show, in order: as many as fit, always including the help and the way out.
    static func items(_ inspector: Inspector, width: Int, _ repertoire: Repertoire) -> [Item] {
        let items = KeyTable.groups.compactMap { group -> Item? in
            guard let hint = group.hint, let keys = keys(of: group, inspector, repertoire) else { return nil }
            return Item(keys: keys, word: hint, group: group)
        }
        let isLast = { (item: Item) in
            item.group.bindings.contains {
                [.help, .quit, .closePage, .closeMenu, .closeChainTable, .endPlaying].contains($0.command)
            }
        }
        var room = width - 2 - items.filter(isLast).reduce(0) { $0 + $1.columns(repertoire) }
        // If there is hardly any room, opening and going back take precedence over the arrow keys.
        let isFirst = { (item: Item) in
            width < narrow && item.group.bindings.contains { [.open, .back].contains($0.command) }
        }
        var shown = Set(items.indices.filter { isLast(items[$0]) })
        for index in items.indices.filter({ isFirst(items[$0]) }) + items.indices.filter({ !isFirst(items[$0]) })
        where !shown.contains(index) && room >= items[index].columns(repertoire) {
            room -= items[index].columns(repertoire)
            shown.insert(index)
        }
        return items.indices.filter(shown.contains).map { items[$0] }
    }

    /// Returns the first key of each command that would have an effect, as one word such as "↑↓"; nil if none would.
    private static func keys(of group: KeyGroup, _ inspector: Inspector, _ repertoire: Repertoire) -> String? {
        guard group.places.contains(inspector.place) else { return nil }
        let names = group.bindings.compactMap { binding in
            binding.keys.first { inspector.command(for: $0) == binding.command }?.name(in: repertoire)
        }
        guard let first = names.first else { return nil }
        // Tab stands for Shift-Tab as well, and n for N.
        if first == InspectorKey.tab.name(in: repertoire) { return first }
        if names.count == 2, first.uppercased() == names[1] { return first }
        return names.joined(separator: names.allSatisfy { $0.count == 1 } ? "" : "/")
    }
}
