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
struct ElementAlignment {
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

    private let old: ComparedSide
    private let new: ComparedSide
    /// The tape indices of the elements.
    let oldElements: [Int]
    let newElements: [Int]
    /// The identities of the elements by position; empty if they have none.
    private var oldIdentities: [Int: UInt64] = [:]
    private var newIdentities: [Int: UInt64] = [:]

    /// The positions of elements to be compared in place, both increasing.
    private(set) var pairs: [Pair] = []
    /// The positions of elements that have the same identity, but are in a different order.
    private(set) var moves: [Pair] = []
    /// The old positions of the pairs that have nothing in common but their place between other pairs.
    private(set) var positional: Set<Int> = []

    /// Pairs the elements of the arrays with these tape indices.
    ///
    /// - Parameter checkpoint: Called now and then; an error that it throws ends the work.
    init(
        old: ComparedSide, _ oldArray: Int, new: ComparedSide, _ newArray: Int, checkpoint: () throws -> Void
    ) rethrows {
        self.old = old
        self.new = new
        oldElements = old.elements(of: oldArray)
        newElements = new.elements(of: newArray)
        pairs = try SequenceAlignment.pairs(
            oldElements.map { old.hashes[$0] }, newElements.map { new.hashes[$0] }, checkpoint: checkpoint)
        findIdentities(in: gaps())
        try checkpoint()
        if !oldIdentities.isEmpty {
            for gap in gaps() { pairByIdentity(gap) }
            try checkpoint()
            sortPairs()
            findMoves()
        }
        let movedOld = Set(moves.map(\.old))
        let movedNew = Set(moves.map(\.new))
        for gap in gaps() {
            try pairBySimilarity(
                gap.old.filter { !movedOld.contains($0) }, gap.new.filter { !movedNew.contains($0) }, checkpoint)
        }
        sortPairs()
    }

    private mutating func sortPairs() { pairs.sort { $0.old < $1.old } }

    // MARK: - Gaps

    private typealias Gap = (old: Range<Int>, new: Range<Int>)

    /// Returns the gaps between the pairs.
    private func gaps() -> [Gap] { Self.gaps(between: pairs, oldElements.count, newElements.count) }

    /// Returns the gaps with elements on either side. A gap with elements on only one side may contain ends of moves.
    private static func gaps(between pairs: [Pair], _ oldCount: Int, _ newCount: Int) -> [Gap] {
        var gaps: [Gap] = []
        var (oldStart, newStart) = (0, 0)
        for pair in pairs + [(oldCount, newCount)] {
            if oldStart < pair.old || newStart < pair.new { gaps.append((oldStart..<pair.old, newStart..<pair.new)) }
            (oldStart, newStart) = (pair.old + 1, pair.new + 1)
        }
        return gaps
    }

    // MARK: - Identity

    private mutating func findIdentities(in gaps: [Gap]) {
        // Other names cannot identify all objects.
        let names = namesOfFirstObject(in: gaps)
        for name in Self.identifyingHashes where names.contains(name) {
            guard let olds = Self.identities(in: gaps.flatMap(\.old), oldElements, old, name),
                let news = Self.identities(in: gaps.flatMap(\.new), newElements, new, name)
            else { continue }
            (oldIdentities, newIdentities) = (olds, news)
            return
        }
    }

    /// Returns the hashes of the names in the first old object in the gaps.
    private func namesOfFirstObject(in gaps: [Gap]) -> Set<UInt64> {
        let positions = gaps.lazy.flatMap(\.old)
        guard let first = positions.first(where: { old.tape[oldElements[$0]].kind == .object }) else { return [] }
        var names: Set<UInt64> = []
        old.tape.forEachChild(of: oldElements[first]) { value, _ in names.insert(old.hashes[value - 1]) }
        return names
    }

    /// Returns the identity of each object among some elements: the hash of its member with a name, which is given by
    /// its hash. Returns nil unless there are objects, and each of them has such a member with a different string or
    /// number.
    private static func identities(
        in positions: [Int], _ elements: [Int], _ side: ComparedSide, _ name: UInt64
    ) -> [Int: UInt64]? {
        var identities: [Int: UInt64] = [:]
        var seen: Set<UInt64> = []
        for position in positions where side.tape[elements[position]].kind == .object {
            guard let value = member(named: name, inObject: elements[position], side),
                [.string, .number].contains(side.tape[value].kind), seen.insert(side.hashes[value]).inserted
            else { return nil }
            identities[position] = side.hashes[value]
        }
        return identities.isEmpty ? nil : identities
    }

