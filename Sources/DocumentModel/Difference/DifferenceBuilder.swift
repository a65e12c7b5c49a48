/// Compares two documents, place by place.
final class DifferenceBuilder {
    /// One of the two documents, with the hashes of its values. It doesn't retain them; the comparison keeps both alive
    /// until it ends.
    struct Side {
        let tape: TapeView
        let hashes: ValueHashes.View
        /// The approximate number of values in a part. Parts are compared concurrently.
        let partSize: Int
        /// The number of candidates for moves in a part. Matching a candidate takes longer than comparing a value.
        var candidatesInPart: Int { partSize / 4 }

        init(_ document: borrowing Document, _ hashes: borrowing ValueHashes, partSize: Int) {
            self.partSize = partSize
            tape = TapeView(document)
            self.hashes = hashes.view
        }

        func node(_ index: Int) -> DocumentNode { tape.node(at: index) }

        /// Returns the tape indices of the elements of the array at `index`.
        func elements(of index: Int) -> OwnedList<Int> {
            let end = Int(tape[index].next)
            var elements = OwnedList<Int>()
            var child = index + 1
            while child < end {
                elements.append(child)
                child = Int(tape[child].next)
            }
            return elements
        }
    }

    let old: Side
    let new: Side
    private let comparison: ValueComparison
    private let excluded: Set<ValueMove>
    /// Whether this builder compares only some elements of an array, concurrently with other builders.
    private let isPart: Bool
    private var entries: DifferenceEntries
    private var members = MemberStack(capacity: 64)
    private var comparisons = 0
    /// The number of moved and changed containers around the values that are being compared.
    private var pairsAround = 0
    /// The number of nested pairs from which on no more are searched for, because each search covers everything inside.
    private static let mostPairsAround = 8
    private static let comparisonsBetweenCheckpoints = 1024
    /// The maximum capacity of the first block of memory for places.
    private static let mostPlacesAtFirst = 1 << 11

    /// Returns the places of the difference, in reading order.
    ///
    /// - Parameters:
    ///   - excluded: Values that are known not to have moved.
    ///   - partSize: The approximate number of values in a part, at least 8. Parts are compared concurrently. The
    ///     result doesn't depend on it.
    ///   - checkpoint: Called now and then; an error that it throws ends the work.
    static func build(
        old: DocumentNode, new: DocumentNode, except excluded: Set<ValueMove>, partSize: Int = 1 << 14,
        checkpoint: () throws -> Void
    ) rethrows -> DifferenceEntries {
        let hashes = try ValueHashes.hashes(old, new, checkpoint: checkpoint)
        defer {
            withExtendedLifetime((old, new)) {}
            withExtendedLifetime(hashes) {}
        }
        let builder = DifferenceBuilder(
            old: Side(old.document, hashes.old, partSize: partSize),
            new: Side(new.document, hashes.new, partSize: partSize), except: excluded)
        try builder.compare(
            DifferenceEntry(kind: .inside, old: UInt32(old.index), new: UInt32(new.index)), checkpoint)
        try checkpoint()
        var entries = builder.entries.taken()
        var moves = entries.withElements { entries in
            MoveFinder.moves(ElementsView(entries), old: builder.old, new: builder.new, comparison: builder.comparison)
        }
        if !excluded.isEmpty { moves.removeAll { builder.isExcluded($0.old, $0.new) } }
        MoveWriter.write(moves, to: &entries, old: builder.old, new: builder.new)
        entries.trim()
        return entries
    }

    private init(old: Side, new: Side, except excluded: Set<ValueMove>, isPart: Bool = false) {
        self.old = old
        self.new = new
        self.excluded = excluded
        self.isPart = isPart
        // Half of the nodes are names or inside unchanged values, and most of the others have a place in both
        // documents.
        let expected = (old.tape.count + new.tape.count) / 3
        entries = DifferenceEntries(capacity: min(max(expected, 16), Self.mostPlacesAtFirst))
        comparison = ValueComparison(left: old.tape, right: new.tape)
    }

    /// Returns whether a value is known not to have moved between two tape indices.
    private func isExcluded(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        !excluded.isEmpty && excluded.contains(ValueMove(from: old.node(oldIndex).path, path: new.node(newIndex).path))
    }

