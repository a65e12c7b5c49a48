/// The objects and arrays that one object lost and, at another place in it, has again, changed inside: a list that a
/// migration took out of its wrapping, and whose elements it renamed.
///
/// They are pairs if
///
/// - they are of the same kind and have the same name, which nothing else has that is gone or came;
/// - the way to them, from what is gone or came, leads through objects only;
/// - neither has its equal on the other side, which would have moved unchanged (``MoveFinder``);
/// - and half of the values in the new one that can be told from others are in the old one. Of large ones a sample is
///   looked at.
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
        let oldPlaces = Places(in: removed, of: old)
        if oldPlaces.indices.isEmpty { return nil }
        var newPlaces = Places(in: added, of: new)
        if newPlaces.indices.isEmpty { return nil }
        let (oldNames, newNames) = (oldPlaces.names, newPlaces.names)
        let (oldValues, newValues) = (oldPlaces.values, newPlaces.values)
        // Behind the pair that was found last.
        var end = 0
        for place in oldPlaces.indices where place >= end {
            let name = oldPlaces.name(of: place)
            guard oldNames[name] != nil, let position = newNames[name], !newPlaces.isTaken[position] else { continue }
            let other = newPlaces.indices[position]
            guard comparison.haveSameText(place - 1, other - 1), !newValues.contains(old.hashes[place]),
                !oldValues.contains(new.hashes[other]), isAlike(place, other), !isExcluded(place, other)
            else { continue }
            end = old.tape.next(after: place)
            newPlaces.take(position)
            olds.partners[place] = other
            olds.indices.append(place)
            news.partners[other] = place
        }
        if olds.indices.isEmpty { return nil }
        news.indices = news.partners.keys.sorted()
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

    /// Whether half of the values in the new container that can be told from others are in the old one.
    private func isAlike(_ place: Int, _ other: Int) -> Bool {
        var wanted = UniquePlaces(count: Self.stretches * Self.stretchLength)
        var hashes: [UInt64] = []
        let end = new.tape.next(after: other)
        let stride = max(Self.stretchLength, (end - other) / Self.stretches)
        for start in Swift.stride(from: other, to: end, by: stride) {
            for index in start..<min(end, start + Self.stretchLength)
            where isTelling(index, in: new) && !wanted.contains(new.hashes[index]) {
                wanted.note(new.hashes[index], at: hashes.count)
                hashes.append(new.hashes[index])
            }
        }
        let enough = (hashes.count + 1) / 2
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