    /// Returns the tape index of the first member whose name has that hash, or nil if there is none.
    private static func member(named name: UInt64, inObject object: Int, _ side: ComparedSide) -> Int? {
        let end = side.tape.next(after: object)
        var key = object + 1
        while key < end {
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

    /// Pairs similar elements at some positions of both arrays.
    private mutating func pairBySimilarity(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows {
        guard !olds.isEmpty, !news.isEmpty else { return }
        try checkpoint()
        let anchors =
            try isSmall(olds, news)
            ? [] : anchorsInPlace(olds, news, checkpoint) ?? anchorsByFeatures(olds, news, checkpoint)
        var (oldStart, newStart) = (0, 0)
        for anchor in anchors + [(olds.count, news.count)] {
            try checkpoint()
            pair(Array(olds[oldStart..<anchor.old]), Array(news[newStart..<anchor.new]))
            if anchor.old < olds.count { pairs.append((olds[anchor.old], news[anchor.new])) }
            (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
        }
    }

    /// Returns the places at which both elements share a feature that no other two elements at the same place share, or
    /// nil if that isn't true of most places. Both sides must have the same number of elements.
    private func anchorsInPlace(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows -> [Pair]? {
        // Known identities are more reliable than positions.
        guard olds.count == news.count, oldIdentities.isEmpty else { return nil }
        var shared = UniquePositions()
        var sharing = 0
        for place in olds.indices {
            if place % Self.elementsBetweenCheckpoints == 0 {
                try checkpoint()
                // Stop early if there is little to find.
                if sharing * 2 < place { return nil }
            }
            let (oldElement, newElement) = (oldElements[olds[place]], newElements[news[place]])
            guard old.tape[oldElement].kind == new.tape[newElement].kind else { continue }
            let newFeatures = ElementProfile.features(of: newElement, in: new)
            let features = ElementProfile.features(of: oldElement, in: old).filter(newFeatures.contains)
            for feature in features { shared.note(feature, at: place) }
            if !features.isEmpty { sharing += 1 }
        }
        var isAnchor = [Bool](repeating: false, count: olds.count)
        for place in shared.all { isAnchor[place] = true }
        let anchors = olds.indices.filter { isAnchor[$0] }
        return anchors.count * 4 > olds.count * 3 ? anchors.map { ($0, $0) } : nil
    }

    /// Returns pairs of places in `olds` and `news` whose elements share a feature that no other element on either side
    /// has.
    private func anchorsByFeatures(
        _ olds: [Int], _ news: [Int], _ checkpoint: () throws -> Void
    ) rethrows -> [Pair] {
        var (oldPlaces, newPlaces) = (UniquePositions(), UniquePositions())
        for (place, position) in news.enumerated() {
            for feature in ElementProfile.features(of: newElements[position], in: new) {
                newPlaces.note(feature, at: place)
            }
        }
        try checkpoint()
        for (place, position) in olds.enumerated() {
            for feature in ElementProfile.features(of: oldElements[position], in: old) where newPlaces[feature] != nil {
                oldPlaces.note(feature, at: place)
            }
        }
        var pairs: [Pair] = []
        try checkpoint()
        for (place, position) in olds.enumerated() {
            let others = ElementProfile.features(of: oldElements[position], in: old)
                .filter { oldPlaces[$0] == place }.compactMap { newPlaces[$0] }
            let best = others.max { left, right in
                let (leftVotes, rightVotes) = (others.count { $0 == left }, others.count { $0 == right })
                return leftVotes != rightVotes ? leftVotes < rightVotes : left > right
            }
            if let best, similarity(position, news[best]) > 0 { pairs.append((place, best)) }
        }
        return SequenceAlignment.longestGrowing(pairs)
    }

    private func isSmall(_ olds: [Int], _ news: [Int]) -> Bool {
        olds.count.multipliedReportingOverflow(by: news.count).partialValue <= Self.smallProduct
    }

    private mutating func pair(_ olds: [Int], _ news: [Int]) {
        guard !olds.isEmpty, !news.isEmpty else { return }
        if isSmall(olds, news), olds.count > 1 || news.count > 1 {
            pairMostSimilar(olds, news)
        } else if olds.count == news.count {
            for (oldPosition, newPosition) in zip(olds, news) {
                appendPair(oldPosition, newPosition, similarity(oldPosition, newPosition))
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
    private mutating func pairMostSimilar(_ olds: [Int], _ news: [Int]) {
        let newProfiles = news.map { profile(new: $0) }
        let similarities = olds.map { position in
            let profile = profile(old: position)
            return newProfiles.map { profile.similarity(to: $0) }
        }
        // The greatest total for the elements from these places on, which may be at the end.
        var sums = [[Double]](repeating: [Double](repeating: 0, count: news.count + 1), count: olds.count + 1)
        for oldPlace in olds.indices.reversed() {
            for newPlace in news.indices.reversed() {
                let similarity = similarities[oldPlace][newPlace]
                let paired = similarity > 0 ? similarity + sums[oldPlace + 1][newPlace + 1] : 0
                sums[oldPlace][newPlace] = max(paired, sums[oldPlace + 1][newPlace], sums[oldPlace][newPlace + 1])
            }
        }
        var chosen: [Pair] = []
        var (oldPlace, newPlace) = (0, 0)
        while oldPlace < olds.count, newPlace < news.count {
            let (sum, similarity) = (sums[oldPlace][newPlace], similarities[oldPlace][newPlace])
            if similarity > 0, sum == similarity + sums[oldPlace + 1][newPlace + 1] {
                chosen.append((oldPlace, newPlace))
                (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
            } else if sum == sums[oldPlace + 1][newPlace] {
                oldPlace += 1
            } else {
                newPlace += 1
            }
        }
        for gap in Self.gaps(between: chosen, olds.count, news.count) where gap.old.count == gap.new.count {
            for (oldPlace, newPlace) in zip(gap.old, gap.new) { appendPair(olds[oldPlace], news[newPlace], 0) }
        }
        for pair in chosen { pairs.append((olds[pair.old], news[pair.new])) }
    }

    private func similarity(_ oldPosition: Int, _ newPosition: Int) -> Double {
        profile(old: oldPosition).similarity(to: profile(new: newPosition))
    }

    /// Pairs two elements at the same place, in gaps of the same size, if their kinds and similarity allow it.
    private mutating func appendPair(_ oldPosition: Int, _ newPosition: Int, _ similarity: Double) {
        let oldKind = old.tape[oldElements[oldPosition]].kind
        let newKind = new.tape[newElements[newPosition]].kind
        let mayChange = oldKind == .array && newKind == .array || !oldKind.isContainer && !newKind.isContainer
        guard similarity > 0 || mayChange else { return }
        pairs.append((oldPosition, newPosition))
        if similarity == 0 { positional.insert(oldPosition) }
    }
}
