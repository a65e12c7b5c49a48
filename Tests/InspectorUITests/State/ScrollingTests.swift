import TestSupport
import Testing

@testable import InspectorUI

@Suite("Scrolling")
struct ScrollingTests {
    @Test("moves scroll no further than necessary, and leave no empty rows at the end", arguments: 1...7)
    func moves(height: Int) {
        var generator = SeededGenerator(seed: UInt64(height))
        for count in 0..<12 {
            var position = ListPosition()
            for _ in 0..<60 {
                let before = position
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    let row = Int.random(in: -3...14, using: &generator)
                    position.select(row, count: count)
                    #expect(position.selected == max(0, min(row, count - 1)) && position.top == before.top)
                case 1:
                    let rows = Int.random(in: -4...4, using: &generator)
                    position.move(by: rows, count: count)
                    #expect(position.selected == max(0, min(before.selected + rows, count - 1)))
                case 2:
                    let rows = Int.random(in: -4...4, using: &generator)
                    position.scroll(by: rows, count: count, height: height)
                    #expect(position.top == max(0, min(before.top + rows, count - height)))
                    let visible = position.visible(count: count, height: height)
                    if visible.contains(before.selected) {
                        #expect(position.selected == before.selected)
                    } else if let first = visible.first, let last = visible.last {
                        #expect(position.selected == (before.selected < first ? first : last))
                    }
                default:
                    position.center(count: count, height: height)
                    #expect(position.top == max(0, min(before.selected - height / 2, count - height)))
                }
                let unshown = position
                position.show(count: count, height: height)
                let visible = position.visible(count: count, height: height)
                #expect(visible.contains(position.selected) || count == 0)
                #expect(visible.count == min(count, height))
                let wasVisible = unshown.visible(count: count, height: height)
                if wasVisible.count == min(count, height) {
                    if wasVisible.contains(position.selected) {
                        #expect(position.top == unshown.top)
                    } else if count > 0 {
                        #expect(position.selected == (position.top < unshown.top ? visible.first : visible.last))
                    }
                }
            }
        }
    }

    @Test("the help scrolls as long as there is more, and follows the window's height")
    func help() {
        var page = PageView("Keys", (0..<20).map { .keys([.character("x")], "\($0)") })
        func shown() -> [String] {
            page.visible.map { if case .keys(_, let text) = $0 { text } else { "" } }
        }
        page.show(rows: 5)
        #expect(shown() == ["0", "1", "2", "3", "4"])
        #expect(page.canMove(forward: true) && !page.canMove(forward: false))
        page.move(by: 14)
        #expect(shown().first == "14" && page.canMove(forward: true) && page.canMove(forward: false))
        page.move(by: 1)
        #expect(shown() == ["15", "16", "17", "18", "19"] && !page.canMove(forward: true))
        page.show(rows: 8)
        #expect(shown().first == "12" && shown().count == 8)
        page.moveToEnd(forward: false)
        #expect(shown().first == "0")
        page.moveToEnd(forward: true)
        #expect(shown().last == "19")
        page.scroll(by: -3, height: 8)
        #expect(shown().last == "16")
        page.show(rows: 30)
        #expect(shown().count == 20)
        page.show(rows: -1)
        #expect(shown().isEmpty)
    }
}

extension PageView {
    /// Lays out the page in a frame around this number of rows.
    fileprivate mutating func show(rows: Int) { show(in: Rect(x: 0, y: 0, width: 80, height: rows + 2)) }
}
