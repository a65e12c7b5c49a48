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
            var elements: [Int] = []
            var child = index + 1
            let end = Int(tape[index].next)
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
    private let entries = DifferenceEntries()
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
            old: try Side(old, checkpoint: checkpoint), new: try Side(new, checkpoint: checkpoint))
        try builder.compare(
            DifferenceEntry(kind: .inside, old: UInt32(old.index), new: UInt32(new.index)), checkpoint)
        try checkpoint()
        var moves = MoveFinder.moves(
            builder.entries, old: builder.old, new: builder.new, comparison: builder.comparison)
        if !excluded.isEmpty {
            moves.removeAll { move in
                excluded.contains(
                    ValueMove(from: builder.old.node(move.old).path, path: builder.new.node(move.new).path))
            }
        }
        let entries = MoveWriter.write(moves, to: builder.entries, old: builder.old, new: builder.new)
        entries.finish()
        return entries
    }

    private init(old: Side, new: Side) {
        self.old = old
        self.new = new
        comparison = ValueComparison(left: old.document, right: new.document)
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

    private mutating func append(leaf entry: DifferenceEntry) {
        entries.append(entry)
        entries[entries.count - 1].end = UInt32(entries.count)
    }

    // MARK: - Objects

    private mutating func compareMembers(of id: Int, _ checkpoint: () throws -> Void) rethrows {
        let (oldIndex, newIndex) = (Int(entries[id].old), Int(entries[id].new))
        entries[id].isPatchedWhole =
            old.hashes.objectsWithDuplicates.contains(oldIndex) || new.hashes.objectsWithDuplicates.contains(newIndex)
        var oldMembers = AlignedMembers(old, object: oldIndex)
        let newMembers = AlignedMembers(new, object: newIndex)
        let matches = newMembers.values.map { oldMembers.position(ofNameBefore: $0, in: new, comparison) }
        var isKept = [Bool](repeating: false, count: oldMembers.values.count)
        for case let match? in matches { isKept[match] = true }

        func appendRemoved(from start: Int) {
            var position = start
            while position < isKept.count, !isKept[position] {
                append(
                    leaf: DifferenceEntry(kind: .removed, old: UInt32(oldMembers.values[position]), parent: UInt32(id)))
                position += 1
            }
        }
        appendRemoved(from: 0)
        for (value, match) in zip(newMembers.values, matches) {
            guard let match else {
                append(leaf: DifferenceEntry(kind: .added, new: UInt32(value), parent: UInt32(id)))
                continue
            }
            try compare(
                DifferenceEntry(
                    kind: .inside, old: UInt32(oldMembers.values[match]), new: UInt32(value), parent: UInt32(id)),
                checkpoint)
            appendRemoved(from: match + 1)
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

/// The members of an object by name, of duplicates the first.
///
/// Names are mostly asked for in the order of the object, where each is the one behind the last, or there are few.
struct AlignedMembers {
    /// The tape indices of the values, in the order of the object.
    let values: [Int]
    private let side: DifferenceBuilder.Side
    /// The position behind the member that was found last.
    private var next = 0
    /// How often all members were looked through.
    private var scanCount = 0
    /// The positions of the members with a name of that hash.
    private lazy var positions = Dictionary(grouping: values.indices) { [side, values] in side.hashes[values[$0] - 1] }

    /// So few members are always looked through.
    private static let largestScanned = 8
    /// So often more members are looked through before there is a table.
    private static let mostScans = 8

    init(_ side: DifferenceBuilder.Side, object: Int) {
        self.side = side
        var values: [Int] = []
        let end = Int(side.tape[object].next)
        var key = object + 1
        while key < end {
            values.append(key + 1)
            key = Int(side.tape[key + 1].next)
        }
        if side.hashes.objectsWithDuplicates.contains(object) {
            var seen: Set<ExactText> = []
            values = values.filter { seen.insert(ExactText(side.node($0 - 1).string ?? "")).inserted }
        }
        self.values = values
    }

    /// The position of the member that has the same name as the one of `value`.
    ///
    /// - Parameter comparison: Compares what is in this document with what is in the other.
    mutating func position(
        ofNameBefore value: Int, in other: DifferenceBuilder.Side, _ comparison: ValueComparison
    ) -> Int? {
        let hash = other.hashes[value - 1]
        func isMatch(_ position: Int) -> Bool {
            side.hashes[values[position] - 1] == hash
                && comparison.haveSameText(values[position] - 1, value - 1)
        }
        if next < values.count, isMatch(next) {
            next += 1
            return next - 1
        }
        let found: Int?
        if values.count <= Self.largestScanned || scanCount < Self.mostScans {
            scanCount += 1
            found = values.indices.first(where: isMatch)
        } else {
            let candidates = positions[hash]
            found = candidates?.first(where: isMatch)
        }
        if let found { next = found + 1 }
        return found
    }
}
