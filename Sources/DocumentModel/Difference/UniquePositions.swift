/// The positions of hashes, to find those that occur at a single position.
struct UniquePositions {
    /// The position of each hash, or ``several``.
    private var positions: [UInt64: Int] = [:]
    private static let several = -1

    /// The position of the hash, or nil if it doesn't occur or occurs at several positions.
    subscript(hash: UInt64) -> Int? { positions[hash].flatMap { $0 == Self.several ? nil : $0 } }

    /// The positions of the hashes that occur at only one, in no order. A position is repeated for each such hash.
    var all: some Sequence<Int> { positions.values.lazy.filter { $0 != Self.several } }

    /// Records that the hash occurs at a position, which may already be recorded.
    mutating func note(_ hash: UInt64, at position: Int) {
        if let known = positions.updateValue(position, forKey: hash), known != position {
            positions[hash] = Self.several
        }
    }
}
