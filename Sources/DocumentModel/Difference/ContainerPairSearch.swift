/// The search for containers that moved and changed; see ``ContainerPairs``.
struct ContainerPairSearch: ~Copyable {
    typealias Pair = (old: Int, new: Int)

    private var olds: Places
    private var news: Places
    private let comparison: ValueComparison
    /// The places of the containers by value. Created on first use, because most searches have no candidates.
    private var values: Values?
    /// The tape indices of the pairs found so far.
    private var pairs = OwnedList<Pair>()

    private struct Values: ~Copyable {
        let olds: UniquePlaces
        let news: UniquePlaces
    }

    /// Containers with different names are compared only if the number of old ones times the number of new ones is at
    /// most this.
    private static let mostCompared = 16

    /// Returns the tape indices of the pairs.
    ///
    /// - Parameters:
    ///   - removed: The tape indices of the values of members that the object lost, in order.
    ///   - added: The tape indices of the values of members that it gained, in order.
    ///   - isExcluded: Returns whether two containers, given by their tape indices, are known not to be a pair.
    static func pairs(
        _ removed: borrowing OwnedList<Int>, of old: DifferenceBuilder.Side,
        _ added: borrowing OwnedList<Int>, of new: DifferenceBuilder.Side, _ comparison: ValueComparison,
        _ isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) -> OwnedList<Pair> {
        let olds = Places(in: removed, of: old)
        if olds.places.isEmpty { return OwnedList() }
        let news = Places(in: added, of: new)
        if news.places.isEmpty { return OwnedList() }
        var search = ContainerPairSearch(olds, news, comparison)
        search.find(isExcluded)
        return search.pairs
    }

    private init(_ olds: consuming Places, _ news: consuming Places, _ comparison: ValueComparison) {
        self.olds = olds
        self.news = news
        self.comparison = comparison
    }

    private mutating func find(_ isExcluded: (_ old: Int, _ new: Int) -> Bool) {
        let sameNames = sameNames()
        for place in sameNames.indices {
            olds.places[sameNames[place].old].isNamed = true
            news.places[sameNames[place].new].isNamed = true
        }
        // Renamed objects are paired before the containers inside them, unless an object only lost or gained a
        // wrapping.
        takeRenamed(olds.outerObjects(), news.outerObjects(), isExcluded)
        for place in sameNames.indices where isPair(sameNames[place], isRenamed: false, isExcluded) {
            take(sameNames[place])
        }
        takeRenamed(olds.arraysLeft(), news.arraysLeft(), isExcluded)
    }

    /// Returns the positions of containers with names and kinds that no others have, in the order of the old ones.
    private func sameNames() -> OwnedList<Pair> {
        let newNames = news.names()
        var same = OwnedList<Pair>()
        for position in olds.places.indices {
            if let other = newNames[olds.name(position)] { same.append((position, other)) }
        }
        if same.isEmpty { return same }
        let oldNames = olds.names()
        var single = OwnedList<Pair>(capacity: same.count)
        for place in same.indices {
            let pair = same[place]
            if oldNames[olds.name(pair.old)] != nil, haveSameName(pair) { single.append(pair) }
        }
        return single
    }

    private func haveSameName(_ pair: Pair) -> Bool {
        comparison.haveSameText(olds.places[pair.old].index - 1, news.places[pair.new].index - 1)
    }

    private mutating func takeRenamed(
        _ oldLeft: consuming OwnedList<Int>, _ newLeft: consuming OwnedList<Int>,
        _ isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) {
        guard oldLeft.count * newLeft.count <= Self.mostCompared else { return }
        var alike = OwnedList<Pair>()
        for oldPlace in oldLeft.indices {
            for newPlace in newLeft.indices {
                let pair = (old: oldLeft[oldPlace], new: newLeft[newPlace])
                if !haveSameName(pair), isPair(pair, isRenamed: true, isExcluded) { alike.append(pair) }
            }
        }
        for place in alike.indices {
            let pair = alike[place]
            let isSingle = alike.indices.allSatisfy {
                $0 == place || alike[$0].old != pair.old && alike[$0].new != pair.new
            }
            if isSingle { take(pair) }
        }
    }

    private mutating func isPair(
        _ pair: Pair, isRenamed: Bool, _ isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) -> Bool {
        let (place, other) = (olds.places[pair.old], news.places[pair.new])
        if place.isTaken || other.isTaken { return false }
        return !hasEqual(place, other) && isAlike(place.index, other.index, isRenamed: isRenamed)
            && !isExcluded(place.index, other.index)
    }

    /// Returns whether either of two containers has an equal one on the other side.
    private mutating func hasEqual(_ old: Place, _ new: Place) -> Bool {
        let known = values.take() ?? Values(olds: olds.values(), news: news.values())
        let hasEqual =
            known.news.contains(olds.side.hashes[old.index]) || known.olds.contains(news.side.hashes[new.index])
        values = consume known
        return hasEqual
    }

    private mutating func take(_ pair: Pair) {
        pairs.append((olds.places[pair.old].index, news.places[pair.new].index))
        olds.take(pair.old)
        news.take(pair.new)
    }

