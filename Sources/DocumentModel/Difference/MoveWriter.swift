/// Writes the ends of moves into the places of a difference, so that removed and added values show whether they, or
/// values inside them, moved.
struct MoveWriter {
    private let old: Ends
    private let new: Ends
    private var entries: [DifferenceEntry] = []
    /// The entries of the ends, by the tape indices of their values.
    private var oldIDs: [Int: Int] = [:]
    private var newIDs: [Int: Int] = [:]

    /// The moved values of one document.
    private struct Ends {
        let tape: TapeView
        /// The tape indices on the other side by the tape indices on this side.
        var partners: [Int: Int] = [:]
        private var moved: NodeSet

        init(_ moves: [(index: Int, partner: Int)], of side: ComparedSide) {
            tape = side.tape
            moved = NodeSet(nodeCount: side.tape.count)
            for (index, partner) in moves {
                partners[index] = partner
                moved.insert(index)
            }
        }

        /// Returns whether something inside the value moved, but not the value itself.
        func isMovedInside(_ index: Int) -> Bool {
            !moved.contains(index) && moved.containsAny(of: index + 1..<tape.next(after: index))
        }
    }

    /// Returns the places of a difference with the ends of moves.
    static func entries(
        _ entries: [DifferenceEntry], with moves: [MoveFinder.Move], old: ComparedSide, new: ComparedSide
    ) -> [DifferenceEntry] {
        if moves.isEmpty { return entries }
        var writer = MoveWriter(moves, old: old, new: new)
        writer.write(entries)
        writer.connect(moves)
        return writer.entries
    }

    private init(_ moves: [MoveFinder.Move], old: ComparedSide, new: ComparedSide) {
        self.old = Ends(moves.map { ($0.old, $0.new) }, of: old)
        self.new = Ends(moves.map { ($0.new, $0.old) }, of: new)
    }

    private mutating func write(_ source: [DifferenceEntry]) {
        var ids: [Int] = []
        for (id, entry) in source.enumerated() {
            ids.append(entries.count)
            var entry = entry
            if let parent = entry.parent.position { entry.parent = UInt32(ids[parent]) }
            if entry.isOfOneSide, entry.isLeaf(at: id) { write(entry) } else { entries.append(entry) }
        }
        ids.append(entries.count)
        // Now the numbers of later entries are known too.
        for (id, entry) in source.enumerated() {
            entries[ids[id]].end = UInt32(ids[Int(entry.end)])
            if let counterpart = entry.counterpart.position { entries[ids[id]].counterpart = UInt32(ids[counterpart]) }
        }
    }

    /// Writes a value that is in only one document: as the end of a move, with its children if one of them moved, or
    /// unchanged.
    private mutating func write(_ source: DifferenceEntry) {
        let id = entries.count
        entries.append(source)
        let isOld = source.kind == .removed
        let (side, index) = isOld ? (old, Int(source.old)) : (new, Int(source.new))
        if let partner = side.partners[index] {
            entries[id].kind = isOld ? .movedAway : .movedHere
            if isOld { entries[id].new = UInt32(partner) } else { entries[id].old = UInt32(partner) }
            if isOld { oldIDs[index] = id } else { newIDs[index] = id }
        } else if side.isMovedInside(index) {
            let isElement = side.tape[index].kind == .array
            side.tape.forEachChild(of: index) { child, position in
                var inside = DifferenceEntry(kind: source.kind, isElement: isElement, parent: UInt32(id))
                if isOld { inside.old = UInt32(child) } else { inside.new = UInt32(child) }
                if isElement, isOld { inside.oldPosition = UInt32(position) }
                if isElement, !isOld { inside.newPosition = UInt32(position) }
                write(inside)
            }
        }
        entries[id].end = UInt32(entries.count)
    }

    /// Connects both ends of each move.
    private mutating func connect(_ moves: [MoveFinder.Move]) {
        for move in moves {
            guard let away = oldIDs[move.old], let here = newIDs[move.new] else { continue }
            entries[away].counterpart = UInt32(here)
            entries[here].counterpart = UInt32(away)
        }
    }
}
