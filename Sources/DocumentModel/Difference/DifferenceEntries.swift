import Foundation

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
///
/// ## Invariant
/// `count` entries from `memory` are initialized, and at least `capacity` are allocated with `malloc`. Only the code that
/// makes a difference writes them, on one thread at a time, and nothing writes them after ``finish()``. That makes the
/// class `Sendable`.
final class DifferenceEntries: RandomAccessCollection, @unchecked Sendable {
    private(set) var count = 0
    private var capacity: Int
    private var memory: UnsafeMutablePointer<DifferenceEntry>

    init(capacity: Int = 16) {
        self.capacity = capacity
        memory = .allocated(count: capacity)
    }

    deinit { free(memory) }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(id: Int) -> DifferenceEntry {
        get {
            precondition(id >= 0 && id < count)
            return memory[id]
        }
        _modify {
            precondition(id >= 0 && id < count)
            yield &memory[id]
        }
    }

    @inline(__always)
    func append(_ entry: DifferenceEntry) {
        if count == capacity { grow() }
        (memory + count).initialize(to: entry)
        count += 1
    }

    @inline(never)
    private func grow() { resize(to: capacity + capacity / 2 + 16) }

    /// Appends an entry as often as `more` says, and takes no more memory than that.
    func append(repeating entry: DifferenceEntry, count more: Int) {
        if count + more > capacity { resize(to: count + more) }
        (memory + count).initialize(repeating: entry, count: more)
        count += more
    }

    /// Removes all entries and keeps the memory.
    func removeAll() { count = 0 }

    /// Appends the entries of each part, except its first one. What was inside the first entry is inside the entry at
    /// `id` then.
    ///
    /// - Returns: For each part, the distance by which its entries were shifted.
    func append(inside parts: [DifferenceEntries], below id: Int) -> [Int] {
        var end = count
        let distances = parts.map { part in
            defer { end += part.count - 1 }
            return end - 1
        }
        if end > capacity { resize(to: Swift.max(end, capacity + capacity / 2)) }
        let memory = memory
        Parallel.forEach(parts.count) { place in
            parts[place].copyInside(to: memory + distances[place], movedBy: UInt32(distances[place]), below: UInt32(id))
        }
        count = end
        return distances
    }

    private func copyInside(
        to target: UnsafeMutablePointer<DifferenceEntry>, movedBy distance: UInt32, below parent: UInt32
    ) {
        for id in 1..<count {
            var entry = memory[id]
            entry.parent = entry.parent == 0 ? parent : entry.parent + distance
            entry.end += distance
            if entry.counterpart != DifferenceEntry.none { entry.counterpart += distance }
            (target + id).initialize(to: entry)
        }
    }

    /// Gives back the room for more, where it is large. To give back little costs more than it saves.
    func finish() {
        if (capacity - count) * MemoryLayout<DifferenceEntry>.stride > Self.mostBytesLeft {
            resize(to: Swift.max(1, count))
        }
    }

    /// So many bytes more than are needed may stay allocated.
    private static let mostBytesLeft = 1 << 18

    private func resize(to capacity: Int) {
        memory = memory.reallocated(count: capacity)
        self.capacity = capacity
    }
}

extension UInt32 {
    /// The index or position that an entry has here; nil for ``DifferenceEntry/none``.
    var position: Int? { self == DifferenceEntry.none ? nil : Int(self) }
}
