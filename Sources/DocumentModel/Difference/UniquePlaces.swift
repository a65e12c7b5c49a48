/// For hashes the one place where each occurs, if it is one: a table with open addressing and linear probing (D. Knuth,
/// "The Art of Computer Programming", volume 3, section 6.4, algorithm L).
///
/// There may be millions, of which most are looked for once, so that each takes twelve bytes and no more than a look
/// into memory or two.
struct UniquePlaces {
    private var hashes: [UInt64]
    /// The place, ``empty`` or ``several``.
    private var places: [UInt32]
    private var count = 0
    private static let empty = UInt32.max
    private static let several = UInt32.max - 1

    /// An empty table, with room for some.
    init(count: Int = 8) {
        let capacity = max(16, count * 2)
        hashes = [UInt64](repeating: 0, count: capacity)
        places = [UInt32](repeating: Self.empty, count: capacity)
    }

    /// The place where the hash occurs; nil where it does not occur, or at several.
    subscript(hash: UInt64) -> Int? {
        let place = places[slot(of: hash)]
        return place < Self.several ? Int(place) : nil
    }

    /// Whether the hash occurs, at one place or at several.
    func contains(_ hash: UInt64) -> Bool { places[slot(of: hash)] != Self.empty }

    /// Notes that the hash occurs at a place, which may be one that is known.
    mutating func note(_ hash: UInt64, at place: Int) {
        let slot = slot(of: hash)
        if places[slot] == Self.empty {
            hashes[slot] = hash
            places[slot] = UInt32(place)
            count += 1
            if count * 3 > places.count * 2 { grow() }
        } else if places[slot] != UInt32(place) {
            places[slot] = Self.several
        }
    }

    /// Where the hash stands, or is to be written.
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(hash.multipliedFullWidth(by: UInt64(places.count)).high)
        while places[slot] != Self.empty, hashes[slot] != hash {
            slot += 1
            if slot == places.count { slot = 0 }
        }
        return slot
    }

    private mutating func grow() {
        var larger = UniquePlaces(count: places.count)
        for (hash, place) in zip(hashes, places) where place != Self.empty {
            let slot = larger.slot(of: hash)
            (larger.hashes[slot], larger.places[slot]) = (hash, place)
        }
        larger.count = count
        self = larger
    }
}
