/// Writes the ends of moves into the places of a difference, so that removed and added values show whether they, or
/// values inside them, moved.
struct MoveWriter {
    private let old: ComparedSide
    private let new: ComparedSide
    /// The moved values.
    private var movedOld: NodeSet
    private var movedNew: NodeSet
    private var entries: [DifferenceEntry] = []
    /// The entries of the ends, by the tape indices of their values.
    private var oldIDs: [Int: Int] = [:]
    private var newIDs: [Int: Int] = [:]

    /// Writes the ends of moves into the places of a difference.
    static func write(
        _ moves: [MoveFinder.Move], to entries: inout [DifferenceEntry], old: ComparedSide, new: ComparedSide
    ) {
        let areOnPlaces = moves.allSatisfy { move in
            Int(entries[move.oldTop].old) == move.old && Int(entries[move.newTop].new) == move.new
        }
        if areOnPlaces {
            for move in moves { connect(move, move.oldTop, move.newTop, in: &entries) }
            return
        }
        var writer = MoveWriter(moves, old: old, new: new)
        writer.write(entries)
        entries = writer.entries
        for move in moves {
            guard let away = writer.oldIDs[move.old], let here = writer.newIDs[move.new] else { continue }
            connect(move, away, here, in: &entries)
        }
    }

    /// Makes two entries the ends of a move.
    private static func connect(_ move: MoveFinder.Move, _ away: Int, _ here: Int, in entries: inout [DifferenceEntry])
    {
        entries[away].kind = .movedAway
        entries[away].new = UInt32(move.new)
        entries[away].counterpart = UInt32(here)
        entries[here].kind = .movedHere
        entries[here].old = UInt32(move.old)
        entries[here].counterpart = UInt32(away)
    }

    private init(_ moves: [MoveFinder.Move], old: ComparedSide, new: ComparedSide) {
        (self.old, self.new) = (old, new)
        movedOld = NodeSet(nodeCount: old.tape.count)
        movedNew = NodeSet(nodeCount: new.tape.count)
        for move in moves {
            movedOld.insert(move.old)
            movedNew.insert(move.new)
        }
    }

    /// Writes all places, and new ones for the contents of the values inside which something moved.
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

    /// Writes a value that is in only one document, with its children if one of them moved.
    private mutating func write(_ source: DifferenceEntry) {
        let id = entries.count
        entries.append(source)
        let isOld = source.kind == .removed
        let index = Int(isOld ? source.old : source.new)
        let (tape, moved) = isOld ? (old.tape, movedOld) : (new.tape, movedNew)
        if moved.contains(index) {
            if isOld { oldIDs[index] = id } else { newIDs[index] = id }
        } else if moved.containsAny(of: index + 1..<tape.next(after: index)) {
            let isElement = tape[index].kind == .array
            tape.forEachChild(of: index) { child, position in
                var inside = DifferenceEntry(kind: source.kind, isElement: isElement, parent: UInt32(id))
                if isOld { inside.old = UInt32(child) } else { inside.new = UInt32(child) }
                if isElement, isOld { inside.oldPosition = UInt32(position) }
                if isElement, !isOld { inside.newPosition = UInt32(position) }
                write(inside)
            }
        }
        entries[id].end = UInt32(entries.count)
    }
}
