/// Compares two documents, place by place.
final class DifferenceBuilder {
    let old: ComparedSide
    let new: ComparedSide
    private let comparison: ValueComparison
    private let excluded: Set<ValueMove>
    private var entries: [DifferenceEntry] = []
    /// The number of entries at which the next checkpoint is due.
    private var nextCheckpoint = entriesBetweenCheckpoints
    /// The number of moved and changed containers around the values that are being compared.
    private var pairsAround = 0
    /// The number of nested pairs from which on no more are searched for, because each search covers everything inside.
    private static let mostPairsAround = 8
    private static let entriesBetweenCheckpoints = 1024

    /// Returns the places of the difference, in reading order.
    ///
    /// - Parameters:
    ///   - excluded: Values that are known not to have moved.
    ///   - checkpoint: Called now and then; an error that it throws ends the work.
    static func build(
        old: DocumentNode, new: DocumentNode, except excluded: Set<ValueMove>, checkpoint: () throws -> Void
    ) rethrows -> [DifferenceEntry] {
        let builder = try DifferenceBuilder(
            old: ComparedSide(old, checkpoint: checkpoint), new: ComparedSide(new, checkpoint: checkpoint),
            except: excluded)
        try builder.compare(
            DifferenceEntry(kind: .inside, old: UInt32(old.index), new: UInt32(new.index)), checkpoint)
        try checkpoint()
        var moves = MoveFinder.moves(builder.entries, old: builder.old, new: builder.new, builder.comparison)
        moves.removeAll { builder.isExcluded($0.old, $0.new) }
        MoveWriter.write(moves, to: &builder.entries, old: builder.old, new: builder.new)
        return builder.entries
    }

    private init(old: ComparedSide, new: ComparedSide, except excluded: Set<ValueMove>) {
        self.old = old
        self.new = new
        self.excluded = excluded
        comparison = ValueComparison(left: old.tape, right: new.tape)
    }

    /// Returns whether a value is known not to have moved between two tape indices.
    private func isExcluded(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        !excluded.isEmpty && excluded.contains(ValueMove(from: old.node(oldIndex).path, path: new.node(newIndex).path))
    }

    /// Appends `entry`, a place with a value on each side, and everything inside it.
    private func compare(_ entry: DifferenceEntry, _ checkpoint: () throws -> Void) rethrows {
        if entries.count >= nextCheckpoint {
            nextCheckpoint = entries.count + Self.entriesBetweenCheckpoints
            try checkpoint()
        }
        let (oldIndex, newIndex) = (Int(entry.old), Int(entry.new))
        let (oldKind, newKind) = (old.tape[oldIndex].kind, new.tape[newIndex].kind)
        var entry = entry
        entry.kind = areEqual(oldIndex, newIndex) ? .unchanged : .changed
        guard entry.kind == .changed, oldKind == newKind, oldKind.isContainer else { return append(leaf: entry) }
        entry.kind = .inside
        let id = entries.count
        entries.append(entry)
        if oldKind == .object {
            try compareMembers(of: id, checkpoint)
        } else {
            try compareElements(of: id, checkpoint)
        }
        entries[id].end = UInt32(entries.count)
    }

    /// Equal hashes are almost certain proof; comparing the values guarantees that a patch *always* produces the new
    /// document.
    private func areEqual(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old.hashes[oldIndex] == new.hashes[newIndex] && comparison.areEqual(oldIndex, newIndex)
    }

    private func append(leaf entry: DifferenceEntry) {
        var entry = entry
        entry.end = UInt32(entries.count + 1)
        entries.append(entry)
    }

    // MARK: - Objects

