/// Determines which elements of two arrays are compared with each other.
///
/// 1. Equal elements are paired by ``SequenceAlignment``.
/// 2. In the remaining gaps, objects with the same identity are paired. The identity is the value of the member with
///    the first of ``identifyingNames`` that every remaining object has, each with a different value. Pairs in the same
///    order on both sides are compared in place; the others are moves.
/// 3. In the remaining gaps, similar elements are paired (``ElementProfile``). Small gaps get the pairs with the
///    greatest total similarity (S. Needleman and C. Wunsch, 1970). In large gaps, elements that share a unique feature
///    are paired first, those at the same place if that is true of most of them; in the gaps between them, elements are
///    compared one by one or, if one side has more of them, with the next few.
/// 4. In a gap with the same number of elements on both sides, scalars are paired with scalars and arrays with arrays,
///    one by one.
///
/// Every step takes time that grows with the number of elements, not with its square.
struct ElementAlignment: ~Copyable {
    typealias Pair = SequenceAlignment.Pair

    /// Typical names of members that identify an object, best first.
    static let identifyingNames = [
        "id", "_id", "ID", "Id", "uuid", "UUID", "guid", "identifier", "identity", "key", "slug", "name",
    ]

    private static let identifyingHashes = identifyingNames.map(ValueHashes.hash(ofName:))

    /// Up to this product of lengths, every element of a gap is compared with every other.
    private static let smallProduct = 400
    /// How far ahead a similar element is searched for in a large gap.
    private static let lookAhead = 4
    private static let elementsBetweenCheckpoints = 1024

    private let old: DifferenceBuilder.Side
    private let new: DifferenceBuilder.Side
    /// The tape indices of the elements.
    let oldElements: OwnedList<Int>
    let newElements: OwnedList<Int>
    /// The identities of the elements by position; empty if they have none.
    private var oldIdentities: [Int: UInt64] = [:]
    private var newIdentities: [Int: UInt64] = [:]

    /// The positions of elements to be compared in place, both increasing. The last pair isn't a pair of elements, but
    /// contains the counts of both arrays.
    private(set) var pairs = OwnedList<Pair>()
    /// The positions of elements that have the same identity, but are in a different order.
    private(set) var moves: [Pair] = []

    /// Pairs the elements of the arrays with these tape indices.
    ///
    /// - Parameter checkpoint: Called now and then; an error that it throws ends the work.
    init(
        old: DifferenceBuilder.Side, _ oldArray: Int, new: DifferenceBuilder.Side, _ newArray: Int,
        checkpoint: () throws -> Void
    ) rethrows {
        self.old = old
        self.new = new
        oldElements = old.elements(of: oldArray)
        newElements = new.elements(of: newArray)
        // Most elements have a partner.
        pairs.reserve(min(oldElements.count, newElements.count) + 1)
        for pair in try equalPairs(checkpoint) { pairs.append(pair) }
        var gaps = gaps()
        findIdentities(in: gaps)
        try checkpoint()
        if !oldIdentities.isEmpty {
            for gap in gaps.indices { pairByIdentity(gaps[gap]) }
            try checkpoint()
            sortPairs()
            findMoves()
            gaps = self.gaps()
        }
        let movedOld = Set(moves.map(\.old))
        let movedNew = Set(moves.map(\.new))
        for gap in gaps.indices {
            if moves.isEmpty {
                try pairBySimilarity(Positions(gaps[gap].old), Positions(gaps[gap].new), checkpoint)
                continue
            }
            let olds = Self.positions(gaps[gap].old, except: movedOld)
            let news = Self.positions(gaps[gap].new, except: movedNew)
            try olds.withElements { olds in
                try news.withElements { news in try pairBySimilarity(Positions(olds), Positions(news), checkpoint) }
            }
        }
        sortPairs()
        pairs.append((oldElements.count, newElements.count))
        // They are no longer needed, and as large as the arrays.
        (oldIdentities, newIdentities) = ([:], [:])
    }

    /// Returns the positions of equal elements.
    private func equalPairs(_ checkpoint: () throws -> Void) rethrows -> [Pair] {
        try oldElements.withElements { olds in
            try newElements.withElements { news in
                try SequenceAlignment.pairs(
                    ElementHashes(elements: ElementsView(olds), hashes: old.hashes),
                    ElementHashes(elements: ElementsView(news), hashes: new.hashes), checkpoint: checkpoint)
            }
        }
    }

    /// The hashes of some elements, without copying them.
    private struct ElementHashes: RandomAccessCollection {
        /// The tape indices of the elements.
        let elements: ElementsView<Int>
        let hashes: ValueHashes.View

        var startIndex: Int { 0 }
        var endIndex: Int { elements.count }

