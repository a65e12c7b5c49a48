import DisplayText

/// A few things to choose from, each with a key of its own.
struct MenuView: ListPanel {
    struct Item: Sendable {
        /// nil where there are more items than keys.
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
    /// The columns of the longest label.
    let widest: Int

    var rowCount: Int { items.count }
    var selectedItem: Item? { items.indices.contains(position.selected) ? items[position.selected] : nil }

    /// A menu; nil where there is nothing to choose.
    init?(_ title: String, _ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.title = title
        self.items = items
        widest = items.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    }

    mutating func show(height: Int) { position.show(count: rowCount, height: height) }
}
