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

    /// Creates a menu with keys for the first items, in their order; nil if there are no items.
    init?(_ title: String, numbered items: [(label: String, choose: @Sendable (inout Inspector) -> Void)]) {
        let keys = Array("123456789abcdefghilmnopqrstuvwxyz")
        self.init(
            title,
            items.enumerated().map { Item($0 < keys.count ? keys[$0] : nil, $1.label, $1.choose) })
    }

    mutating func show(in frame: Rect) { position.show(count: rowCount, height: frame.inset(1).height) }

    /// Moves by one item, however far the wheel is turned.
    mutating func scroll(by rows: Int, height: Int) { move(by: rows.signum()) }
}