        @inline(__always)
        subscript(position: Int) -> UInt64 { hashes[elements[position]] }
    }

    private static func positions(_ gap: Range<Int>, except excluded: Set<Int>) -> OwnedList<Int> {
        var positions = OwnedList<Int>(capacity: gap.count)
        for position in gap where !excluded.contains(position) { positions.append(position) }
        return positions
    }

    private mutating func sortPairs() { pairs.sort { $0.old < $1.old } }

    // MARK: - Gaps

    private typealias Gap = (old: Range<Int>, new: Range<Int>)

    /// Returns the gaps between the pairs.
    private func gaps() -> OwnedList<Gap> { Self.gaps(between: pairs, oldElements.count, newElements.count) }

    /// Returns the gaps with elements on either side. A gap with elements on only one side may contain ends of moves.
    private static func gaps(
        between pairs: borrowing OwnedList<Pair>, _ oldCount: Int, _ newCount: Int
    ) -> OwnedList<Gap> {
        var gaps = OwnedList<Gap>()
        var (oldStart, newStart) = (0, 0)
        for place in 0...pairs.count {
            let pair: Pair = place < pairs.count ? pairs[place] : (oldCount, newCount)
            if oldStart < pair.old || newStart < pair.new { gaps.append((oldStart..<pair.old, newStart..<pair.new)) }
            (oldStart, newStart) = (pair.old + 1, pair.new + 1)
        }
        return gaps
    }

    // MARK: - Identity

    private mutating func findIdentities(in gaps: borrowing OwnedList<Gap>) {
        let bits = bitsOfFirstNames(in: gaps)
        for name in Self.identifyingHashes where bits & Self.bit(of: name) != 0 {
            guard let olds = Self.identities(in: gaps, \.old, oldElements, old, name),
                let news = Self.identities(in: gaps, \.new, newElements, new, name)
            else { continue }
            (oldIdentities, newIdentities) = (olds, news)
            return
        }
    }

    /// Returns the bits of the names in the first old object in the gaps. Other names cannot identify all objects.
    private func bitsOfFirstNames(in gaps: borrowing OwnedList<Gap>) -> UInt64 {
        for gap in gaps.indices {
            for position in gaps[gap].old where old.tape[oldElements[position]].kind == .object {
                var bits: UInt64 = 0
                old.tape.forEachChild(of: oldElements[position]) { value, _ in
                    bits |= Self.bit(of: old.hashes[value - 1])
                }
                return bits
            }
        }
        return 0
    }

    /// Returns one of 64 bits, which is different for most names.
    private static func bit(of name: UInt64) -> UInt64 { 1 << (name >> 58) }

    /// Returns the identity of each object in the gaps: the hash of its member with a name, which is given by its hash.
    /// Returns nil unless there are objects, and each of them has such a member with a different string or number.
    private static func identities(
        in gaps: borrowing OwnedList<Gap>, _ range: (Gap) -> Range<Int>, _ elements: borrowing OwnedList<Int>,
        _ side: DifferenceBuilder.Side, _ name: UInt64
    ) -> [Int: UInt64]? {
        var identities: [Int: UInt64] = [:]
        var seen: Set<UInt64> = []
        for gap in gaps.indices {
            for position in range(gaps[gap]) where side.tape[elements[position]].kind == .object {
                guard let value = member(named: name, inObject: elements[position], side),
                    [.string, .number].contains(side.tape[value].kind), seen.insert(side.hashes[value]).inserted
                else { return nil }
                identities[position] = side.hashes[value]
            }
        }
        return identities.isEmpty ? nil : identities
    }

    /// Returns the tape index of the first member whose name has that hash, or nil if there is none.
    private static func member(named name: UInt64, inObject object: Int, _ side: DifferenceBuilder.Side) -> Int? {
        var key = object + 1
        while key < side.tape.next(after: object) {
            if side.hashes[key] == name { return key + 1 }
            key = side.tape.next(after: key + 1)
        }
        return nil
    }

    private mutating func pairByIdentity(_ gap: Gap) {
        var positions: [UInt64: Int] = [:]
        for position in gap.new { newIdentities[position].map { positions[$0] = position } }
        let same = gap.old.compactMap { position -> Pair? in
            oldIdentities[position].flatMap { positions[$0] }.map { (position, $0) }
        }
        for pair in SequenceAlignment.longestGrowing(same) { pairs.append(pair) }
    }

