/// A filter that shows which hashes may be in a set: a bit table with sixteen bits for each hash, which can rule out
/// hashes with certainty (B. Bloom 1970). Each hash sets three bits of one word, so that a lookup takes one memory
/// access (F. Putze, P. Sanders and J. Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007). About one in
/// two hundred hashes that are not in the set is reported as possibly in it. With one bit per hash it was one in
/// sixteen; if that one was a value that all records have, all of them were searched.
struct HashFilter: ~Copyable {
    private var words: OwnedList<UInt64>

    /// Creates an empty filter for about `count` hashes.
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

    /// Returns whether the hash may be in the set; false only if it isn't.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bits) = Self.place(of: hash, in: words.count)
        return words[word] & bits == bits
    }

    @inline(__always)
    private static func bit(_ hash: UInt64) -> UInt64 { 1 << (hash & 63) }

    @inline(__always)
    private static func place(of hash: UInt64, in wordCount: Int) -> (word: Int, bits: UInt64) {
        // The upper half of the product is below `wordCount` for any hash.
        let word = Int(hash.multipliedFullWidth(by: UInt64(wordCount)).high)
        return (word, bit(hash) | bit(hash >> 6) | bit(hash >> 12))
    }
}
