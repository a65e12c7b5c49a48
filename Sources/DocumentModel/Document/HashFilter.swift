/// Which hashes may be among some: a table of bits, sixteen for each hash, that knows those for certain which are not
/// (Bloom 1970, with one bit for each).
struct HashFilter {
    private var bits: [UInt64]

    /// An empty filter with room for about `count` hashes.
    init(count: Int) { bits = [UInt64](repeating: 0, count: count / 4 + 1) }

    init(_ hashes: some Sequence<UInt64>, count: Int) {
        self.init(count: count)
        for hash in hashes { insert(hash) }
    }

    mutating func insert(_ hash: UInt64) {
        let (word, bit) = place(of: hash)
        bits[word] |= bit
    }

    /// Whether the hash may be among them; false only where it is not.
    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bit) = place(of: hash)
        return bits[word] & bit != 0
    }

    private func place(of hash: UInt64) -> (word: Int, bit: UInt64) {
        (Int(hash.multipliedFullWidth(by: UInt64(bits.count)).high), 1 << (hash & 63))
    }
}
