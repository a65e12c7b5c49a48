import Foundation

/// Which hashes may be among some: a table of bits, sixteen for each hash, that knows those for certain which are not
/// (Bloom 1970, with one bit for each).
///
/// ## Invariant
/// `bits` are `wordCount` words, allocated with the filter.
struct HashFilter: ~Copyable {
    private let wordCount: Int
    private let bits: UnsafeMutablePointer<UInt64>

    /// An empty filter with room for about `count` hashes.
    init(count: Int) {
        wordCount = count / 4 + 1
        bits = UnsafeMutableRawPointer.zeroed(byteCount: wordCount * MemoryLayout<UInt64>.stride)
            .bindMemory(to: UInt64.self, capacity: wordCount)
    }

    deinit { free(bits) }

    init(_ hashes: some Sequence<UInt64>, count: Int) {
        self.init(count: count)
        for hash in hashes { insert(hash) }
    }

    mutating func insert(_ hash: UInt64) {
        let (word, bit) = Self.place(of: hash, in: wordCount)
        bits[word] |= bit
    }

    /// Adds the hashes of another filter of the same size.
    mutating func formUnion(_ other: borrowing HashFilter) {
        precondition(wordCount == other.wordCount)
        for word in 0..<wordCount where other.bits[word] != 0 { bits[word] |= other.bits[word] }
    }

    /// Whether the hash may be among them; false only where it is not.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bit) = Self.place(of: hash, in: wordCount)
        return bits[word] & bit != 0
    }

    /// The upper half of the product is below `wordCount`, whatever the hash.
    @inline(__always)
    private static func place(of hash: UInt64, in wordCount: Int) -> (word: Int, bit: UInt64) {
        (Int(hash.multipliedFullWidth(by: UInt64(wordCount)).high), 1 << (hash & 63))
    }
}
