/// Which elements of two arrays are compared with each other.
///
/// 1. Equal elements, by ``SequenceAlignment``.
/// 2. In the gaps that this leaves, objects with the same identity: the value of the first member named like an
///    identifier that every object left has, each another one. Pairs in the same order on both sides are compared in
///    place, the others are moves.
/// 3. In the gaps that this leaves, elements that look like each other (``ElementProfile``). Small gaps get the pairs
///    with the greatest similarity in sum (S. Needleman and C. Wunsch, 1970). In large ones, elements that share what
///    no others have are paired first, those at the same place if these are most of them; in the gaps between them
///    elements are compared one by one, or, where there are more on one side, with the next few.
/// 4. In a gap with as many elements on both sides, scalars with scalars and arrays with arrays, one by one.
///
/// Every step takes time that grows with the number of elements, not with its square.
struct ElementAlignment {
    typealias Pair = SequenceAlignment.Pair

    /// Names of members that identify an object among others, best first.
    static let identifyingNames = [
        "id", "_id", "ID", "Id", "uuid", "UUID", "guid", "identifier", "identity", "key", "slug", "name",
    ]

    private static let identifyingHashes = identifyingNames.map(ValueHashes.hash(ofName:))

    /// Up to this product of lengths, every element of a gap is compared with every other.
    private static let smallProduct = 400
    /// How far ahead in a large gap an element's like is looked for.
    private static let lookAhead = 4
    private static let elementsBetweenCheckpoints = 1024

    private let old: DifferenceBuilder.Side
    private let new: DifferenceBuilder.Side
    private let oldElements: [Int]
    private let newElements: [Int]
    /// What identifies the elements, by position; empty if nothing does.
    private var oldIdentities: [Int: UInt64] = [:]
    private var newIdentities: [Int: UInt64] = [:]

    /// The positions of elements to be compared in place; both grow from pair to pair.
    private(set) var pairs: [Pair] = []
    /// The positions of elements that have the same identity, but not the same place among the others.
    private(set) var moves: [Pair] = []

    /// Pairs the elements with these tape indices.
    ///
    /// - Parameter checkpoint: Called now and then; what it throws ends the work.
    init(
        old: DifferenceBuilder.Side, _ oldElements: [Int], new: DifferenceBuilder.Side, _ newElements: [Int],
        checkpoint: () throws -> Void
    ) rethrows {
        self.old = old
        self.new = new
        self.oldElements = oldElements
        self.newElements = newElements
        let equal = try SequenceAlignment.pairs(
            oldElements.map { old.hashes[$0] }, newElements.map { new.hashes[$0] }, checkpoint: checkpoint)
        let gaps = Self.gaps(between: equal, 0..<oldElements.count, 0..<newElements.count)
        findIdentities(in: gaps)
        try checkpoint()
        pairs = equal
        for gap in gaps { pairByIdentity(gap) }
        try checkpoint()
        sortPairs()
        findMoves()
        let movedOld = Set(moves.map(\.old))
        let movedNew = Set(moves.map(\.new))
        for gap in Self.gaps(between: pairs, 0..<oldElements.count, 0..<newElements.count) {
            try pairBySimilarity(
                gap.old.filter { !movedOld.contains($0) }, gap.new.filter { !movedNew.contains($0) }, checkpoint)
        }
        sortPairs()
    }

    private mutating func sortPairs() { pairs.sort { $0.old < $1.old } }

    // MARK: - Gaps

    private typealias Gap = (old: Range<Int>, new: Range<Int>)

    /// The gaps with elements on either side; those of one side alone may hold the ends of moves.
    private static func gaps(between pairs: [Pair], _ oldRange: Range<Int>, _ newRange: Range<Int>) -> [Gap] {
        var gaps: [Gap] = []
        var (oldStart, newStart) = (oldRange.lowerBound, newRange.lowerBound)
        for pair in pairs + [(oldRange.upperBound, newRange.upperBound)] {
            if oldStart < pair.old || newStart < pair.new { gaps.append((oldStart..<pair.old, newStart..<pair.new)) }
            (oldStart, newStart) = (pair.old + 1, pair.new + 1)
        }
        return gaps
    }

    // MARK: - Identity

    private mutating func findIdentities(in gaps: [Gap]) {
        let (oldGaps, newGaps) = (gaps.map(\.old), gaps.map(\.new))
        for name in Self.identifyingHashes {
            guard let olds = Self.identities(oldGaps, oldElements, old, name),
                let news = Self.identities(newGaps, newElements, new, name)
            else { continue }
            (oldIdentities, newIdentities) = (olds, news)
            return
        }
    }

