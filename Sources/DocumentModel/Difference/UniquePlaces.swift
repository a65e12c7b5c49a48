/// A table of the place of each hash that occurs at only one place, with open addressing and linear probing (D. Knuth,
/// "The Art of Computer Programming", volume 3, section 6.4, algorithm L).
///
/// There may be millions of hashes, most of which are looked up once, so each lookup accesses a single location in
/// memory.
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

    /// Creates an empty table with some capacity.
    init(count: Int = 8) { slots = OwnedList(repeating: Slot(), count: max(4, count * 2)) }

    /// The place of the hash, or nil if it doesn't occur or occurs at several places.
    subscript(hash: UInt64) -> Int? {
        let place = slots[slot(of: hash)].place
        return place < Self.several ? Int(place) : nil
    }

    /// Returns whether the hash occurs at one or more places.
    func contains(_ hash: UInt64) -> Bool { slots[slot(of: hash)].place != Self.empty }

    /// Calls `body` with the place of each hash that occurs only there. The order is undefined, and a place is repeated
    /// for each such hash.
    func forEachPlace(_ body: (Int) -> Void) {
        for slot in slots.indices where slots[slot].place < Self.several { body(Int(slots[slot].place)) }
    }

    /// Records that the hash occurs at a place, which may already be recorded.
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

    /// Returns the slot that contains the hash, or the one for inserting it.
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
