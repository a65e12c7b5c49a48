/// Compares two documents, place by place.
struct DifferenceBuilder {
    /// One of the two documents, with the hashes of its values.
    final class Side {
        let document: Document
        let tape: TapeView
        let hashes: ValueHashes.View
        private let owner: ValueHashes

        init(_ node: DocumentNode, checkpoint: () throws -> Void) rethrows {
            document = node.document
            tape = TapeView(node.document)
            owner = try ValueHashes(node, checkpoint: checkpoint)
            hashes = owner.view
        }

        func node(_ index: Int) -> DocumentNode { DocumentNode(document: document, index: index) }

        /// The tape indices of the elements of the array at `index`.
        func elements(of index: Int) -> [Int] {
            let end = Int(tape[index].next)
            var (child, count) = (index + 1, 0)
            while child < end {
                count += 1
                child = Int(tape[child].next)
            }
            return [Int](unsafeUninitializedCapacity: count) { elements, filled in
                child = index + 1
                while child < end {
                    elements.initializeElement(at: filled, to: child)
                    filled += 1
                    child = Int(tape[child].next)
                }
            }
        }
    }

    let old: Side
    let new: Side
    private let comparison: ValueComparison
    private let excluded: Set<ValueMove>
    private let entries = DifferenceEntries()
    private let members = MemberStack()
    private var comparisons = 0
    private static let comparisonsBetweenCheckpoints = 1024

    /// The places of the difference, in reading order.
    ///
    /// - Parameters:
    ///   - excluded: What is known not to have moved.
    ///   - checkpoint: Called now and then; what it throws ends the work.
    static func build(
        old: DocumentNode, new: DocumentNode, except excluded: Set<ValueMove>, checkpoint: () throws -> Void
    ) rethrows -> DifferenceEntries {
        var builder = DifferenceBuilder(
            old: try Side(old, checkpoint: checkpoint), new: try Side(new, checkpoint: checkpoint), except: excluded)
        try builder.compare(
            DifferenceEntry(kind: .inside, old: UInt32(old.index), new: UInt32(new.index)), checkpoint)
        try checkpoint()
        var moves = MoveFinder.moves(
            builder.entries, old: builder.old, new: builder.new, comparison: builder.comparison)
        if !excluded.isEmpty { moves.removeAll { builder.isExcluded($0.old, $0.new) } }
        let entries = MoveWriter.write(moves, to: builder.entries, old: builder.old, new: builder.new)
        entries.finish()
        return entries
    }

    private init(old: Side, new: Side, except excluded: Set<ValueMove>) {
        self.old = old
        self.new = new
        self.excluded = excluded
        comparison = ValueComparison(left: old.document, right: new.document)
    }

    /// Whether it is known that the value did not move there, by the tape indices.
    private func isExcluded(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        !excluded.isEmpty && excluded.contains(ValueMove(from: old.node(oldIndex).path, path: new.node(newIndex).path))
    }

    /// Appends `entry`, a place with a value on each side, and what is inside it.
    private mutating func compare(_ entry: DifferenceEntry, _ checkpoint: () throws -> Void) rethrows {
        comparisons += 1
        if comparisons % Self.comparisonsBetweenCheckpoints == 0 { try checkpoint() }
        let (oldIndex, newIndex) = (Int(entry.old), Int(entry.new))
        let id = entries.count
        entries.append(entry)
        let (oldKind, newKind) = (old.tape[oldIndex].kind, new.tape[newIndex].kind)
        if areEqual(oldIndex, newIndex) {
            entries[id].kind = .unchanged
        } else if oldKind == newKind, oldKind.isContainer {
            entries[id].kind = .inside
            if oldKind == .object {
                try compareMembers(of: id, checkpoint)
            } else {
                try compareElements(of: id, checkpoint)
            }
        } else {
            entries[id].kind = .changed
        }
        entries[id].end = UInt32(entries.count)
    }

    /// Equal hashes are as good as certain; that a patch gives the new document *always* takes a look at the values.
    private func areEqual(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old.hashes[oldIndex] == new.hashes[newIndex] && comparison.areEqual(oldIndex, newIndex)
    }

    private func append(leaf entry: DifferenceEntry) {
        entries.append(entry)
        entries[entries.count - 1].end = UInt32(entries.count)
    }

    // MARK: - Objects