    /// Appends `entry`, a place with a value on each side, and everything inside it.
    private func compare(_ entry: DifferenceEntry, _ checkpoint: () throws -> Void) rethrows {
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

    /// Equal hashes are almost certain proof; comparing the values guarantees that a patch *always* produces the new
    /// document.
    private func areEqual(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old.hashes[oldIndex] == new.hashes[newIndex] && comparison.areEqual(oldIndex, newIndex)
    }

    private func append(leaf entry: DifferenceEntry) {
        entries.append(entry)
        entries[entries.count - 1].end = UInt32(entries.count)
    }

    // MARK: - Objects

    private func compareMembers(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let (oldIndex, newIndex) = (Int(entries[id].old), Int(entries[id].new))
        entries[id].isPatchedWhole =
            old.hashes.hasDuplicates(oldIndex) || new.hashes.hasDuplicates(newIndex)
        let base = members.count
        defer { members.removeAll(after: base) }
        var oldMembers = AlignedMembers(old, object: oldIndex, on: &members)
        let newPlaces = AlignedMembers(new, object: newIndex, on: &members).places
        for place in newPlaces {
            let match = oldMembers.place(of: members[place], in: new.hashes, on: members, comparison)
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
        pairs.forEachPairOfEntries { away, here in
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
    }

    /// Returns the containers that moved between two objects and changed.
    private func containerPairs(_ oldPlaces: Range<Int>, _ newPlaces: Range<Int>) -> ContainerPairs {
        if pairsAround == Self.mostPairsAround { return ContainerPairs() }
        let removed = singleContainers(oldPlaces, of: old)
        if removed.isEmpty { return ContainerPairs() }
        let added = singleContainers(newPlaces, of: new)
        if added.isEmpty { return ContainerPairs() }
        return ContainerPairs(removed: removed, added: added, old: old, new: new, comparison, isExcluded: isExcluded)
    }

    /// Returns the containers that are members of only one of the objects.
    private func singleContainers(_ places: Range<Int>, of side: Side) -> OwnedList<Int> {
        var single = OwnedList<Int>()
        for place in places {
            let member = members[place]
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

    /// The elements of two arrays, by their tape indices, and their alignment.
    private struct Elements: ~Copyable {
        let alignment: ElementAlignment
        /// The new positions of elements that moved, by their old positions, and vice versa.
        let newPositions: [Int: Int]
        let oldPositions: [Int: Int]
        /// The number of values in both arrays.
        let nodeCount: Int

        init(
            _ old: Side, _ oldIndex: Int, _ new: Side, _ newIndex: Int, _ checkpoint: () throws -> Void
        ) rethrows {
            let alignment = try ElementAlignment(old: old, oldIndex, new: new, newIndex, checkpoint: checkpoint)
            newPositions = Dictionary(alignment.moves.map { ($0.old, $0.new) }) { $1 }
            oldPositions = Dictionary(alignment.moves.map { ($0.new, $0.old) }) { $1 }
            nodeCount = old.tape.next(after: oldIndex) - oldIndex + new.tape.next(after: newIndex) - newIndex
            self.alignment = alignment
        }
    }

    /// The entries of the moves' ends, by the positions of the elements.
    private struct MovedElements {
        var away: [Int: Int] = [:]
        var here: [Int: Int] = [:]

        /// Adds the moves of a part, whose entries were shifted by `distance`.
        mutating func merge(_ part: MovedElements, movedBy distance: Int) {
            for (position, entry) in part.away { away[position] = entry + distance }
            for (position, entry) in part.here { here[position] = entry + distance }
        }
    }

    private func compareElements(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let elements = try Elements(old, Int(entries[id].old), new, Int(entries[id].new), checkpoint)
        var moved = MovedElements()
        if !isPart, elements.nodeCount / 2 >= old.partSize, elements.alignment.pairs.count > 1 {
            try compareInParts(elements, of: id, &moved, checkpoint)
        } else {
            try compare(elements, elements.alignment.pairs.indices, of: id, &moved, checkpoint)
        }
        for (from, to) in elements.newPositions {
            guard let away = moved.away[from], let here = moved.here[to] else { continue }
            entries[here].kind = .movedHere
            entries[here].counterpart = UInt32(away)
            entries[away].counterpart = UInt32(here)
        }
    }

    /// Compares the elements in parts, concurrently. The result is the same as from comparing them in order.
    private func compareInParts(
        _ elements: borrowing Elements, of id: Int, _ moved: inout MovedElements, _ checkpoint: () throws -> Void
    ) rethrows {
        let count = elements.alignment.pairs.count
        // Larger arrays have larger parts, so that threads are started only a few times.
        let partSize = max(old.partSize, elements.nodeCount / (16 * Parallel.width))
        let pairsInPart = max(1, count / (elements.nodeCount / partSize))
        let container = entries[id]
        let parts = (0..<Parallel.width).map { _ in
            let part = DifferenceBuilder(old: old, new: new, except: excluded, isPart: true)
            part.pairsAround = pairsAround
            return part
        }
        for start in stride(from: 0, to: count, by: pairsInPart * parts.count) {
            try checkpoint()
            let starts = Array(stride(from: start, to: count, by: pairsInPart).prefix(parts.count))
            let movedInParts = Parallel.map(starts.count) { part in
                let end = min(count, starts[part] + pairsInPart)
                return parts[part].comparePart(elements, starts[part]..<end, of: container)
            }
            let distances = append(inside: parts.prefix(starts.count), below: id)
            for part in movedInParts.indices { moved.merge(movedInParts[part], movedBy: distances[part]) }
        }
    }

    /// Appends the entries of each part except its first one. Entries inside the first one are then inside the entry at
    /// `id`.
    ///
    /// - Returns: For each part, the distance by which its entries were shifted.
    private func append(inside parts: ArraySlice<DifferenceBuilder>, below id: Int) -> [Int] {
        let start = entries.count
        var end = start
        let distances = parts.map { part in
            defer { end += part.entries.count - 1 }
            return end - 1
        }
        entries.append(count: end - start) { memory in
            Parallel.forEach(parts.count) { place in
                let distance = distances[place]
                parts[place].entries.copyInside(to: memory + distance + 1 - start, movedBy: distance, below: id)
            }
        }
        return distances
    }

    /// Compares some pairs of elements. The entry of their arrays, `container`, becomes the first entry of this
    /// builder.
    private func comparePart(
        _ elements: borrowing Elements, _ range: Range<Int>, of container: DifferenceEntry
    ) -> MovedElements {
        entries.removeAll()
        entries.append(container)
        var moved = MovedElements()
        compare(elements, range, of: 0, &moved) {}
        return moved
    }

    /// Compares some pairs of elements, and appends the unpaired elements before each of them.
    private func compare(
        _ elements: borrowing Elements, _ range: Range<Int>, of id: Int, _ moved: inout MovedElements,
        _ checkpoint: () throws -> Void
    ) rethrows {
        var (oldPosition, newPosition) = (0, 0)
        if range.lowerBound > 0 {
            let before = elements.alignment.pairs[range.lowerBound - 1]
            (oldPosition, newPosition) = (before.old + 1, before.new + 1)
        }
        for pair in range {
            let (oldEnd, newEnd) = elements.alignment.pairs[pair]
            while oldPosition < oldEnd {
                var entry = DifferenceEntry(
                    kind: .removed, isElement: true, old: UInt32(elements.alignment.oldElements[oldPosition]),
                    oldPosition: UInt32(oldPosition), parent: UInt32(id))
                if let other = elements.newPositions[oldPosition] {
                    entry.kind = .movedAway
                    entry.new = UInt32(elements.alignment.newElements[other])
                    moved.away[oldPosition] = entries.count
                }
                append(leaf: entry)
                oldPosition += 1
            }
            while newPosition < newEnd {
                var entry = DifferenceEntry(
                    kind: .added, isElement: true, new: UInt32(elements.alignment.newElements[newPosition]),
                    newPosition: UInt32(newPosition), parent: UInt32(id))
                if let other = elements.oldPositions[newPosition] {
                    entry.old = UInt32(elements.alignment.oldElements[other])
                    moved.here[newPosition] = entries.count
                    try compare(entry, checkpoint)
                } else {
                    append(leaf: entry)
                }
                newPosition += 1
            }
            guard oldEnd < elements.alignment.oldElements.count else { break }
            try compare(
                DifferenceEntry(
                    kind: .inside, isElement: true, old: UInt32(elements.alignment.oldElements[oldEnd]),
                    new: UInt32(elements.alignment.newElements[newEnd]), oldPosition: UInt32(oldEnd),
                    newPosition: UInt32(newEnd),
                    parent: UInt32(id)),
                checkpoint)
            (oldPosition, newPosition) = (oldEnd + 1, newEnd + 1)
        }
    }
}
