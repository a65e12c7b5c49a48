/// For hashes the one place where each occurs, if it is one: a table with open addressing and linear probing (D. Knuth,
/// "The Art of Computer Programming", volume 3, section 6.4, algorithm L).
///
/// There may be millions, of which most are looked for once, so that each look goes to one place in memory.
struct UniquePlaces: ~Copyable {
    private struct Slot {
        var hash: UInt64 = 0
        /// The place, ``empty`` or ``several``.
        var place = UniquePlaces.empty
    }

    private var slots: OwnedList<Slot>
    private var count = 0
    private static let empty = UInt32.max
    private static let several = UInt32.max - 1

    /// An empty table, with room for some.
    init(count: Int = 8) { slots = OwnedList(repeating: Slot(), count: max(4, count * 2)) }

    /// The place where the hash occurs; nil where it does not occur, or at several.
    subscript(hash: UInt64) -> Int? {
        let place = slots[slot(of: hash)].place
        return place < Self.several ? Int(place) : nil
    }

    /// Whether the hash occurs, at one place or at several.
    func contains(_ hash: UInt64) -> Bool { slots[slot(of: hash)].place != Self.empty }

    /// Calls `body` with the places where a hash occurs that occurs nowhere else; in no order, and with one place as
    /// often as it has such hashes.
    func forEachPlace(_ body: (Int) -> Void) {
        for slot in slots.indices where slots[slot].place < Self.several { body(Int(slots[slot].place)) }
    }

    /// Notes that the hash occurs at a place, which may be one that is known.
    mutating func note(_ hash: UInt64, at place: Int) {
        let slot = slot(of: hash)
        if slots[slot].place == Self.empty {
            slots[slot] = Slot(hash: hash, place: UInt32(place))
            count += 1
            if count * 3 > slots.count * 2 { grow() }
        } else if slots[slot].place != UInt32(place) {
            slots[slot].place = Self.several
        }
    }

    /// Where the hash stands, or is to be written.
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high)
        while slots[slot].place != Self.empty, slots[slot].hash != hash {
            slot += 1
            if slot == slots.count { slot = 0 }
        }
        return slot
    }

    private mutating func grow() {
        var larger = UniquePlaces(count: slots.count)
        for slot in slots.indices where slots[slot].place != Self.empty {
            larger.slots[larger.slot(of: slots[slot].hash)] = slots[slot]
        }
        larger.count = count
        self = larger
    }
}
