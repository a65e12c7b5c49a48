/// The search for containers that moved and changed; see ``ContainerPairs``.
struct ContainerPairSearch {
    typealias Pair = (old: Int, new: Int)

    private var olds: Places
    private var news: Places
    private let comparison: ValueComparison
    /// The values of all containers of each side. They are computed on first use, because most searches have no
    /// candidates.
    private lazy var oldValues = olds.values()
    private lazy var newValues = news.values()
    /// The tape indices of the pairs found so far.
    private var pairs: [Pair] = []

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
        _ removed: [Int], of old: ComparedSide,
        _ added: [Int], of new: ComparedSide, _ comparison: ValueComparison,
        _ isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) -> [Pair] {
        let olds = Places(in: removed, of: old)
        if olds.places.isEmpty { return [] }
        let news = Places(in: added, of: new)
        if news.places.isEmpty { return [] }
        var search = ContainerPairSearch(olds, news, comparison)
        search.find(isExcluded)
        return search.pairs
    }

    private init(_ olds: Places, _ news: Places, _ comparison: ValueComparison) {
        self.olds = olds
        self.news = news
        self.comparison = comparison
    }

    private mutating func find(_ isExcluded: (_ old: Int, _ new: Int) -> Bool) {
        let sameNames = sameNames()
        for pair in sameNames {
            olds.places[pair.old].isNamed = true
            news.places[pair.new].isNamed = true
        }
        // Renamed objects are paired before the containers inside them, unless an object only lost or gained a
        // wrapping.
        takeRenamed(olds.outerObjects(), news.outerObjects(), isExcluded)
        for pair in sameNames where isPair(pair, isRenamed: false, isExcluded) { take(pair) }
        takeRenamed(olds.arraysLeft(), news.arraysLeft(), isExcluded)
    }

    /// Returns the positions of containers with names and kinds that no others have, in the order of the old ones.
    private func sameNames() -> [Pair] {
        let newNames = news.names()
        var same: [Pair] = []
        for position in olds.places.indices {
            if let other = newNames[olds.name(position)] { same.append((position, other)) }
        }
        if same.isEmpty { return same }
        let oldNames = olds.names()
        return same.filter { oldNames[olds.name($0.old)] != nil && haveSameName($0) }
    }

    private func haveSameName(_ pair: Pair) -> Bool {
        comparison.haveSameText(olds.places[pair.old].index - 1, news.places[pair.new].index - 1)
    }

    private mutating func takeRenamed(
        _ oldLeft: [Int], _ newLeft: [Int],
        _ isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) {
        guard oldLeft.count * newLeft.count <= Self.mostCompared else { return }
        var alike: [Pair] = []
        for oldPlace in oldLeft {
            for newPlace in newLeft {
                let pair = (old: oldPlace, new: newPlace)
                if !haveSameName(pair), isPair(pair, isRenamed: true, isExcluded) { alike.append(pair) }
            }
        }
        for pair in alike where alike.count(where: { $0.old == pair.old || $0.new == pair.new }) == 1 { take(pair) }
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
        newValues.contains(olds.side.hashes[old.index]) || oldValues.contains(news.side.hashes[new.index])
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
    private struct Places {
        let side: ComparedSide
        var places: [Place] = []

        init(in values: [Int], of side: ComparedSide) {
            self.side = side
            var outer = -1
            for value in values {
                let end = side.tape.next(after: value)
                var index = value
                while index < end {
                    let node = side.tape[index]
                    while outer >= 0, side.tape.next(after: places[outer].index) <= index {
                        outer = places[outer].outer
                    }
                    // If names in an object are repeated, no JSON Pointer leads to its members.
                    let isObject = node.kind == .object && !side.hasDuplicates(index)
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
        func names() -> UniquePositions {
            var names = UniquePositions()
            for position in places.indices { names.note(name(position), at: position) }
            return names
        }

        /// Returns the hashes of all values.
        func values() -> Set<UInt64> { Set(places.map { side.hashes[$0.index] }) }

        /// Returns the positions of the outermost objects without a namesake.
        func outerObjects() -> [Int] {
            places.indices.filter { position in
                let place = places[position]
                return place.outer < 0 && !place.isNamed && side.tape[place.index].kind == .object
            }
        }

        /// Returns the positions of the arrays that are not part of a pair.
        func arraysLeft() -> [Int] {
            places.indices.filter { !places[$0].isTaken && side.tape[places[$0].index].kind == .array }
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
        let (found, count) = Self.share(of: other, new, in: place, old)
        if !isRenamed { return count > 0 && found * 2 >= count }
        let (foundBack, countBack) = Self.share(of: place, old, in: other, new)
        return found * 2 > count && foundBack * 2 > countBack
    }

    /// Returns how many of the distinctive values in a container are in another, and the number of all. Large containers
    /// are sampled.
    private static func share(
        of container: Int, _ side: ComparedSide, in other: Int, _ otherSide: ComparedSide
    ) -> (found: Int, count: Int) {
        let length = side.tape.next(after: container) - container
        let stride = max(stretchLength, length / stretches)
        // The distinctive values that are not found yet.
        var wanted: Set<UInt64> = []
        let arrayCount = side.tape[container].kind == .array ? 1 : 0
        side.tape.forEachChild(of: container) { child, _ in
            guard (child - container) % stride < stretchLength else { return }
            let stretch = child..<min(side.tape.next(after: child), child + stretchLength)
            forEachDistinctive(in: stretch, of: side, behind: arrayCount) { wanted.insert($0) }
        }
        let count = wanted.count
        if count > 0 {
            let nodes = other..<otherSide.tape.next(after: other)
            forEachDistinctive(in: nodes, of: otherSide, behind: 0) { wanted.remove($0) }
        }
        return (count - wanted.count, count)
    }

    /// Calls `body` for each distinctive scalar among some nodes. The argument is a hash of the
    /// value and of the number of arrays around it.
    private static func forEachDistinctive(
        in nodes: Range<Int>, of side: ComparedSide, behind arrayCount: Int, _ body: (UInt64) -> Void
    ) {
        var arrayEnds: [Int] = []
        for index in nodes {
            while let end = arrayEnds.last, end <= index { arrayEnds.removeLast() }
            let node = side.tape[index]
            if node.kind == .array { arrayEnds.append(Int(node.next)) }
            guard !node.kind.isContainer, node.kind != .key, side.tape.isDistinctive(index) else { continue }
            body(FastHash.mix(side.hashes[index], UInt64(arrayCount + arrayEnds.count)))
        }
    }
}
