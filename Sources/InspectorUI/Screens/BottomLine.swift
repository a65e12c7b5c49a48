import DisplayText

/// The last line: the keys that can be used at the moment, or a message.
enum BottomLine {
    static func draw(_ inspector: Inspector, _ row: Rect, on canvas: inout Canvas) {
        if let message = inspector.message {
            canvas.draw(
                message.text, x: row.x + 1, y: row.y, style: .warning, maxWidth: row.width - 2, overflow: .ellipsis)
            return
        }
        drawKeys(inspector, row, on: &canvas)
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
        let groups = inspector.keys
        let items = groups.compactMap { group -> Item? in
            guard let hint = group.hint, let keys = keys(of: group, among: groups, inspector, repertoire) else {
                return nil
            }
            return Item(keys: keys, word: hint, group: group)
        }
        var room = width - 2 - items.filter(\.group.isAlwaysShown).reduce(0) { $0 + $1.columns(repertoire) }
        // If there is hardly any room, opening and going back take precedence over the arrow keys.
        let isFirst = { (item: Item) in
            width < narrow && item.group.bindings.contains { [.showStep, .back].contains($0.command) }
        }
        var shown = Set(items.indices.filter { items[$0].group.isAlwaysShown })
        for index in items.indices.filter({ isFirst(items[$0]) }) + items.indices.filter({ !isFirst(items[$0]) })
        where !shown.contains(index) && room >= items[index].columns(repertoire) {
            room -= items[index].columns(repertoire)
            shown.insert(index)
        }
        return items.indices.filter(shown.contains).map { items[$0] }
    }

    /// Returns the first key of each command that would have an effect, as one word such as "↑↓"; nil if none would.
    private static func keys(
        of group: KeyGroup, among groups: [KeyGroup], _ inspector: Inspector, _ repertoire: Repertoire
    ) -> String? {
        let names = group.bindings.compactMap { binding in
            binding.keys.first { inspector.command(for: $0, among: groups)?.command == binding.command }?
                .name(in: repertoire)
        }
        guard let first = names.first else { return nil }
        // Tab stands for Shift-Tab as well, and n for N.
        if first == InspectorKey.tab.name(in: repertoire) { return first }
        if names.count == 2, first.uppercased() == names[1] { return first }
        return names.joined(separator: names.allSatisfy { $0.count == 1 } ? "" : "/")
    }
}