    private mutating func compareMembers(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let (oldIndex, newIndex) = (Int(entries[id].old), Int(entries[id].new))
        entries[id].isPatchedWhole =
            old.hashes.hasDuplicates(oldIndex) || new.hashes.hasDuplicates(newIndex)
        let base = members.count
        defer { members.drop(to: base) }
        var oldMembers = AlignedMembers(old, object: oldIndex, on: members)
        let newPlaces = AlignedMembers(new, object: newIndex, on: members).places
        for place in newPlaces {
            let value = members[place].value
            let match = oldMembers.place(ofNameBefore: value, in: new.hashes, on: members, comparison)
            guard let match else { continue }
            members[place].partner = match
            members[match].partner = place
        }
        let oldPlaces = oldMembers.places
        var pairs = containerPairs(oldPlaces, newPlaces)

        func appendRemoved(from start: Int) throws {
            var place = start
            while place < oldPlaces.upperBound, members[place].partner == nil {
                try append(members[place].value, isOld: true, parent: id, &pairs, checkpoint)
                place += 1
            }
        }
        try appendRemoved(from: oldPlaces.lowerBound)
        for place in newPlaces {
            let member = members[place]
            guard let match = member.partner else {
                try append(member.value, isOld: false, parent: id, &pairs, checkpoint)
                continue
            }
            try compare(
                DifferenceEntry(
                    kind: .inside, old: UInt32(members[match].value), new: UInt32(member.value), parent: UInt32(id)),
                checkpoint)
            try appendRemoved(from: match + 1)
        }
        pairs?.forEachPairOfEntries { away, here in
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
    }

    /// What two objects have in containers that stand elsewhere and changed; nil where they have none.
    private func containerPairs(_ oldPlaces: Range<Int>, _ newPlaces: Range<Int>) -> ContainerPairs? {
        let removed = singleContainers(oldPlaces, of: old)
        let added = removed.isEmpty ? [] : singleContainers(newPlaces, of: new)
        if added.isEmpty { return nil }
        return ContainerPairs(removed: removed, added: added, old: old, new: new, comparison, isExcluded: isExcluded)
    }

    /// The containers that are members of one object and not of the other.
    private func singleContainers(_ places: Range<Int>, of side: Side) -> [Int] {
        var single: [Int] = []
        for place in places {
            let member = members[place]
            if member.partner == nil, side.tape[member.value].kind.isContainer { single.append(member.value) }
        }
        return single
    }

    /// Appends a value that is gone or came: with what is in it where there is one end of a pair inside, as that end
    /// where it is one, and as it is otherwise.
    private mutating func append(
        _ value: Int, isOld: Bool, parent: Int, _ pairs: inout ContainerPairs?, _ checkpoint: () throws -> Void
    ) rethrows {
        let id = entries.count
        var entry = DifferenceEntry(kind: isOld ? .removed : .added, parent: UInt32(parent))
        if isOld { entry.old = UInt32(value) } else { entry.new = UInt32(value) }
        if let partner = pairs?.partner(of: value, isOld: isOld) {
            pairs?.note(id, at: value, isOld: isOld)
            if isOld {
                entry.kind = .movedAway
                entry.new = UInt32(partner)
                append(leaf: entry)
            } else {
                entry.old = UInt32(partner)
                try compare(entry, checkpoint)
            }
        } else if pairs?.hasAny(inside: value, isOld: isOld) == true {
            let tape = isOld ? old.tape : new.tape
            entries.append(entry)
            // The way to the ends of pairs leads through objects only.
            var child = value + 2
            while child < tape.next(after: value) {
                try append(child, isOld: isOld, parent: id, &pairs, checkpoint)
                child = tape.next(after: child) + 1
            }
            entries[id].end = UInt32(entries.count)
        } else {
            append(leaf: entry)
        }
    }

    // MARK: - Arrays

    private mutating func compareElements(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let oldElements = old.elements(of: Int(entries[id].old))
        let newElements = new.elements(of: Int(entries[id].new))
        let alignment = try ElementAlignment(old: old, oldElements, new: new, newElements, checkpoint: checkpoint)
        let newPositions = Dictionary(alignment.moves.map { ($0.old, $0.new) }) { $1 }
        let oldPositions = Dictionary(alignment.moves.map { ($0.new, $0.old) }) { $1 }
        // The entries of the moves' ends, by their positions.
        var (away, here): ([Int: Int], [Int: Int]) = ([:], [:])
        var (oldPosition, newPosition) = (0, 0)
        for (oldEnd, newEnd) in alignment.pairs + [(oldElements.count, newElements.count)] {
            while oldPosition < oldEnd {
                var entry = DifferenceEntry(
                    kind: .removed, isElement: true, old: UInt32(oldElements[oldPosition]),
                    oldPosition: UInt32(oldPosition), parent: UInt32(id))
                if let other = newPositions[oldPosition] {
                    entry.kind = .movedAway
                    entry.new = UInt32(newElements[other])
                    away[oldPosition] = entries.count
                }
                append(leaf: entry)
                oldPosition += 1
            }
            while newPosition < newEnd {
                var entry = DifferenceEntry(
                    kind: .added, isElement: true, new: UInt32(newElements[newPosition]),
                    newPosition: UInt32(newPosition), parent: UInt32(id))
                if let other = oldPositions[newPosition] {
                    entry.old = UInt32(oldElements[other])
                    here[newPosition] = entries.count
                    try compare(entry, checkpoint)
                } else {
                    append(leaf: entry)
                }
                newPosition += 1
            }
            guard oldEnd < oldElements.count else { break }
            try compare(
                DifferenceEntry(
                    kind: .inside, isElement: true, old: UInt32(oldElements[oldEnd]), new: UInt32(newElements[newEnd]),
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