    private func compareMembers(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let (oldIndex, newIndex) = (Int(entries[id].old), Int(entries[id].new))
        entries[id].isPatchedWhole = old.hasDuplicates(oldIndex) || new.hasDuplicates(newIndex)
        var oldMembers = AlignedMembers(old, object: oldIndex)
        var newMembers = AlignedMembers(new, object: newIndex)
        AlignedMembers.connect(&oldMembers, &newMembers, old, new, comparison)
        var pairs = containerPairs(oldMembers, newMembers)

        func appendRemoved(from start: Int) throws {
            var position = start
            while position < oldMembers.count, oldMembers[position].partner == nil {
                try append(oldMembers[position].value, isOld: true, parent: id, &pairs, checkpoint)
                position += 1
            }
        }
        try appendRemoved(from: 0)
        for position in 0..<newMembers.count {
            let member = newMembers[position]
            guard let match = member.partner else {
                try append(member.value, isOld: false, parent: id, &pairs, checkpoint)
                continue
            }
            try compare(
                DifferenceEntry(
                    kind: .inside, old: UInt32(oldMembers[match].value), new: UInt32(member.value), parent: UInt32(id)),
                checkpoint)
            try appendRemoved(from: match + 1)
        }
        pairs.forEachPairOfEntries { away, here in
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
    }

    /// Returns the containers that moved between two objects and changed.
    private func containerPairs(_ oldMembers: AlignedMembers, _ newMembers: AlignedMembers) -> ContainerPairs {
        if pairsAround == Self.mostPairsAround { return ContainerPairs() }
        let removed = singleContainers(oldMembers, of: old)
        if removed.isEmpty { return ContainerPairs() }
        let added = singleContainers(newMembers, of: new)
        if added.isEmpty { return ContainerPairs() }
        return ContainerPairs(removed: removed, added: added, old: old, new: new, comparison, isExcluded: isExcluded)
    }

    /// Returns the containers that are members of only one of the objects.
    private func singleContainers(_ members: AlignedMembers, of side: ComparedSide) -> [Int] {
        var single: [Int] = []
        for position in 0..<members.count {
            let member = members[position]
            if member.partner == nil, side.tape[member.value].kind.isContainer { single.append(member.value) }
        }
        return single
    }

    /// Appends a removed or added value: with its contents if the end of a pair is inside, as the end of a pair if it
    /// is one, and as a leaf otherwise.
    private func append(
        _ value: Int, isOld: Bool, parent: Int, _ pairs: inout ContainerPairs, _ checkpoint: () throws -> Void
    ) rethrows {
        let id = entries.count
        var entry = DifferenceEntry(kind: isOld ? .removed : .added, parent: UInt32(parent))
        if isOld { entry.old = UInt32(value) } else { entry.new = UInt32(value) }
        if pairs.isEmpty { return append(leaf: entry) }
        let end = isOld ? old.tape.next(after: value) : new.tape.next(after: value)
        if let partner = pairs.partner(of: value, isOld: isOld) {
            pairs.note(id, at: value, isOld: isOld)
            if isOld {
                entry.kind = .movedAway
                entry.new = UInt32(partner)
                append(leaf: entry)
            } else {
                entry.old = UInt32(partner)
                pairsAround += 1
                defer { pairsAround -= 1 }
                try compare(entry, checkpoint)
            }
        } else if pairs.hasAny(in: value + 1..<end, isOld: isOld) {
            entries.append(entry)
            // The path to an end of a pair leads through objects only.
            var child = value + 2
            while child < end {
                try append(child, isOld: isOld, parent: id, &pairs, checkpoint)
                child = (isOld ? old.tape.next(after: child) : new.tape.next(after: child)) + 1
            }
            entries[id].end = UInt32(entries.count)
        } else {
            append(leaf: entry)
        }
    }

    // MARK: - Arrays

    private func compareElements(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let alignment = try ElementAlignment(
            old: old, Int(entries[id].old), new: new, Int(entries[id].new), checkpoint: checkpoint)
        let (olds, news) = (alignment.oldElements, alignment.newElements)
        // The new positions of elements that moved, by their old positions, and vice versa.
        let newPositions = Dictionary(alignment.moves.map { ($0.old, $0.new) }) { $1 }
        let oldPositions = Dictionary(alignment.moves.map { ($0.new, $0.old) }) { $1 }
        // The entries of the moves' ends, by the positions of the elements.
        var (away, here): ([Int: Int], [Int: Int]) = ([:], [:])
        var (oldPosition, newPosition) = (0, 0)
        for (oldEnd, newEnd) in alignment.pairs + [(olds.count, news.count)] {
            while oldPosition < oldEnd {
                var entry = DifferenceEntry(
                    kind: .removed, isElement: true, old: UInt32(olds[oldPosition]),
                    oldPosition: UInt32(oldPosition), parent: UInt32(id))
                if let other = newPositions[oldPosition] {
                    entry.kind = .movedAway
                    entry.new = UInt32(news[other])
                    away[oldPosition] = entries.count
                }
                append(leaf: entry)
                oldPosition += 1
            }
            while newPosition < newEnd {
                var entry = DifferenceEntry(
                    kind: .added, isElement: true, new: UInt32(news[newPosition]),
                    newPosition: UInt32(newPosition), parent: UInt32(id))
                if let other = oldPositions[newPosition] {
                    entry.old = UInt32(olds[other])
                    here[newPosition] = entries.count
                    try compare(entry, checkpoint)
                } else {
                    append(leaf: entry)
                }
                newPosition += 1
            }
            guard oldEnd < olds.count else { break }
            try compare(
                DifferenceEntry(
                    kind: .inside, isElement: true, isPositional: alignment.positional.contains(oldEnd),
                    old: UInt32(olds[oldEnd]), new: UInt32(news[newEnd]),
                    oldPosition: UInt32(oldEnd), newPosition: UInt32(newEnd), parent: UInt32(id)),
                checkpoint)
            (oldPosition, newPosition) = (oldEnd + 1, newEnd + 1)
        }
        for (from, to) in newPositions {
            guard let away = away[from], let here = here[to] else { continue }
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
    }
}
