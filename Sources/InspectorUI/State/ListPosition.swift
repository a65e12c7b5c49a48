/// A position in a list of rows: the selected row and the first row on the screen.
struct ListPosition: Hashable, Sendable {
    private(set) var selected = 0
    private(set) var top = 0

    /// Selects a row. A row outside the list selects the first or last row.
    mutating func select(_ row: Int, count: Int) {
        selected = max(0, min(row, count - 1))
    }

    mutating func move(by rows: Int, count: Int) {
        select(Self.sum(selected, rows), count: count)
    }

    /// Scrolls without moving the selection, unless it would leave the screen.
    mutating func scroll(by rows: Int, count: Int, height: Int) {
        top = max(0, min(Self.sum(top, rows), count - height))
        selected = max(top, min(selected, Self.sum(top, height - 1), count - 1))
    }

    /// Scrolls the selection into view, moving as little as possible and leaving no rows empty at the end. A list that is
    /// hidden stays where it is.
    mutating func show(count: Int, height: Int) {
        selected = max(0, min(selected, count - 1))
        guard height > 0 else { return }
        if selected < top { top = selected }
        if selected - top >= height { top = selected - height + 1 }
        top = max(0, min(top, count - height))
    }

    /// Scrolls the selection to the middle of the screen, after a jump.
    mutating func center(count: Int, height: Int) {
        top = max(0, min(selected - height / 2, count - height))
    }

    /// Returns the sum clamped to the range of `Int`, since callers may scroll by any number.
    static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooMuch) = left.addingReportingOverflow(right)
        return isTooMuch ? (right > 0 ? .max : .min) : sum
    }

    /// Returns the rows on the screen.
    func visible(count: Int, height: Int) -> Range<Int> {
        let top = max(0, min(top, count))
        return top..<max(top, min(count, Self.sum(top, height)))
    }
}