    // MARK: - Places

    /// A container that is the value of a member or nested in one, inside objects only.
    private struct Place {
        /// Its tape index.
        let index: Int
        /// The position of the surrounding container, or -1 if there is none.
        let outer: Int
        /// Whether it is part of a pair, or is inside or around one.
        var isTaken = false
        /// Whether exactly one container on each side has its name and kind.
        var isNamed = false
    }

    /// The containers of one side, in the order of the tape.
    private struct Places: ~Copyable {
        let side: DifferenceBuilder.Side
        var places = OwnedList<Place>()

        init(in values: borrowing OwnedList<Int>, of side: DifferenceBuilder.Side) {
            self.side = side
            var outer = -1
            for place in values.indices {
                let end = side.tape.next(after: values[place])
                var index = values[place]
                while index < end {
                    let node = side.tape[index]
                    while outer >= 0, side.tape.next(after: places[outer].index) <= index {
                        outer = places[outer].outer
                    }
                    // If names in an object are repeated, no JSON Pointer leads to its members.
                    let isObject = node.kind == .object && !side.hashes.hasDuplicates(index)
                    if (isObject || node.kind == .array) && Int(node.next) > index + 1 {
                        places.append(Place(index: index, outer: outer))
                        outer = places.count - 1
                    }
                    // Continue with the first value of an object, after its name, or else after the value.
                    index = isObject ? index + 2 : Int(node.next) + 1
                }
            }
        }

        /// Returns a hash of a container's name and kind.
        func name(_ position: Int) -> UInt64 {
            let index = places[position].index
            return FastHash.mix(side.hashes[index - 1], UInt64(side.tape[index].kind.rawValue))
        }

        /// Returns the positions by name and kind.
        func names() -> UniquePlaces {
            var names = UniquePlaces(count: places.count)
            for position in places.indices { names.note(name(position), at: position) }
            return names
        }

        /// Returns the positions by value.
        func values() -> UniquePlaces {
            var values = UniquePlaces(count: places.count)
            for position in places.indices { values.note(side.hashes[places[position].index], at: position) }
            return values
        }

        /// Returns the positions of the outermost objects without a namesake.
        func outerObjects() -> OwnedList<Int> {
            var outer = OwnedList<Int>()
            for position in places.indices {
                let place = places[position]
                if place.outer < 0, !place.isNamed, side.tape[place.index].kind == .object { outer.append(position) }
            }
            return outer
        }

        /// Returns the positions of the arrays that are not part of a pair.
        func arraysLeft() -> OwnedList<Int> {
            var left = OwnedList<Int>()
            for position in places.indices {
                let place = places[position]
                if !place.isTaken, side.tape[place.index].kind == .array { left.append(position) }
            }
            return left
        }

        /// Makes the container at a position part of a pair. The containers inside and around it can then be part of no
        /// other pair.
        mutating func take(_ position: Int) {
            let end = side.tape.next(after: places[position].index)
            var inside = position
            while inside < places.count, places[inside].index < end {
                places[inside].isTaken = true
                inside += 1
            }
            var outer = places[position].outer
            while outer >= 0, !places[outer].isTaken {
                places[outer].isTaken = true
                outer = places[outer].outer
            }
        }
    }

    // MARK: - Similarity

    /// The number of stretches of a large container that are sampled, and the approximate number of nodes in each.
    private static let stretches = 16
    private static let stretchLength = 64

    /// Returns whether at least half of the distinctive values in the new container are in the old one. For a renamed
    /// container, more than half of those of each must be in the other.
    private func isAlike(_ place: Int, _ other: Int, isRenamed: Bool) -> Bool {
        let (old, new) = (olds.side, news.side)
        if !isRenamed { return Self.share(of: other, new, in: place, old) { found, count in found * 2 >= count } }
        func isMost(_ found: Int, of count: Int) -> Bool { found * 2 > count }
        return Self.share(of: other, new, in: place, old, isMost) && Self.share(of: place, old, in: other, new, isMost)
    }

    /// Returns whether enough of the distinctive values in a container are in another. Large containers are sampled.
    ///
    /// - Parameter isEnough: Returns whether the number of values found is enough, out of the number of all.
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
        var isFound = OwnedList(repeating: false, count: count)
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

    /// Calls `body` for each distinctive scalar among some nodes, until it returns false. The argument is a hash of the
    /// value and of the number of arrays around it.
    private static func forEachTelling(
        in nodes: Range<Int>, of side: DifferenceBuilder.Side, behind arrayCount: Int, _ body: (UInt64) -> Bool
    ) {
        var arrayEnds = OwnedList<Int>()
        for index in nodes {
            while let end = arrayEnds.last, end <= index { _ = arrayEnds.removeLast() }
            let node = side.tape[index]
            if node.kind == .array { arrayEnds.append(Int(node.next)) }
            guard !node.kind.isContainer, node.kind != .key, side.tape.isDistinctive(index) else { continue }
            guard body(FastHash.mix(side.hashes[index], UInt64(arrayCount + arrayEnds.count))) else { return }
        }
    }
}
