/// Which hashes may be among some: a table of bits, sixteen for each hash, that knows for certain which hashes are not
/// among them (B. Bloom 1970). Each hash sets three bits of one word, so that looking for a hash takes one access to
/// memory (F. Putze, P. Sanders and J. Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007). Of the hashes
/// that are not among them, about one in two hundred may be. With one bit it was one in sixteen, and where that one was a
/// value that all records have, all of them were looked at.
struct HashFilter: ~Copyable {
    private var words: OwnedList<UInt64>

    /// An empty filter with room for about `count` hashes.
    init(count: Int) { words = OwnedList(zeros: count / 4 + 1) }

    init(_ hashes: some Sequence<UInt64>, count: Int) {
        self.init(count: count)
        for hash in hashes { insert(hash) }
    }

    mutating func insert(_ hash: UInt64) {
        let (word, bits) = Self.place(of: hash, in: words.count)
        words[word] |= bits
    }

    /// Adds the hashes of another filter of the same size.
    mutating func formUnion(_ other: borrowing HashFilter) {
        precondition(words.count == other.words.count)
        for word in words.indices where other.words[word] != 0 { words[word] |= other.words[word] }
    }

    /// Whether the hash may be among them; false only where it is not.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bits) = Self.place(of: hash, in: words.count)
        return words[word] & bits == bits
    }

    @inline(__always)
    private static func bit(_ hash: UInt64) -> UInt64 { 1 << (hash & 63) }

    @inline(__always)
    private static func place(of hash: UInt64, in wordCount: Int) -> (word: Int, bits: UInt64) {
        // The upper half of the product is below `wordCount`, whatever the hash.
        let word = Int(hash.multipliedFullWidth(by: UInt64(wordCount)).high)
        return (word, bit(hash) | bit(hash >> 6) | bit(hash >> 12))
    }
}
