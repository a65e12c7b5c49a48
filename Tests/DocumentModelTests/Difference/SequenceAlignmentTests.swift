import TestSupport
import Testing

@testable import DocumentModel

@Suite("The common items of two sequences")
struct SequenceAlignmentTests {
    private func pairs(_ old: [UInt64], _ new: [UInt64]) throws -> [SequenceAlignment.Pair] {
        let pairs = SequenceAlignment.pairs(old, new, checkpoint: {})
        for pair in pairs { try #require(old[pair.old] == new[pair.new]) }
        for (pair, next) in zip(pairs, pairs.dropFirst()) { try #require(pair.old < next.old && pair.new < next.new) }
        return pairs
    }

    private func longestLength(_ old: [UInt64], _ new: [UInt64]) -> Int {
        var row = [Int](repeating: 0, count: new.count + 1)
        for item in old {
            var diagonal = 0
            for (place, other) in new.enumerated() {
                let above = row[place + 1]
                row[place + 1] = item == other ? diagonal + 1 : max(above, row[place])
                diagonal = above
            }
        }
        return row[new.count]
    }

    @Test("an alignment of few items is as long as possible")
    func short() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let letters = UInt64.random(in: 1...6, using: &generator)
            func items() -> [UInt64] {
                (0..<Int.random(in: 0...14, using: &generator)).map { _ in .random(in: 1...letters, using: &generator) }
            }
            let (old, new) = (items(), items())
            try #require(try pairs(old, new).count == longestLength(old, new), "\(old) \(new)")
        }
    }

    @Test("an alignment of many unique items has everything that was kept")
    func long() throws {
        var generator = SeededGenerator(seed: 2)
        for count in [60, 64, 65, 70, 300, 2000] as [UInt64] {
            let kept = (0..<count).map { $0 * 10 }
            var sides: [[UInt64]] = [[], []]
            for item in kept {
                for side in sides.indices {
                    if generator.chance(30) { sides[side].append(item + 1 + UInt64(side)) }
                    sides[side].append(item)
                }
            }
            #expect(try pairs(sides[0], sides[1]).count == kept.count)
        }
    }

    @Test("an alignment of repetitive items has most of what was kept, even if more changed than a search covers")
    func repetitive() throws {
        var generator = SeededGenerator(seed: 3)
        let old = (0..<1200).map { _ in UInt64.random(in: 1...40, using: &generator) }
        var new = old
        for place in new.indices where generator.chance(30) { new[place] = .random(in: 1...40, using: &generator) }
        let kept = zip(old, new).count { $0 == $1 }
        #expect(try kept > 700 && pairs(old, new).count > kept * 9 / 10)
        // Only the ends are in common.
        let ends = ([7] + [UInt64](repeating: 1, count: 900) + [8], [7] + [UInt64](repeating: 2, count: 900) + [8])
        #expect(try pairs(ends.0, ends.1).map(\.old) == [0, 901])
    }

    @Test("an alignment keeps what is between unique items, even if their neighbors repeat themselves")
    func anchors() throws {
        // Blocks of the same lines around a unique line. One of the blocks moved.
        let blocks = (0..<100 as Range<UInt64>).map { [1, 2, 1000 + $0, 2, 1, 3] }
        var moved = blocks
        moved.insert(moved.remove(at: 20), at: 80)
        let (old, new) = (Array(blocks.joined()), Array(moved.joined()))
        #expect(try pairs(old, new).count >= old.count - 6)
    }

    @Test("the longest choice of pairs that is in order is kept")
    func longestGrowing() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let pairs = (0..<Int.random(in: 0...20, using: &generator)).map {
                (old: $0, new: Int.random(in: 0...20, using: &generator))
            }
            let chosen = SequenceAlignment.longestGrowing(pairs)
            #expect(zip(chosen, chosen.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new })
            #expect(chosen.allSatisfy { pairs[$0.old].new == $0.new })
            var lengths: [Int] = []
            for (place, pair) in pairs.enumerated() {
                let before = pairs[..<place].indices.filter { pairs[$0].new < pair.new }.map { lengths[$0] }
                lengths.append((before.max() ?? 0) + 1)
            }
            #expect(chosen.count == lengths.max() ?? 0)
        }
    }

    @Test("an alignment is given up when it is cancelled")
    func cancelling() {
        struct Cancelled: Error {}
        for count in [40, 400] as [UInt64] {
            let old = (0..<count).map { $0 % 7 }
            #expect(throws: Cancelled.self) {
                try SequenceAlignment.pairs(old, old.map { $0 * 3 % 7 }, checkpoint: { throw Cancelled() })
            }
        }
    }
}
