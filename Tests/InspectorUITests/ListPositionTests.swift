import Testing

@testable import InspectorUI

@Suite("Positions in a list")
struct ListPositionTests {
    @Test("a list position accepts moves of any distance", arguments: [Int.max, .max - 1, .min, .min + 1])
    func extremes(distance: Int) {
        var position = ListPosition()
        for _ in 0..<2 {
            position.move(by: distance, count: 10)
            #expect(position.selected == (distance > 0 ? 9 : 0))
            position.scroll(by: distance, count: 10, height: 4)
            #expect(position.top == (distance > 0 ? 6 : 0))
        }
    }

    @Test("a list position accepts lists and windows of any size", arguments: [Int.max, .max - 1, 0, 1])
    func sizes(size: Int) {
        var position = ListPosition()
        position.select(.max, count: size)
        position.show(count: size, height: 4)
        position.center(count: size, height: 4)
        #expect(position.visible(count: size, height: .max).contains(position.selected) == (size > 0))
        position.scroll(by: -1, count: size, height: .max)
        position.show(count: size, height: .max)
        #expect(position.top == 0 || size > 1)
    }

    @Test("a list that is hidden for a while does not scroll")
    func hidden() {
        var position = ListPosition()
        position.select(7, count: 60)
        for height in [15, 0, -1, 15] { position.show(count: 60, height: height) }
        #expect(position.top == 0 && position.selected == 7)
        position.show(count: 5, height: 0)
        #expect(position.selected == 4)
    }

    @Test("a document list accepts wheel moves of any distance")
    func documents() {
        var list = DocumentList()
        list.append([FoundDocument(id: 0, name: "a"), FoundDocument(id: 1, name: "b")])
        list.move(by: .max)
        #expect(list.selectedRow == 1)
        list.move(by: .max)
        #expect(list.selectedRow == 1)
        list.move(by: .min)
        #expect(list.selectedRow == 0)
    }
}
