/// The objects and arrays that one object lost and, at another place or under another name in it, has again, changed
/// inside: a list that a migration renamed or took out of its wrapping, and whose elements it changed.
///
/// They are pairs if
///
/// - they are of the same kind, and either have the same name, which nothing else of that kind has that is gone or
///   came, or are the only ones of that kind that are left then: such a container was renamed;
/// - the way to them, from what is gone or came, leads through objects only;
/// - neither has its equal on the other side, which would have moved unchanged (``MoveFinder``);
/// - and half of the values in the new one that can be told from others are in the old one, of a renamed one more than
///   half. Of large ones a sample is looked at.
///
/// Of pairs within pairs the outermost counts; what is in it is compared as anything else.
struct ContainerPairs {
    /// The pairs' tape indices on one side.
    private struct Ends {
        /// For each index that of the other side.
        var partners: [Int: Int] = [:]
        /// The indices in their order.
        var indices: [Int] = []
        /// For each index the entry of the end.
        var entries: [Int: Int] = [:]

        func hasAny(in range: Range<Int>) -> Bool {
            let first = indices.partitioningIndex { $0 >= range.lowerBound }
            return first < indices.count && indices[first] < range.upperBound
        }
    }

    private let old: DifferenceBuilder.Side
    private let new: DifferenceBuilder.Side
    private var olds = Ends()
    private var news = Ends()

    /// Finds the pairs; nil where there are none.
    ///
    /// - Parameters:
    ///   - removed: The tape indices of the members' values that the object lost, in their order.
    ///   - added: Those of the values that came.
    ///   - isExcluded: Whether it is known that one is not the other, by their tape indices.
    init?(
        removed: [Int], added: [Int], old: DifferenceBuilder.Side, new: DifferenceBuilder.Side,
        _ comparison: ValueComparison, isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) {
        self.old = old
        self.new = new
        var oldPlaces = Places(in: removed, of: old)
        if oldPlaces.indices.isEmpty { return nil }
        var newPlaces = Places(in: added, of: new)
        if newPlaces.indices.isEmpty { return nil }
        // Made where they are needed: as a rule no two containers come in question.
        var values: (old: UniquePlaces, new: UniquePlaces)?

        func pair(_ position: Int, _ otherPosition: Int, isRenamed: Bool) {
            let (place, other) = (oldPlaces.indices[position], newPlaces.indices[otherPosition])
            guard !oldPlaces.isTaken[position], !newPlaces.isTaken[otherPosition] else { return }
            let known = values ?? (oldPlaces.values, newPlaces.values)
            values = known
            guard !known.new.contains(old.hashes[place]), !known.old.contains(new.hashes[other]),
                isAlike(place, other, isRenamed: isRenamed), !isExcluded(place, other)
            else { return }
            oldPlaces.take(position)
            newPlaces.take(otherPosition)
            olds.partners[place] = other
            news.partners[other] = place
        }

        for (position, other) in Self.sameNames(oldPlaces, newPlaces)
        where comparison.haveSameText(oldPlaces.indices[position] - 1, newPlaces.indices[other] - 1) {
            pair(position, other, isRenamed: false)
        }
        for kind in [NodeKind.array, .object] {
            if let position = oldPlaces.only(kind), let other = newPlaces.only(kind) {
                pair(position, other, isRenamed: true)
            }
        }
        if olds.partners.isEmpty { return nil }
        olds.indices = olds.partners.keys.sorted()
        news.indices = news.partners.keys.sorted()
    }

    /// The positions of containers with names and kinds that no others have, in the order of the old ones.
    private static func sameNames(_ oldPlaces: Places, _ newPlaces: Places) -> [(old: Int, new: Int)] {
        let newNames = newPlaces.names
        let same = oldPlaces.indices.enumerated().compactMap { position, place in
            newNames[oldPlaces.name(of: place)].map { (old: position, new: $0) }
        }
        if same.isEmpty { return [] }
        let oldNames = oldPlaces.names
        return same.filter { oldNames[oldPlaces.name(of: oldPlaces.indices[$0.old])] != nil }
    }

    /// The new container that the one at an index of the old document became, or the other way round.
    func partner(of index: Int, isOld: Bool) -> Int? { (isOld ? olds : news).partners[index] }

    /// Whether there is one inside a value.
    func hasAny(inside index: Int, isOld: Bool) -> Bool {
        isOld
            ? olds.hasAny(in: index + 1..<old.tape.next(after: index))
            : news.hasAny(in: index + 1..<new.tape.next(after: index))
    }

    /// Notes the entry of the container at an index.
    mutating func note(_ entry: Int, at index: Int, isOld: Bool) {
        if isOld { olds.entries[index] = entry } else { news.entries[index] = entry }
    }

