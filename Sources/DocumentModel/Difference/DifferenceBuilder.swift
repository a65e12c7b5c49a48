/// Compares two documents, place by place.
struct DifferenceBuilder {
    /// One of the two documents, with the hashes of its values.
    final class Side {
        let document: Document
        let tape: TapeView
        let hashes: ValueHashes

        init(_ node: DocumentNode, checkpoint: () throws -> Void) rethrows {
            document = node.document
            tape = TapeView(node.document)
            hashes = try ValueHashes(node, checkpoint: checkpoint)
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
    private var lists: [[Int]] = []
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
            old.hashes.objectsWithDuplicates.contains(oldIndex) || new.hashes.objectsWithDuplicates.contains(newIndex)
        var oldMembers = AlignedMembers(old, object: oldIndex, list: takeList())
        var newMembers = AlignedMembers(new, object: newIndex, list: takeList())
        // For each new member the position of the old one of that name, and the other way round; -1 where there is none.
        var (matches, partners) = (takeList(), takeList())
        partners.append(contentsOf: repeatElement(-1, count: oldMembers.values.count))
        for (position, value) in newMembers.values.enumerated() {
            let match = oldMembers.position(ofNameBefore: value, in: new, comparison) ?? -1
            matches.append(match)
            if match >= 0 { partners[match] = position }
        }
        var pairs = containerPairs(oldMembers, partners, newMembers, matches)

        func appendRemoved(from start: Int) throws {
            var position = start
            while position < partners.count, partners[position] < 0 {
                try append(oldMembers.values[position], isOld: true, parent: id, &pairs, checkpoint)
                position += 1
            }
        }
        try appendRemoved(from: 0)
        for (value, match) in zip(newMembers.values, matches) {
            guard match >= 0 else {
                try append(value, isOld: false, parent: id, &pairs, checkpoint)
                continue
            }
            try compare(
                DifferenceEntry(
                    kind: .inside, old: UInt32(oldMembers.values[match]), new: UInt32(value), parent: UInt32(id)),
                checkpoint)
            try appendRemoved(from: match + 1)
        }
        pairs?.forEachPairOfEntries { away, here in
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
        giveBack(oldMembers.releaseList())
        giveBack(newMembers.releaseList())
        giveBack(matches)
        giveBack(partners)
    }

    /// An empty list. There are as many as objects are compared at the same time, so that none is made for each object.
    private mutating func takeList() -> [Int] { lists.popLast() ?? [] }

    private mutating func giveBack(_ list: consuming [Int]) {
        list.removeAll(keepingCapacity: true)
        lists.append(list)
    }

    /// What two objects have in containers that stand elsewhere and changed; nil where they have none.
    private func containerPairs(
        _ oldMembers: borrowing AlignedMembers, _ partners: [Int], _ newMembers: borrowing AlignedMembers,
        _ matches: [Int]
    ) -> ContainerPairs? {
        func single(_ members: borrowing AlignedMembers, _ partners: [Int], _ side: Side) -> [Int] {
            var single: [Int] = []
            for (value, partner) in zip(members.values, partners)
            where partner < 0 && side.tape[value].kind.isContainer {
                single.append(value)
            }
            return single
        }
        let removed = single(oldMembers, partners, old)
        let added = removed.isEmpty ? [] : single(newMembers, matches, new)
        if added.isEmpty { return nil }
        return ContainerPairs(removed: removed, added: added, old: old, new: new, comparison, isExcluded: isExcluded)
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
