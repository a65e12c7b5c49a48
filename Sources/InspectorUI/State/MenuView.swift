import DisplayText

/// A menu of items, each with its own key.
struct MenuView: ListPanel {
    struct Item: Sendable {
        /// The item's key; nil if there are more items than keys.
        let key: Character?
        let label: String
        let choose: @Sendable (inout Inspector) -> Void

        init(_ key: Character?, _ label: String, _ choose: @escaping @Sendable (inout Inspector) -> Void) {
            self.key = key
            self.label = label
            self.choose = choose
        }
    }

    let title: String
    let items: [Item]
    var position = ListPosition()
    /// The width of the longest label.
    let widest: Int

    var rowCount: Int { items.count }
    var selectedItem: Item? { items.indices.contains(position.selected) ? items[position.selected] : nil }

    /// Creates a menu; nil if there are no items.
    init?(_ title: String, _ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.title = title
        self.items = items
        widest = items.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    }

    mutating func show(height: Int) { position.show(count: rowCount, height: height) }
}