    /// Calls `body` with the entries of the ends of each pair.
    func forEachPairOfEntries(_ body: (_ away: Int, _ here: Int) -> Void) {
        for (index, other) in olds.partners {
            if let away = olds.entries[index], let here = news.entries[other] { body(away, here) }
        }
    }

    // MARK: - Places

    /// The containers that are members' values or, through objects, in these; in the order of the tape.
    private struct Places {
        private let side: DifferenceBuilder.Side
        /// Their tape indices.
        private(set) var indices: [Int] = []
        /// For each the position of the one that it is in; -1 for those in none.
        private var parents: [Int] = []
        /// Whether each is part of a pair, is in one, or has one inside.
        private(set) var isTaken: [Bool] = []

        init(in values: [Int], of side: DifferenceBuilder.Side) {
            self.side = side
            var open: [Int] = []
            for value in values {
                let end = side.tape.next(after: value)
                var index = value
                while index < end {
                    let node = side.tape[index]
                    while let last = open.last, side.tape.next(after: indices[last]) <= index { open.removeLast() }
                    // No JSON Pointer leads to the members of an object in which a name occurs more than once.
                    let isObject = node.kind == .object && !side.hashes.hasDuplicates(index)
                    if (isObject || node.kind == .array) && Int(node.next) > index + 1 {
                        parents.append(open.last ?? -1)
                        open.append(indices.count)
                        indices.append(index)
                    }
                    // Into an object, and over the name to its first value; over anything else.
                    index = isObject ? index + 2 : Int(node.next) + 1
                }
            }
            isTaken = [Bool](repeating: false, count: indices.count)
        }

        /// A container's name and kind.
        func name(of place: Int) -> UInt64 {
            FastHash.mix(side.hashes[place - 1], UInt64(side.tape[place].kind.rawValue))
        }

        /// The positions by name and kind.
        var names: UniquePlaces {
            var names = UniquePlaces(count: indices.count)
            for (position, place) in indices.enumerated() { names.note(name(of: place), at: position) }
            return names
        }

        /// The positions by value.
        var values: UniquePlaces {
            var values = UniquePlaces(count: indices.count)
            for (position, place) in indices.enumerated() { values.note(side.hashes[place], at: position) }
            return values
        }

        /// The position of the one container of a kind that is part of no pair and in no other of that kind; nil where
        /// there are none or several.
        func only(_ kind: NodeKind) -> Int? {
            var only: Int?
            for (position, place) in indices.enumerated()
            where !isTaken[position] && side.tape[place].kind == kind && (kind == .array || parents[position] < 0) {
                if only != nil { return nil }
                only = position
            }
            return only
        }

        /// Makes the container at a position part of a pair, which what is in it and what it is in cannot be.
        mutating func take(_ position: Int) {
            let end = side.tape.next(after: indices[position])
            var inside = position
            while inside < indices.count, indices[inside] < end {
                isTaken[inside] = true
                inside += 1
            }
            var outer = parents[position]
            while outer >= 0, !isTaken[outer] {
                isTaken[outer] = true
                outer = parents[outer]
            }
        }
    }

    // MARK: - Likeness

    /// How many stretches of a container are looked at, and how many nodes in each.
    private static let stretches = 16
    private static let stretchLength = 64

    /// Whether half of the values in the new container that can be told from others are in the old one, or more than
    /// half.
    private func isAlike(_ place: Int, _ other: Int, isRenamed: Bool) -> Bool {
        let end = new.tape.next(after: other)
        var wanted = UniquePlaces(count: min(end - other, Self.stretches * Self.stretchLength))
        var hashes: [UInt64] = []
        let stride = max(Self.stretchLength, (end - other) / Self.stretches)
        for start in Swift.stride(from: other, to: end, by: stride) {
            for index in start..<min(end, start + Self.stretchLength)
            where isTelling(index, in: new) && !wanted.contains(new.hashes[index]) {
                wanted.note(new.hashes[index], at: hashes.count)
                hashes.append(new.hashes[index])
            }
        }
        let enough = isRenamed ? hashes.count / 2 + 1 : (hashes.count + 1) / 2
        if hashes.isEmpty { return false }
        var isFound = [Bool](repeating: false, count: hashes.count)
        var found = 0
        for index in place..<old.tape.next(after: place) {
            guard let position = wanted[old.hashes[index]], !isFound[position], isTelling(index, in: old) else {
                continue
            }
            isFound[position] = true
            found += 1
            if found >= enough { return true }
        }
        return false
    }

    /// Whether the node is a value without others inside that can be told from others.
    private func isTelling(_ index: Int, in side: DifferenceBuilder.Side) -> Bool {
        let kind = side.tape[index].kind
        return !kind.isContainer && kind != .key && side.tape.isDistinctive(index)
    }
}