    private mutating func findMoves() {
        let paired = Set(pairs.indices.map { pairs[$0].new })
        var positions: [UInt64: Int] = [:]
        for (position, identity) in newIdentities where !paired.contains(position) { positions[identity] = position }
        guard !positions.isEmpty else { return }
        let pairedOld = Set(pairs.indices.map { pairs[$0].old })
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

    /// Some positions of elements in increasing order: a range, or a list that must outlive this value.
    private struct Positions: RandomAccessCollection {
        private let first: Int
        private let list: UnsafePointer<Int>?
        let count: Int

        init(_ range: Range<Int>) { (first, list, count) = (range.lowerBound, nil, range.count) }

        init(_ list: UnsafeBufferPointer<Int>) { (first, self.list, count) = (0, list.baseAddress, list.count) }

        /// Creates a subset of positions, given by their places among all.
        init(_ places: Range<Int>, of all: Positions) {
            precondition(places.upperBound <= all.count)
            first = all.first + places.lowerBound
            list = all.list.map { $0 + places.lowerBound }
            count = places.count
        }

        var startIndex: Int { 0 }
        var endIndex: Int { count }

        subscript(place: Int) -> Int {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
            return list.map { $0[place] } ?? first + place
        }
    }

    private mutating func pairBySimilarity(
        _ olds: Positions, _ news: Positions, _ checkpoint: () throws -> Void
    ) rethrows {
        guard !olds.isEmpty, !news.isEmpty else { return }
        try checkpoint()
        let anchors =
            try isSmall(olds, news)
            ? [] : anchorsInPlace(olds, news, checkpoint) ?? anchorsByFeatures(olds, news, checkpoint)
        pairs.reserve(anchors.count)
        var (oldStart, newStart) = (0, 0)
        for place in 0...anchors.count {
            let anchor: Pair = place < anchors.count ? anchors[place] : (olds.count, news.count)
            try checkpoint()
            pair(Positions(oldStart..<anchor.old, of: olds), Positions(newStart..<anchor.new, of: news))
            if anchor.old < olds.count { pairs.append((olds[anchor.old], news[anchor.new])) }
            (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
        }
    }

    /// Returns the places at which both elements share a feature that no other two elements at the same place share, or
    /// nil if that isn't true of most places. Both sides must have the same number of elements.
    private func anchorsInPlace(
        _ olds: Positions, _ news: Positions, _ checkpoint: () throws -> Void
    ) rethrows -> [Pair]? {
        // Known identities are more reliable than positions.
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
                return sharedFeatures(olds, news, starts[part]..<end)
            }
            for part in parts.indices {
                // Stop early if there is little to find.
                if sharing * 2 < starts[part] { return nil }
                sharing += parts[part].sharing
                shared.append(parts[part])
            }
        }
        try checkpoint()
        // Each table has its share of the features, so that the tables can be filled concurrently.
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
        for table in tables.indices { tables[table].forEachPlace { isAnchor[$0] = true } }
        let anchors = isAnchor.indices.filter { isAnchor[$0] }
        return anchors.count * 4 > olds.count * 3 ? anchors.map { ($0, $0) } : nil
    }

    /// Filling a table with fewer features takes less time than starting a thread.
    private static let fewestInTable = 1 << 14

    /// The features that elements at the same place share, for some places.
    private struct SharedFeatures {
        var features: [(feature: UInt64, place: UInt32)] = []
        /// The number of places at which the elements share a feature.
        var sharing = 0
    }

