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
        let (word, bit) = Self.place(of: hash, in: bits.count)
        bits[word] |= bit
    }

    /// Adds the hashes of another filter of the same size.
    mutating func formUnion(_ other: HashFilter) {
        for (position, word) in other.bits.enumerated() where word != 0 { bits[position] |= word }
    }

    /// Whether the hash may be among them; false only where it is not.
    func mayContain(_ hash: UInt64) -> Bool { withView { $0.mayContain(hash) } }

    /// Calls `body` with a view that counts no references and is valid only during the call.
    func withView<Result>(_ body: (View) -> Result) -> Result {
        bits.withUnsafeBufferPointer { body(View(bits: $0)) }
    }

    struct View {
        fileprivate let bits: UnsafeBufferPointer<UInt64>

        /// Whether the hash may be among them; false only where it is not.
        @inline(__always)
        func mayContain(_ hash: UInt64) -> Bool {
            let (word, bit) = HashFilter.place(of: hash, in: bits.count)
            return bits[word] & bit != 0
        }
    }

    /// The upper half of the product is below `wordCount`, whatever the hash.
    @inline(__always)
    private static func place(of hash: UInt64, in wordCount: Int) -> (word: Int, bit: UInt64) {
        (Int(hash.multipliedFullWidth(by: UInt64(wordCount)).high), 1 << (hash & 63))
    }
}
