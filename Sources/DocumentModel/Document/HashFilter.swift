/// Which hashes may be among some: a table of bits, sixteen for each hash, that knows those for certain which are not
/// (Bloom 1970, with one bit for each).
struct HashFilter: ~Copyable {
    private var words: OwnedList<UInt64>

    /// An empty filter with room for about `count` hashes.
    init(count: Int) { words = OwnedList(zeros: count / 4 + 1) }

    init(_ hashes: some Sequence<UInt64>, count: Int) {
        self.init(count: count)
        for hash in hashes { insert(hash) }
    }

    mutating func insert(_ hash: UInt64) {
        let (word, bit) = Self.place(of: hash, in: words.count)
        words[word] |= bit
    }

    /// Adds the hashes of another filter of the same size.
    mutating func formUnion(_ other: borrowing HashFilter) {
        precondition(words.count == other.words.count)
        for word in words.indices where other.words[word] != 0 { words[word] |= other.words[word] }
    }

    /// Whether the hash may be among them; false only where it is not.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bit) = Self.place(of: hash, in: words.count)
        return words[word] & bit != 0
    }

    /// The upper half of the product is below `wordCount`, whatever the hash.
    @inline(__always)
    private static func place(of hash: UInt64, in wordCount: Int) -> (word: Int, bit: UInt64) {
        (Int(hash.multipliedFullWidth(by: UInt64(wordCount)).high), 1 << (hash & 63))
    }
}
