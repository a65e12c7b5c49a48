import Foundation
import Testing

@testable import DocumentModel

@Suite("A list with one owner")
struct OwnedListTests {
    /// Counts the values that exist.
    private final class Counter {
        var count = 0
    }

    /// A value that cannot be copied and is counted while it exists.
    private struct Counted: ~Copyable {
        let counter: Counter
        let number: Int

        init(_ number: Int, _ counter: Counter) {
            self.number = number
            self.counter = counter
            counter.count += 1
        }

        deinit { counter.count -= 1 }
    }

    private func numbers(_ list: borrowing OwnedList<Int>) -> [Int] { list.withElements { Array($0) } }

    @Test("a list keeps its elements in order while it grows", arguments: [0, 1, 4, 5, 100])
    func grows(capacity: Int) {
        var list = OwnedList<Int>(capacity: capacity)
        for number in 0..<50 { list.append(number) }
        Array(50..<200).withUnsafeBufferPointer { list.append(contentsOf: $0) }
        #expect(numbers(list) == Array(0..<200))
        let last = list.last
        #expect(last == 199)
        let removed = list.removeLast()
        #expect(removed == 199)
        list.removeAll { $0 % 3 != 1 }
        #expect(numbers(list) == (0..<199).filter { $0 % 3 == 1 })
        list.sort(by: >)
        #expect(numbers(list) == (0..<199).reversed().filter { $0 % 3 == 1 })
        list.removeAll()
        #expect(numbers(list).isEmpty)
    }

    @Test("a list keeps its elements when room is reserved, and loses only those after the new end")
    func room() {
        var list = OwnedList(repeating: 7, count: 3)
        list.reserve(0)
        list.reserve(1000)
        for number in 0..<1000 { list.append(number) }
        list.removeAll(after: 5)
        #expect(numbers(list) == [7, 7, 7, 0, 1])
        list.removeAll(after: 0)
        list.append(9)
        #expect(numbers(list) == [9])
        #expect(numbers(OwnedList(repeating: 7, count: 0)).isEmpty)
    }

    @Test("a list hands over its elements in the memory that holds them", arguments: [0, 1, 3, 10_000])
    func released(count: Int) {
        var list = OwnedList<Int>(capacity: 2)
        for number in 0..<count { list.append(number) }
        let released = list.released()
        #expect(Array(UnsafeBufferPointer(start: released.memory, count: released.count)) == Array(0..<count))
        free(released.memory)
        let empty = OwnedList<Int>().released()
        #expect(empty.count == 0)
        free(empty.memory)
    }

    @Test("a view shows the elements of a list where they are")
    func view() {
        var list = OwnedList<Int>()
        for number in 0..<10 { list.append(number * number) }
        list.withElements { elements in
            let view = ElementsView(elements)
            #expect(Array(view) == (0..<10).map { $0 * $0 })
            #expect(view[3] == 9 && view.indices == 0..<10)
        }
    }

    @Test("an element is inserted in order, after equal ones")
    func inserting() {
        var list = OwnedList<Int>()
        for number in [31, 10, 32, 20, 11, 33, 0] { list.insert(number) { $0 / 10 < $1 / 10 } }
        #expect(numbers(list) == [0, 10, 11, 20, 31, 32, 33])
    }

    @Test("elements that a closure writes are appended, even none of them", arguments: [0, 1, 3, 10_000])
    func appendingWritten(count: Int) {
        var list = OwnedList<Int>()
        list.append(7)
        list.append(count: count) { memory in
            for place in 0..<count { (memory + place).initialize(to: place) }
        }
        list.append(8)
        #expect(numbers(list) == [7] + Array(0..<count) + [8])
    }

    @Test("a list of zeros can be appended to", arguments: [0, 1, 512, 513, 100_000])
    func zeros(count: Int) {
        var list = OwnedList<Int>(zeros: count)
        list.append(5)
        #expect(numbers(list) == Array(repeating: 0, count: count) + [5])
    }

    @Test("a list gives back unused room, and keeps its elements", arguments: [0, 1, 3, 100_000])
    func trimming(count: Int) {
        var list = OwnedList<Int>(capacity: 200_000)
        for number in 0..<count { list.append(number) }
        list.trim()
        #expect(list.capacity < 150_000)
        list.append(count)
        #expect(numbers(list) == Array(0...count))
    }

    @Test("lists are joined in order, including empty ones")
    func joining() {
        var parts = OwnedList<OwnedList<Int>>()
        for count in [0, 3, 0, 70, 1] {
            var part = OwnedList<Int>()
            for number in 0..<count { part.append(number) }
            parts.append(part)
        }
        #expect(numbers(OwnedList(joining: parts)) == [0, 1, 2] + Array(0..<70) + [0])
        #expect(numbers(OwnedList(joining: OwnedList<OwnedList<Int>>())).isEmpty)
    }

    @Test("each element is released once, whether it was taken out or goes with the list")
    func lettingGo() {
        let counter = Counter()
        do {
            var list = OwnedList<Counted>()
            for number in 0..<20 { list.append(Counted(number, counter)) }
            #expect(counter.count == 20)
            let last = list.removeLast().number
            #expect(last == 19)
            #expect(counter.count == 19)
            let taken = list.taken()
            let left = list.count
            #expect(left == 0)
            let kept = taken.count
            #expect(kept == 19)
            list.append(Counted(100, counter))
            list.removeAll()
            #expect(counter.count == 19)
            list.append(Counted(101, counter))
            list[0] = Counted(102, counter)
            #expect(counter.count == 20)
            let number = taken[18].number
            #expect(number == 18)
        }
        #expect(counter.count == 0)
        do {
            let made = Parallel.map(9) { Counted($0, counter) }
            let sum = made.indices.reduce(0) { $0 + made[$1].number }
            #expect(sum == 36)
            #expect(counter.count == 9)
        }
        #expect(counter.count == 0)
    }
}