    private func sharedFeatures(_ olds: Positions, _ news: Positions, _ places: Range<Int>) -> SharedFeatures {
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

    /// Returns pairs of places in `olds` and `news` whose elements share a feature that no other element on either side
    /// has.
    private func anchorsByFeatures(
        _ olds: Positions, _ news: Positions, _ checkpoint: () throws -> Void
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

    /// Calls `body` with each of the positions and its place among them.
    private func forEachElement(
        of positions: Positions, _ checkpoint: () throws -> Void, _ body: (_ place: Int, _ position: Int) -> Void
    ) rethrows {
        for (place, position) in positions.enumerated() {
            if place % Self.elementsBetweenCheckpoints == 0 { try checkpoint() }
            body(place, position)
        }
    }

    private func isSmall(_ olds: Positions, _ news: Positions) -> Bool {
        olds.count.multipliedReportingOverflow(by: news.count).partialValue <= Self.smallProduct
    }

    private mutating func pair(_ olds: Positions, _ news: Positions) {
        guard !olds.isEmpty, !news.isEmpty else { return }
        if isSmall(olds, news), olds.count > 1 || news.count > 1 {
            pairMostSimilar(olds, news)
        } else if olds.count == news.count {
            for (oldPosition, newPosition) in zip(olds, news)
            where isPair(oldPosition, newPosition, similarity(oldPosition, newPosition)) {
                pairs.append((oldPosition, newPosition))
            }
        } else {
            var rest = news[...]
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

    /// Appends the pairs, in order, with the greatest total similarity.
    private mutating func pairMostSimilar(_ olds: Positions, _ news: Positions) {
        let (oldCount, newCount) = (olds.count, news.count)
        if haveMostInCommonInPlace(olds, news) {
            for place in olds.indices { pairs.append((olds[place], news[place])) }
            return
        }
        let similarities = Self.similarities(profiles(old: olds), profiles(new: news))
        // The greatest total for the elements from these places on, which may be at the end.
        var sums = OwnedList<Double>(repeating: 0, count: (oldCount + 1) * (newCount + 1))
        func place(_ oldPlace: Int, _ newPlace: Int) -> Int { oldPlace * (newCount + 1) + newPlace }
        for oldPlace in (0..<oldCount).reversed() {
            for newPlace in (0..<newCount).reversed() {
                let similarity = similarities[oldPlace * newCount + newPlace]
                let paired = similarity > 0 ? similarity + sums[place(oldPlace + 1, newPlace + 1)] : 0
                sums[place(oldPlace, newPlace)] = max(
                    paired, sums[place(oldPlace + 1, newPlace)], sums[place(oldPlace, newPlace + 1)])
            }
        }
        var chosen = OwnedList<Pair>(capacity: min(oldCount, newCount))
        var (oldPlace, newPlace) = (0, 0)
        while oldPlace < oldCount, newPlace < newCount {
            let (sum, similarity) = (sums[place(oldPlace, newPlace)], similarities[oldPlace * newCount + newPlace])
            if similarity > 0, sum == similarity + sums[place(oldPlace + 1, newPlace + 1)] {
                chosen.append((oldPlace, newPlace))
                (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
            } else if sum == sums[place(oldPlace + 1, newPlace)] {
                oldPlace += 1
            } else {
                newPlace += 1
            }
        }
        let gaps = Self.gaps(between: chosen, oldCount, newCount)
        for place in gaps.indices where gaps[place].old.count == gaps[place].new.count {
            for (oldPlace, newPlace) in zip(gaps[place].old, gaps[place].new)
            where isPair(olds[oldPlace], news[newPlace], 0) {
                pairs.append((olds[oldPlace], news[newPlace]))
            }
        }
        for place in chosen.indices { pairs.append((olds[chosen[place].old], news[chosen[place].new])) }
    }

    private func profiles(old positions: Positions) -> OwnedList<ElementProfile> {
        var profiles = OwnedList<ElementProfile>(capacity: positions.count)
        for position in positions { profiles.append(profile(old: position)) }
        return profiles
    }

    private func profiles(new positions: Positions) -> OwnedList<ElementProfile> {
        var profiles = OwnedList<ElementProfile>(capacity: positions.count)
        for position in positions { profiles.append(profile(new: position)) }
        return profiles
    }

    /// Returns whether both sides have the same number of elements, without identities, and those at the same places
    /// are so similar that no other pairing can have a greater total: it would have at least one pair fewer, and no
    /// similarity is greater than 1.
    private func haveMostInCommonInPlace(_ olds: Positions, _ news: Positions) -> Bool {
        guard olds.count == news.count, oldIdentities.isEmpty else { return false }
        var missing = 0.0
        for place in olds.indices {
            missing +=
                1
                - ElementProfile.leastSimilarity(
                    of: oldElements[olds[place]], in: old, to: newElements[news[place]], in: new)
            // If the difference is that small, rounding could hide that the totals are equal.
            if missing >= 1 - 1e-9 { return false }
        }
        return true
    }

    /// Returns the similarity of each old element to each new one, grouped by old element.
    private static func similarities(
        _ olds: borrowing OwnedList<ElementProfile>, _ news: borrowing OwnedList<ElementProfile>
    ) -> OwnedList<Double> {
        var similarities = OwnedList<Double>(capacity: olds.count * news.count)
        for oldPlace in olds.indices {
            for newPlace in news.indices { similarities.append(olds[oldPlace].similarity(to: news[newPlace])) }
        }
        return similarities
    }

    private func similarity(_ oldPosition: Int, _ newPosition: Int) -> Double {
        profile(old: oldPosition).similarity(to: profile(new: newPosition))
    }

    /// Returns whether two elements at the same place, in gaps of the same size, are compared with each other.
    private func isPair(_ oldPosition: Int, _ newPosition: Int, _ similarity: Double) -> Bool {
        let oldKind = old.tape[oldElements[oldPosition]].kind
        let newKind = new.tape[newElements[newPosition]].kind
        return similarity > 0 || oldKind == .array && newKind == .array
            || !oldKind.isContainer && !newKind.isContainer
    }
}
