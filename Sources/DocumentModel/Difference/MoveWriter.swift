/// Writes the ends of moves into the places of a difference, so that removed and added values show whether they, or
/// values inside them, moved.
///
/// If each end already has a place, the places are only changed. Otherwise the number of places grows: the new ones are
/// counted, and the existing places are shifted in memory, starting with the last.
struct MoveWriter: ~Copyable {
    private var old: Ends
    private var new: Ends

    /// The moved values of one document.
    private struct Ends: ~Copyable {
        let tape: TapeView
        /// Whether these are the old ends of the moves.
        let isOld: Bool
        /// For each node, the index of the moved value on the other side and, once the end is written, its entry;
        /// ``DifferenceEntry/none`` for all others. This is a table because there may be as many moves as nodes.
        var partners: OwnedList<UInt32>
        /// The moved values.
        private var moved: NodeSet

        init(_ moves: borrowing OwnedList<MoveFinder.Move>, of side: DifferenceBuilder.Side, isOld: Bool) {
            tape = side.tape
            self.isOld = isOld
            partners = OwnedList(repeating: DifferenceEntry.none, count: side.tape.count)
            moved = NodeSet(nodeCount: side.tape.count)
            for place in moves.indices {
                let move = moves[place]
                let (index, partner) = isOld ? (move.old, move.new) : (move.new, move.old)
                partners[index] = UInt32(partner)
                moved.insert(index..<index + 1)
            }
        }

        /// Returns whether something inside the value moved, but not the value itself.
        func isMovedInside(_ index: Int) -> Bool {
            let end = tape.next(after: index)
            return end > index + 1 && partners[index] == DifferenceEntry.none && moved.containsAny(of: index + 1..<end)
        }

        /// Returns the number of places that are written for the contents of a value.
        func placesInside(_ index: Int) -> Int {
            guard isMovedInside(index) else { return 0 }
            var count = 0
            tape.forEachChild(of: index) { child, _ in count += 1 + placesInside(child) }
            return count
        }
    }

    /// Writes the ends of moves into the places of a difference.
    static func write(
        _ moves: borrowing OwnedList<MoveFinder.Move>, to entries: inout DifferenceEntries, old: DifferenceBuilder.Side,
        new: DifferenceBuilder.Side
    ) {
        let areOnPlaces = moves.indices.allSatisfy { place in
            let move = moves[place]
            return Int(entries[move.oldTop].old) == move.old && Int(entries[move.newTop].new) == move.new
        }
        guard areOnPlaces else {
            var writer = MoveWriter(moves, old: old, new: new)
            writer.write(to: &entries)
            return writer.connect(moves, in: &entries)
        }
        for place in moves.indices {
            let move = moves[place]
            entries[move.oldTop].kind = .movedAway
            entries[move.oldTop].new = UInt32(move.new)
            entries[move.newTop].kind = .movedHere
            entries[move.newTop].old = UInt32(move.old)
            connect(move.oldTop, move.newTop, in: &entries)
        }
    }

    private static func connect(_ away: Int, _ here: Int, in entries: inout DifferenceEntries) {
        entries[away].counterpart = UInt32(here)
        entries[here].counterpart = UInt32(away)
    }

    private init(
        _ moves: borrowing OwnedList<MoveFinder.Move>, old: DifferenceBuilder.Side, new: DifferenceBuilder.Side
    ) {
        self.old = Ends(moves, of: old, isOld: true)
        self.new = Ends(moves, of: new, isOld: false)
    }

    private mutating func write(to entries: inout DifferenceEntries) {
        let ids = newIDs(of: entries)
        let count = entries.count
        entries.append(count: Int(ids[count]) - count) { memory in
            memory.initialize(repeating: DifferenceEntry(kind: .unchanged), count: Int(ids[count]) - count)
        }
        for id in (0..<count).reversed() {
            var entry = entries[id]
            let isOfOneSide = entry.isOfOneSide && entry.isLeaf(at: id)
            if entry.parent != DifferenceEntry.none { entry.parent = ids[Int(entry.parent)] }
            if entry.counterpart != DifferenceEntry.none { entry.counterpart = ids[Int(entry.counterpart)] }
            entry.end = ids[Int(entry.end)]
            var place = Int(ids[id])
            if !isOfOneSide {
                entries[place] = entry
            } else if entry.kind == .removed {
                Self.write(entry, of: &old, to: &entries, at: &place)
            } else {
                Self.write(entry, of: &new, to: &entries, at: &place)
            }
        }
    }

    /// Returns the final number of each entry, and of the end of the last one.
    private func newIDs(of entries: borrowing DifferenceEntries) -> OwnedList<UInt32> {
        var ids = OwnedList<UInt32>(capacity: entries.count + 1)
        var newID = 0
        for id in entries.indices {
            ids.append(UInt32(newID))
            newID += 1
            let entry = entries[id]
            guard entry.isOfOneSide, entry.isLeaf(at: id) else { continue }
            newID += entry.kind == .removed ? old.placesInside(Int(entry.old)) : new.placesInside(Int(entry.new))
        }
        ids.append(UInt32(newID))
        return ids
    }

    /// Writes a value that is in only one document, starting at `place`: as the end of a move, with its children if one
    /// of them moved, or unchanged.
    private static func write(
        _ source: DifferenceEntry, of side: inout Ends, to entries: inout DifferenceEntries, at place: inout Int
    ) {
        let index = Int(side.isOld ? source.old : source.new)
        let id = place
        var entry = source
        place += 1
        let partner = side.partners[index]
        if partner != DifferenceEntry.none {
            entry.kind = side.isOld ? .movedAway : .movedHere
            if side.isOld { entry.new = partner } else { entry.old = partner }
            side.partners[index] = UInt32(id)
        } else if side.isMovedInside(index) {
            let tape = side.tape
            let isElement = tape[index].kind == .array
            tape.forEachChild(of: index) { child, position in
                var inside = DifferenceEntry(kind: source.kind, isElement: isElement, parent: UInt32(id))
                if side.isOld { inside.old = UInt32(child) } else { inside.new = UInt32(child) }
                if isElement {
                    if side.isOld {
                        inside.oldPosition = UInt32(position)
                    } else {
                        inside.newPosition = UInt32(position)
                    }
                }
                write(inside, of: &side, to: &entries, at: &place)
            }
        }
        entry.end = UInt32(place)
        entries[id] = entry
    }

    /// Connects both ends of each move.
    private func connect(
        _ moves: borrowing OwnedList<MoveFinder.Move>, in entries: inout DifferenceEntries
    ) {
        for place in moves.indices {
            let move = moves[place]
            let (away, here) = (Int(old.partners[move.old]), Int(new.partners[move.new]))
            assert(entries[away].kind == .movedAway && entries[here].kind == .movedHere)
            Self.connect(away, here, in: &entries)
        }
    }
}