    /// For each object in the gaps the hash of the member of a name, which is given by its hash; nil unless there are
    /// objects, each with such a member, a string or a number, and each with another.
    private static func identities(
        _ gaps: [Range<Int>], _ elements: [Int], _ side: DifferenceBuilder.Side, _ name: UInt64
    ) -> [Int: UInt64]? {
        var identities: [Int: UInt64] = [:]
        var seen: Set<UInt64> = []
        for gap in gaps {
            for position in gap where side.tape[elements[position]].kind == .object {
                guard let value = member(named: name, inObject: elements[position], side),
                    [.string, .number].contains(side.tape[value].kind), seen.insert(side.hashes[value]).inserted
                else { return nil }
                identities[position] = side.hashes[value]
            }
        }
        return identities.isEmpty ? nil : identities
    }

    /// The tape index of the first member whose name has that hash; nil where there is none.
    private static func member(named name: UInt64, inObject object: Int, _ side: DifferenceBuilder.Side) -> Int? {
        var key = object + 1
        while key < side.tape.next(after: object) {
            if side.hashes[key] == name { return key + 1 }
            key = side.tape.next(after: key + 1)
        }
        return nil
    }

    private mutating func pairByIdentity(_ gap: Gap) {
        guard !oldIdentities.isEmpty else { return }
        var positions: [UInt64: Int] = [:]
        for position in gap.new { newIdentities[position].map { positions[$0] = position } }
        let same = gap.old.compactMap { position -> Pair? in
            oldIdentities[position].flatMap { positions[$0] }.map { (position, $0) }
        }
        pairs += SequenceAlignment.longestGrowing(same)
    }

    private mutating func findMoves() {
        let paired = Set(pairs.map(\.new))
        var positions: [UInt64: Int] = [:]
        for (position, identity) in newIdentities where !paired.contains(position) { positions[identity] = position }
        guard !positions.isEmpty else { return }
        let pairedOld = Set(pairs.map(\.old))
        for (position, identity) in oldIdentities where !pairedOld.contains(position) {
            if let other = positions[identity] { moves.append((position, other)) }
        }
    }

    // MARK: - Similarity

    private func profile(old position: Int) -> ElementProfile {
        ElementProfile(oldElements[position], in: old, identity: oldIdentities[position])
    }

    private func profile(new position: Int) -> ElementProfile {
        ElementProfile(newElements[position], in: new, identity: newIdentities[position])
    }

