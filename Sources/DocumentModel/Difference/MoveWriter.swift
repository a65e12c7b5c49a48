/// Copies the places of a difference with the ends of moves among them: removed and added values that moved, or from
/// which or into which something moved, show it.
struct MoveWriter {
    private(set) var entries: [DifferenceEntry] = []
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
        var written: [UInt32]

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
        private func position(from index: Int) -> Int { indices.partitioningIndex { $0 >= index } }

        /// Whether a value in the range of nodes moved.
        func hasMoves(_ range: Range<Int>) -> Bool {
            let first = position(from: range.lowerBound)
            return first < indices.count && indices[first] < range.upperBound
        }

        /// Notes the entry of the end of a move.
        mutating func note(_ entry: Int, at index: Int) { written[position(from: index)] = UInt32(entry) }

        /// The entry of the end of a move.
        func entry(at index: Int) -> Int? {
            let entry = written[position(from: index)]
            return entry == DifferenceEntry.none ? nil : Int(entry)
        }
    }

    init(_ moves: [MoveFinder.Move], old: DifferenceBuilder.Side, new: DifferenceBuilder.Side) {
        self.old = Ends(moves, of: old, isOld: true)
        self.new = Ends(moves, of: new, isOld: false)
    }

    mutating func write(_ source: [DifferenceEntry]) {
        var ids: [UInt32] = []
        ids.reserveCapacity(source.count)
        entries.reserveCapacity(source.count)
        var open: [(end: Int, id: Int)] = []
        for (id, var entry) in source.enumerated() {
            while let last = open.last, last.end == id {
                entries[last.id].end = UInt32(entries.count)
                open.removeLast()
            }
            ids.append(UInt32(entries.count))
            if entry.parent != DifferenceEntry.none { entry.parent = ids[Int(entry.parent)] }
            switch entry.kind {
            case .removed: Self.write(entry, of: &old, to: &entries)
            case .added: Self.write(entry, of: &new, to: &entries)
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
        _ source: DifferenceEntry, of side: inout Ends, to entries: inout [DifferenceEntry]
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
        } else if side.hasMoves(index..<end) {
            let isObject = side.tape[index].kind == .object
            var child = isObject ? index + 2 : index + 1
            var position: UInt32 = 0
            while child < end {
                var entry = DifferenceEntry(kind: source.kind, isElement: !isObject, parent: UInt32(id))
                if side.isOld { entry.old = UInt32(child) } else { entry.new = UInt32(child) }
                if !isObject {
                    if side.isOld { entry.oldPosition = position } else { entry.newPosition = position }
                }
                write(entry, of: &side, to: &entries)
                position += 1
                child = side.tape.next(after: child) + (isObject ? 1 : 0)
            }
        }
        entries[id].end = UInt32(entries.count)
    }
}
