import TestSupport
import Testing

@testable import DocumentModel

@Suite("Hashes")
struct FastHashTests {
    @Test("a hash that occurs twice is noticed, wherever it is, among any number of hashes")
    func distinct() {
        var generator = SeededGenerator(seed: 5)
        for count in [0, 1, 2, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000, 5000] {
            for isSpread in [false, true] {
                var hashes = (0..<UInt64(count)).map { isSpread ? generator.next() : $0 << 3 }
                #expect(FastHash.areDistinct(hashes))
                guard count > 1 else { continue }
                for _ in 0..<10 {
                    let (from, to) = (
                        Int.random(in: 0..<count, using: &generator), Int.random(in: 1..<count, using: &generator)
                    )
                    let kept = hashes[(from + to) % count]
                    hashes[(from + to) % count] = hashes[from]
                    #expect(!FastHash.areDistinct(hashes))
                    hashes[(from + to) % count] = kept
                }
            }
        }
    }

    @Test("every byte of a text counts, and so does its length")
    func bytes() {
        for count in Array(0...40) + Array(120...170) + [1000] {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            var hashes: Set<UInt64> = []
            for place in 0...count {
                var changed = text
                if place < count { changed[place] ^= 0x40 }
                changed.withUnsafeBytes { _ = hashes.insert(FastHash.hash($0)) }
            }
            (text + [0]).withUnsafeBytes { _ = hashes.insert(FastHash.hash($0)) }
            #expect(hashes.count == count + 2)
        }
    }

    @Test("two texts are the same if they have the same length and the same bytes")
    func sameBytes() {
        for count in 0...40 {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) }
            func isSame(as other: [UInt8]) -> Bool {
                text.withUnsafeBytes { text in other.withUnsafeBytes { FastHash.haveSameBytes(text, $0) } }
            }
            #expect(isSame(as: text))
            #expect(!isSame(as: text + [0]))
            for place in 0..<count {
                var changed = text
                changed[place] ^= 0x40
                #expect(!isSame(as: changed))
            }
        }
    }

    @Test("the order of a long text's words counts, in every lane")
    func order() {
        var hashes: Set<UInt64> = []
        let words = (0..<32).map { [UInt8](repeating: UInt8($0), count: 8) }
        for first in words.indices {
            for second in words.indices where second > first {
                var swapped = words
                swapped.swapAt(first, second)
                swapped.flatMap(\.self).withUnsafeBytes { _ = hashes.insert(FastHash.hash($0)) }
            }
        }
        #expect(hashes.count == 32 * 31 / 2)
    }
}
