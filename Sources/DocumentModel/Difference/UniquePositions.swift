/// The positions of hashes, to find those that occur at a single position.
struct UniquePositions {
    /// The position of each hash; nil if it occurs at several.
    private var positions: [UInt64: Int?] = [:]

    /// The position of the hash, or nil if it doesn't occur or occurs at several positions.
    subscript(hash: UInt64) -> Int? { positions[hash] ?? nil }

    /// Returns whether the hash occurs at one or more positions.
    func contains(_ hash: UInt64) -> Bool { positions[hash] != nil }

    /// The positions of the hashes that occur at only one.
    var all: Set<Int> { Set(positions.values.compactMap(\.self)) }

    /// Records that the hash occurs at a position, which may already be recorded.
    mutating func note(_ hash: UInt64, at position: Int) {
        if let known = positions[hash] {
            if known != position { positions[hash] = .some(nil) }
        } else {
            positions[hash] = position
        }
    }
}
