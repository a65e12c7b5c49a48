/// One place of a difference: what a ``DifferenceNode`` points to.
struct DifferenceEntry: Equatable {
    /// Stands for an index or a position that there is not.
    static let none = UInt32.max

    var kind: DifferenceNode.Kind
    /// Whether the container is an array.
    var isElement = false
    /// Whether the values can only be told apart as wholes by a JSON Patch: objects in which a name occurs more than
    /// once.
    var isPatchedWhole = false
    /// The values' indices in their documents' tapes.
    var old = Self.none
    var new = Self.none
    /// Positions in the old and the new array.
    var oldPosition = Self.none
    var newPosition = Self.none
    /// The entry of the container.
    var parent = Self.none
    /// The entry after this one and everything inside it.
    var end = Self.none
    /// For a moved value, the entry of the other end.
    var counterpart = Self.none

    /// Whether the value is in one document only.
    var isOfOneSide: Bool { kind == .removed || kind == .added }

    /// Whether there is nothing inside the entry, which is the one at `id`.
    func isLeaf(at id: Int) -> Bool { Int(end) == id + 1 }
}

/// The places of a difference in reading order: a container before what is inside it.
///
/// There may be millions, so they lie in memory that grows where it is, as far as the system can do that.
typealias DifferenceEntries = OwnedList<DifferenceEntry>

extension DifferenceEntries {
    /// Copies all entries but the first one to other memory, from `target` on. Their numbers there are greater by
    /// `distance`. What is inside the first entry here is inside the entry `parent` there.
    func copyInside(to target: UnsafeMutablePointer<DifferenceEntry>, movedBy distance: Int, below parent: Int) {
        let (distance, parent) = (UInt32(distance), UInt32(parent))
        for id in indices.dropFirst() {
            var entry = self[id]
            entry.parent = entry.parent == 0 ? parent : entry.parent + distance
            entry.end += distance
            if entry.counterpart != DifferenceEntry.none { entry.counterpart += distance }
            (target + id - 1).initialize(to: entry)
        }
    }
}

extension UInt32 {
    /// The index or position that an entry has here; nil for ``DifferenceEntry/none``.
    var position: Int? { self == DifferenceEntry.none ? nil : Int(self) }
}
