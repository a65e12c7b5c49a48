/// Writes the ends of moves into the places of a difference: removed and added values that moved, or from which or into
/// which something moved, show it.
struct MoveWriter {
    private let entries: DifferenceEntries
    private var old: Ends
    private var new: Ends

    /// The moved values of one document.
    private struct Ends {
        let tape: TapeView
        /// The tape indices of the moved values, in their order.
        let indices: [Int]
        /// Whether the moved values are the old ones of their moves.
        let isOld: Bool
        /// For each node the index of the moved value on the other side; ``DifferenceEntry/none`` for all others. A
        /// table, since there may be as many moves as nodes.
        let partners: [UInt32]
        /// For each of `indices` the entry that was written for it.
        private var written: [UInt32]
        /// The position that was found last. The next one is mostly near by.
        private var last = 0

        init(_ moves: [MoveFinder.Move], of side: DifferenceBuilder.Side, isOld: Bool) {
            tape = side.tape
            self.isOld = isOld
            var partners = [UInt32](repeating: DifferenceEntry.none, count: side.tape.count)
            for move in moves {
                partners[isOld ? move.old : move.new] = UInt32(truncatingIfNeeded: isOld ? move.new : move.old)
            }
            indices = partners.indices.filter { partners[$0] != DifferenceEntry.none }
            written = [UInt32](repeating: DifferenceEntry.none, count: indices.count)
            self.partners = partners
        }

        /// The position among the moved values of the first that is at `index` or behind it.
        private mutating func position(from index: Int) -> Int {
            for _ in 0..<Self.nearBy {
                if last > 0, indices[last - 1] >= index {
                    last -= 1
                } else if last < indices.count, indices[last] < index {
                    last += 1
                } else {
                    return last
                }
            }
            last = indices.partitioningIndex { $0 >= index }
            return last
        }

        private static let nearBy = 8

        /// Whether a value in the range of nodes moved.
        mutating func hasMoves(_ range: Range<Int>) -> Bool {
            let first = position(from: range.lowerBound)
            return first < indices.count && indices[first] < range.upperBound
        }

        /// Notes the entry of the end of a move.
        mutating func note(_ entry: Int, at index: Int) { written[position(from: index)] = UInt32(entry) }

        /// The entry of the end of a move.
        mutating func entry(at index: Int) -> Int? { written[position(from: index)].position }
    }

    /// The places of a difference with the ends of its moves: those that were given where each end is one of them, and
    /// else others.
    static func write(
        _ moves: [MoveFinder.Move], to source: DifferenceEntries, old: DifferenceBuilder.Side,
        new: DifferenceBuilder.Side
    ) -> DifferenceEntries {
        let areOnPlaces = moves.allSatisfy { move in
            Int(source[move.oldTop].old) == move.old && Int(source[move.newTop].new) == move.new
        }
        guard areOnPlaces else {
            var writer = MoveWriter(moves, old: old, new: new, count: source.count)
            writer.write(source)
            return writer.entries
        }
        for move in moves {
            source[move.oldTop].kind = .movedAway
            source[move.oldTop].new = UInt32(move.new)
            source[move.oldTop].counterpart = UInt32(move.newTop)
            source[move.newTop].kind = .movedHere
            source[move.newTop].old = UInt32(move.old)
            source[move.newTop].counterpart = UInt32(move.oldTop)
        }
        return source
    }

    private init(
        _ moves: [MoveFinder.Move], old: DifferenceBuilder.Side, new: DifferenceBuilder.Side, count: Int
    ) {
        entries = DifferenceEntries(capacity: count + 2 * moves.count)
        self.old = Ends(moves, of: old, isOld: true)
        self.new = Ends(moves, of: new, isOld: false)
    }

    private mutating func write(_ source: DifferenceEntries) {
        var ids: [UInt32] = []
        ids.reserveCapacity(source.count)
        var open: [(end: Int, id: Int)] = []
        for id in source.indices {
            var entry = source[id]
            while let last = open.last, last.end == id {
                entries[last.id].end = UInt32(entries.count)
                open.removeLast()
            }
            ids.append(UInt32(entries.count))
            if entry.parent != DifferenceEntry.none { entry.parent = ids[Int(entry.parent)] }
            switch entry.kind {
            case .removed where entry.isLeaf(at: id): Self.write(entry, of: &old, to: entries)
            case .added where entry.isLeaf(at: id): Self.write(entry, of: &new, to: entries)
            default:
                open.append((Int(entry.end), entries.count))
                entries.append(entry)
            }
        }
        for last in open { entries[last.id].end = UInt32(entries.count) }
        for id in entries.indices where entries[id].counterpart != DifferenceEntry.none {
            entries[id].counterpart = ids[Int(entries[id].counterpart)]
        }
        for newIndex in new.indices {
            guard let id = new.entry(at: newIndex), let other = old.entry(at: Int(new.partners[newIndex])) else {
                continue
            }
            entries[id].counterpart = UInt32(other)
            entries[other].counterpart = UInt32(id)
        }
    }

    /// Writes a value that is on one side only: as the end of a move, with its children if one of them is, or as it is.
    private static func write(
        _ source: DifferenceEntry, of side: inout Ends, to entries: DifferenceEntries
    ) {
        let index = Int(side.isOld ? source.old : source.new)
        let end = side.tape.next(after: index)
        let id = entries.count
        let partner = side.partners[index]
        entries.append(source)
        if partner != DifferenceEntry.none {
            entries[id].kind = side.isOld ? .movedAway : .movedHere
            if side.isOld { entries[id].new = partner } else { entries[id].old = partner }
            side.note(id, at: index)
        } else if end > index + 1, side.hasMoves(index..<end) {
            let isObject = side.tape[index].kind == .object
            var child = isObject ? index + 2 : index + 1
            var position: UInt32 = 0
            while child < end {
                var entry = DifferenceEntry(kind: source.kind, isElement: !isObject, parent: UInt32(id))
                if side.isOld { entry.old = UInt32(child) } else { entry.new = UInt32(child) }
                if !isObject {
                    if side.isOld { entry.oldPosition = position } else { entry.newPosition = position }
                }
                write(entry, of: &side, to: entries)
                position += 1
                child = side.tape.next(after: child) + (isObject ? 1 : 0)
            }
        }
        entries[id].end = UInt32(entries.count)
    }
}