    private mutating func pairBySimilarity(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows {
        guard !olds.isEmpty, !news.isEmpty else { return }
        try checkpoint()
        let anchors =
            try isSmall(olds[...], news[...])
            ? [] : anchorsInPlace(olds, news, checkpoint) ?? anchorsByFeatures(olds, news, checkpoint)
        pairs.reserveCapacity(pairs.count + anchors.count)
        var (oldStart, newStart) = (0, 0)
        for anchor in anchors + [(olds.count, news.count)] {
            try checkpoint()
            pair(olds[oldStart..<anchor.old], news[newStart..<anchor.new])
            if anchor.old < olds.count { pairs.append((olds[anchor.old], news[anchor.new])) }
            (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
        }
    }

    /// The places, as many on both sides, at which an element shares a feature with the one at the same place that no
    /// other two at the same place share; nil where that are not most of them.
    private func anchorsInPlace(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows -> [Pair]? {
        // What is known to identify elements says more than where they are.
        guard olds.count == news.count, oldIdentities.isEmpty else { return nil }
        var shared: [SharedFeatures] = []
        var sharing = 0
        var (first, most) = (0, Parallel.width)
        while first < olds.count {
            try checkpoint()
            let starts = Array(stride(from: first, to: olds.count, by: Self.elementsBetweenCheckpoints).prefix(most))
            first += starts.count * Self.elementsBetweenCheckpoints
            most *= 2
            let parts = Parallel.map(starts.count) { part in
                let end = min(olds.count, starts[part] + Self.elementsBetweenCheckpoints)
                let sides = starts.count == 1 ? (old, new) : (old.copied(), new.copied())
                return sharedFeatures(olds, of: sides.0, news, of: sides.1, starts[part]..<end)
            }
            for (start, part) in zip(starts, parts) {
                // Where it is soon seen that there is little to find, no more time is spent on it.
                if sharing * 2 < start { return nil }
                sharing += part.sharing
                shared.append(part)
            }
        }
        try checkpoint()
        // Each table has its share of the features, so that the tables are filled at the same time.
        let featureCount = shared.reduce(0) { $0 + $1.features.count }
        let tableCount = min(Parallel.coreCount, featureCount / Self.fewestInTable + 1)
        let tables = Parallel.map(tableCount) { table in
            var places = UniquePlaces(count: featureCount / tableCount)
            for part in shared {
                for (feature, place) in part.features {
                    let share = (UInt64(UInt32(truncatingIfNeeded: feature)) * UInt64(tableCount)) >> 32
                    if share == table { places.note(feature, at: Int(place)) }
                }
            }
            return places
        }
        try checkpoint()
        var isAnchor = [Bool](repeating: false, count: olds.count)
        for places in tables { for place in places.all { isAnchor[place] = true } }
        let anchors = isAnchor.indices.filter { isAnchor[$0] }
        return anchors.count * 4 > olds.count * 3 ? anchors.map { ($0, $0) } : nil
    }

    /// Fewer features are noted in less time than a thread takes to start.
    private static let fewestInTable = 1 << 14

    /// The features that two elements at the same place share, for some places.
    private struct SharedFeatures {
        var features: [(feature: UInt64, place: UInt32)] = []
        /// The number of places at which the elements share a feature.
        var sharing = 0
    }

    private func sharedFeatures(
        _ olds: [Int], of old: DifferenceBuilder.Side, _ news: [Int], of new: DifferenceBuilder.Side,
        _ places: Range<Int>
    ) -> SharedFeatures {
        var shared = SharedFeatures()
        shared.features.reserveCapacity(places.count)
        let room = ElementProfile.Features.allocate(capacity: 2 * ElementProfile.mostFeatures)
        defer { room.deallocate() }
        let oldRoom = ElementProfile.Features(rebasing: room[..<ElementProfile.mostFeatures])
        let newRoom = ElementProfile.Features(rebasing: room[ElementProfile.mostFeatures...])
        for place in places {
            let (oldElement, newElement) = (oldElements[olds[place]], newElements[news[place]])
            guard old.tape[oldElement].kind == new.tape[newElement].kind else { continue }
            let oldFeatures = ElementProfile.features(of: oldElement, in: old, to: oldRoom)
            let newFeatures = ElementProfile.features(of: newElement, in: new, to: newRoom)
            let countBefore = shared.features.count
            for feature in oldFeatures where newFeatures.contains(feature) {
                shared.features.append((feature, UInt32(place)))
            }
            if shared.features.count > countBefore { shared.sharing += 1 }
        }
        return shared
    }

    /// Pairs of places in `olds` and `news` whose elements share a feature that no other element of either has.
    private func anchorsByFeatures(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows -> [Pair] {
        var newPlaces = UniquePlaces(count: news.count)
        var oldPlaces = UniquePlaces(count: olds.count)
        let room = ElementProfile.Features.allocate(capacity: ElementProfile.mostFeatures)
        defer { room.deallocate() }
        try forEachElement(of: news, checkpoint) { place, position in
            for feature in ElementProfile.features(of: newElements[position], in: new, to: room) {
                newPlaces.note(feature, at: place)
            }
        }
        try forEachElement(of: olds, checkpoint) { place, position in
            for feature in ElementProfile.features(of: oldElements[position], in: old, to: room)
            where newPlaces[feature] != nil {
                oldPlaces.note(feature, at: place)
            }
        }
        var pairs: [Pair] = []
        try forEachElement(of: olds, checkpoint) { place, position in
            let others = ElementProfile.features(of: oldElements[position], in: old, to: room).filter {
                oldPlaces[$0] == place
            }.compactMap { newPlaces[$0] }
            let best = others.max { left, right in
                let (leftVotes, rightVotes) = (others.count { $0 == left }, others.count { $0 == right })
                return leftVotes != rightVotes ? leftVotes < rightVotes : left > right
            }
            if let best, similarity(position, news[best]) > 0 { pairs.append((place, best)) }
        }
        return SequenceAlignment.longestGrowing(pairs)
    }

    /// Calls `body` with each of the positions, and its place among them.
    private func forEachElement(
        of positions: [Int], _ checkpoint: () throws -> Void, _ body: (_ place: Int, _ position: Int) -> Void
    ) rethrows {
        for (place, position) in positions.enumerated() {
            if place % Self.elementsBetweenCheckpoints == 0 { try checkpoint() }
            body(place, position)
        }
    }

    private func isSmall(_ olds: ArraySlice<Int>, _ news: ArraySlice<Int>) -> Bool {
        olds.count.multipliedReportingOverflow(by: news.count).partialValue <= Self.smallProduct
    }

    private mutating func pair(_ olds: ArraySlice<Int>, _ news: ArraySlice<Int>) {
        guard !olds.isEmpty, !news.isEmpty else { return }
        if isSmall(olds, news), olds.count > 1 || news.count > 1 {
            pairMostSimilar(olds, news)
        } else if olds.count == news.count {
            for (oldPosition, newPosition) in zip(olds, news)
            where isPair(oldPosition, newPosition, similarity(oldPosition, newPosition)) {
                pairs.append((oldPosition, newPosition))
            }
        } else {
            var rest = news
            for position in olds {
                let profile = profile(old: position)
                let found = rest.prefix(Self.lookAhead).firstIndex {
                    profile.similarity(to: self.profile(new: $0)) > 0
                }
                guard let found else { continue }
                pairs.append((position, rest[found]))
                rest = rest[(found + 1)...]
            }
        }
    }

    /// The pairs, in order, whose similarities have the greatest sum.
    private mutating func pairMostSimilar(_ olds: ArraySlice<Int>, _ news: ArraySlice<Int>) {
        let (oldCount, newCount) = (olds.count, news.count)
        let newProfiles = news.map { profile(new: $0) }
        var similarities: [Double] = []
        similarities.reserveCapacity(oldCount * newCount)
        for position in olds {
            let profile = profile(old: position)
            for newProfile in newProfiles { similarities.append(profile.similarity(to: newProfile)) }
        }
        func similarity(_ oldPlace: Int, _ newPlace: Int) -> Double { similarities[oldPlace * newCount + newPlace] }
        // The greatest sum for the elements from these on, of which there may be none.
        var sums = [Double](repeating: 0, count: (oldCount + 1) * (newCount + 1))
        func place(_ oldPlace: Int, _ newPlace: Int) -> Int { oldPlace * (newCount + 1) + newPlace }
        for oldPlace in (0..<oldCount).reversed() {
            for newPlace in (0..<newCount).reversed() {
                let similarity = similarity(oldPlace, newPlace)
                let paired = similarity > 0 ? similarity + sums[place(oldPlace + 1, newPlace + 1)] : 0
                sums[place(oldPlace, newPlace)] = max(
                    paired, sums[place(oldPlace + 1, newPlace)], sums[place(oldPlace, newPlace + 1)])
            }
        }
        var chosen: [Pair] = []
        var (oldPlace, newPlace) = (0, 0)
        while oldPlace < oldCount, newPlace < newCount {
            let (sum, similarity) = (sums[place(oldPlace, newPlace)], similarity(oldPlace, newPlace))
            if similarity > 0, sum == similarity + sums[place(oldPlace + 1, newPlace + 1)] {
                chosen.append((oldPlace, newPlace))
                (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
            } else if sum == sums[place(oldPlace + 1, newPlace)] {
                oldPlace += 1
            } else {
                newPlace += 1
            }
        }
        for gap in Self.gaps(between: chosen, 0..<oldCount, 0..<newCount) where gap.old.count == gap.new.count {
            for (oldPlace, newPlace) in zip(gap.old, gap.new)
            where isPair(olds[olds.startIndex + oldPlace], news[news.startIndex + newPlace], 0) {
                chosen.append((oldPlace, newPlace))
            }
        }
        pairs += chosen.map { (olds[olds.startIndex + $0.old], news[news.startIndex + $0.new]) }
    }

    private func similarity(_ oldPosition: Int, _ newPosition: Int) -> Double {
        profile(old: oldPosition).similarity(to: profile(new: newPosition))
    }

    /// Whether two elements at the same place of gaps of the same size are compared with each other.
    private func isPair(_ oldPosition: Int, _ newPosition: Int, _ similarity: Double) -> Bool {
        let oldKind = old.tape[oldElements[oldPosition]].kind
        let newKind = new.tape[newElements[newPosition]].kind
        return similarity > 0 || oldKind == .array && newKind == .array
            || !oldKind.isContainer && !newKind.isContainer
    }
}
