/// The objects and arrays that one object lost and, at another place or under another name in it, has again, changed
/// inside: a list that a migration renamed or took out of its wrapping, and whose elements it changed.
///
/// They are pairs if
///
/// - they are of the same kind, and either have the same name, which nothing else of that kind has that is gone or
///   came, or have different names and, where few are left then, each is like no other: such a container was renamed;
/// - the way to them, from what is gone or came, leads through objects only;
/// - neither has its equal on the other side, which would have moved unchanged (``MoveFinder``);
/// - and half of the values in the new one that can be told from others are in the old one, of a renamed one more than
///   half of those of each in the other. They count where they are behind as many arrays: a list that became part of
///   another has not become that one. Of large ones a sample is looked at.
///
/// Of pairs within pairs the outermost counts, if it has kept its name or is the object that the other became; what is
/// in it is compared as anything else.
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

        func isPair(_ pair: Positions, isRenamed: Bool) -> Bool {
            let (place, other) = (oldPlaces.indices[pair.old], newPlaces.indices[pair.new])
            guard !oldPlaces.isTaken[pair.old], !newPlaces.isTaken[pair.new] else { return false }
            let known = values ?? (oldPlaces.values, newPlaces.values)
            values = known
            return !known.new.contains(old.hashes[place]) && !known.old.contains(new.hashes[other])
                && isAlike(place, other, isRenamed: isRenamed) && !isExcluded(place, other)
        }

        func take(_ pair: Positions) {
            olds.partners[oldPlaces.indices[pair.old]] = newPlaces.indices[pair.new]
            news.partners[newPlaces.indices[pair.new]] = oldPlaces.indices[pair.old]
            oldPlaces.take(pair.old)
            newPlaces.take(pair.new)
        }

        func takeRenamed(_ oldLeft: [Int], _ newLeft: [Int]) {
            guard oldLeft.count * newLeft.count <= Self.mostCompared else { return }
            let alike = oldLeft.flatMap { old in newLeft.map { (old: old, new: $0) } }
                .filter { !haveSameName($0) && isPair($0, isRenamed: true) }
            for pair in alike
            where alike.count(where: { $0.old == pair.old }) == 1 && alike.count(where: { $0.new == pair.new }) == 1 {
                take(pair)
            }
        }

        func haveSameName(_ pair: Positions) -> Bool {
            comparison.haveSameText(oldPlaces.indices[pair.old] - 1, newPlaces.indices[pair.new] - 1)
        }

        let sameNames = Self.sameNames(oldPlaces, newPlaces).filter(haveSameName)
        let (oldNamed, newNamed) = (Set(sameNames.map(\.old)), Set(sameNames.map(\.new)))
        // Before what is in them, but not where one has only lost its wrapping, or got one.
        takeRenamed(
            oldPlaces.outerObjects.filter { !oldNamed.contains($0) },
            newPlaces.outerObjects.filter { !newNamed.contains($0) })
        for pair in sameNames where isPair(pair, isRenamed: false) { take(pair) }
        takeRenamed(oldPlaces.arraysLeft, newPlaces.arraysLeft)
        if olds.partners.isEmpty { return nil }
        olds.indices = olds.partners.keys.sorted()
        news.indices = news.partners.keys.sorted()
    }

    private typealias Positions = (old: Int, new: Int)

    /// Containers with different names are compared where the old ones times the new ones are no more than this.
    private static let mostCompared = 16

    /// The positions of containers with names and kinds that no others have, in the order of the old ones.
    private static func sameNames(_ oldPlaces: Places, _ newPlaces: Places) -> [Positions] {
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

        /// The positions of the objects that are in no other.
        var outerObjects: [Int] {
            indices.indices.filter { parents[$0] < 0 && side.tape[indices[$0]].kind == .object }
        }

        /// The positions of the arrays that are part of no pair.
        var arraysLeft: [Int] { indices.indices.filter { !isTaken[$0] && side.tape[indices[$0]].kind == .array } }

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

    /// How many stretches of a large container are looked at, and about how many nodes in each.
    private static let stretches = 16
    private static let stretchLength = 64

    /// Whether half of the values in the new container that can be told from others are in the old one; of a renamed
    /// one, whether more than half of those of each are in the other.
    private func isAlike(_ place: Int, _ other: Int, isRenamed: Bool) -> Bool {
        if !isRenamed { return Self.share(of: other, new, in: place, old) { found, count in found * 2 >= count } }
        func isMost(_ found: Int, of count: Int) -> Bool { found * 2 > count }
        return Self.share(of: other, new, in: place, old, isMost) && Self.share(of: place, old, in: other, new, isMost)
    }

    /// Whether enough of the values in a container that can be told from others are in another. Of a large one a sample
    /// is looked at.
    ///
    /// - Parameter isEnough: Decides whether the number of values that were found is enough, of the number of all.
    private static func share(
        of container: Int, _ side: DifferenceBuilder.Side, in other: Int, _ otherSide: DifferenceBuilder.Side,
        _ isEnough: (_ found: Int, _ count: Int) -> Bool
    ) -> Bool {
        let length = side.tape.next(after: container) - container
        let stride = max(stretchLength, length / stretches)
        var wanted = UniquePlaces(count: min(length, stretches * stretchLength))
        var count = 0
        let arrayCount = side.tape[container].kind == .array ? 1 : 0
        side.tape.forEachChild(of: container) { child, _ in
            guard (child - container) % stride < stretchLength else { return }
            let stretch = child..<min(side.tape.next(after: child), child + stretchLength)
            forEachTelling(in: stretch, of: side, behind: arrayCount) { value in
                if !wanted.contains(value) {
                    wanted.note(value, at: count)
                    count += 1
                }
                return true
            }
        }
        if count == 0 { return false }
        var isFound = [Bool](repeating: false, count: count)
        var found = 0
        forEachTelling(in: other..<otherSide.tape.next(after: other), of: otherSide, behind: 0) { value in
            if let position = wanted[value], !isFound[position] {
                isFound[position] = true
                found += 1
            }
            return !isEnough(found, count)
        }
        return isEnough(found, count)
    }

    /// Calls `body` for each node of some that is a value without others inside and can be told from others, until that
    /// returns false: with a hash of the value and of how many arrays it is behind.
    private static func forEachTelling(
        in nodes: Range<Int>, of side: DifferenceBuilder.Side, behind arrayCount: Int, _ body: (UInt64) -> Bool
    ) {
        var arrayEnds: [Int] = []
        for index in nodes {
            while let end = arrayEnds.last, end <= index { arrayEnds.removeLast() }
            let node = side.tape[index]
            if node.kind == .array { arrayEnds.append(Int(node.next)) }
            guard !node.kind.isContainer, node.kind != .key, side.tape.isDistinctive(index) else { continue }
            guard body(FastHash.mix(side.hashes[index], UInt64(arrayCount + arrayEnds.count))) else { return }
        }
    }
}
