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
        let oldPlaces = Self.containers(in: removed, of: old)
        if oldPlaces.isEmpty { return nil }
        let newPlaces = Self.containers(in: added, of: new)
        if newPlaces.isEmpty { return nil }
        let (oldNames, newNames) = (Self.names(of: oldPlaces, in: old), Self.names(of: newPlaces, in: new))
        let (oldValues, newValues) = (Self.values(of: oldPlaces, in: old), Self.values(of: newPlaces, in: new))
        for place in oldPlaces {
            let name = Self.name(of: place, in: old)
            guard oldNames[name] != nil, let other = newNames[name], comparison.haveSameText(place - 1, other - 1),
                !newValues.contains(old.hashes[place]), !oldValues.contains(new.hashes[other]),
                !isInPair(place, other), isAlike(place, other), !isExcluded(place, other)
            else { continue }
            olds.partners[place] = other
            olds.indices.append(place)
            news.partners[other] = place
            news.indices.insert(other, at: news.indices.partitioningIndex { $0 >= other })
        }
        if olds.indices.isEmpty { return nil }
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

    /// The tape indices of the containers that are members' values or, through objects, in these; in the order of the
    /// tape.
    private static func containers(in values: [Int], of side: DifferenceBuilder.Side) -> [Int] {
        var places: [Int] = []
        for value in values {
            let end = side.tape.next(after: value)
            var index = value
            while index < end {
                let node = side.tape[index]
                // No JSON Pointer leads to the members of an object in which a name occurs more than once.
                let isObject = node.kind == .object && !side.hashes.objectsWithDuplicates.contains(index)
                if (isObject || node.kind == .array) && Int(node.next) > index + 1 { places.append(index) }
                // Into an object, and over the name to its first value; over anything else.
                index = isObject ? index + 2 : Int(node.next) + 1
            }
        }
        return places
    }

    /// A container's name and kind.
    private static func name(of place: Int, in side: DifferenceBuilder.Side) -> UInt64 {
        FastHash.mix(side.hashes[place - 1], UInt64(side.tape[place].kind.rawValue))
    }

    private static func names(of places: [Int], in side: DifferenceBuilder.Side) -> UniquePlaces {
        var names = UniquePlaces(count: places.count)
        for place in places { names.note(name(of: place, in: side), at: place) }
        return names
    }

    private static func values(of places: [Int], in side: DifferenceBuilder.Side) -> UniquePlaces {
        var values = UniquePlaces(count: places.count)
        for place in places { values.note(side.hashes[place], at: place) }
        return values
    }

    /// Whether either container is part of a pair that was found, or has a part of one inside.
    private func isInPair(_ place: Int, _ other: Int) -> Bool {
        if let last = olds.indices.last, place < old.tape.next(after: last) { return true }
        let (index, end) = (news.indices.partitioningIndex { $0 > other }, new.tape.next(after: other))
        if index < news.indices.count, news.indices[index] < end { return true }
        return index > 0 && other < new.tape.next(after: news.indices[index - 1])
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
