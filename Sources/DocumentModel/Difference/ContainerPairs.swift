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
struct ContainerPairs: ~Copyable {
    /// One end of a pair.
    private struct End {
        /// The tape index of the container.
        let index: Int
        /// The tape index of the one on the other side.
        let partner: Int
        /// The entry of the end, once it is known.
        var entry: Int?
    }

    /// The ends on each side, in the order of their indices. Two lists rather than two values of a type of their own, on
    /// which Swift 6.3 crashes in debug builds.
    private var olds = OwnedList<End>()
    private var news = OwnedList<End>()

    /// No pairs.
    init() {}

    /// Finds the pairs.
    ///
    /// - Parameters:
    ///   - removed: The tape indices of the members' values that the object lost, in their order.
    ///   - added: Those of the values that came.
    ///   - isExcluded: Whether it is known that one is not the other, by their tape indices.
    init(
        removed: borrowing OwnedList<Int>, added: borrowing OwnedList<Int>, old: DifferenceBuilder.Side,
        new: DifferenceBuilder.Side, _ comparison: ValueComparison, isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) {
        let pairs = ContainerPairSearch.pairs(removed, of: old, added, of: new, comparison, isExcluded)
        for pair in pairs.indices {
            olds.append(End(index: pairs[pair].old, partner: pairs[pair].new))
            news.append(End(index: pairs[pair].new, partner: pairs[pair].old))
        }
        olds.sort { $0.index < $1.index }
        news.sort { $0.index < $1.index }
    }

    var isEmpty: Bool { olds.isEmpty }

    /// The new container that the one at an index of the old document became, or the other way round.
    func partner(of index: Int, isOld: Bool) -> Int? {
        isOld
            ? Self.end(at: index, in: olds).map { olds[$0].partner }
            : Self.end(at: index, in: news).map { news[$0].partner }
    }

    /// Whether there is one among the values with some indices.
    func hasAny(in range: Range<Int>, isOld: Bool) -> Bool {
        isOld ? Self.hasAny(olds, in: range) : Self.hasAny(news, in: range)
    }

    /// Notes the entry of the container at an index.
    mutating func note(_ entry: Int, at index: Int, isOld: Bool) {
        if isOld {
            if let end = Self.end(at: index, in: olds) { olds[end].entry = entry }
        } else {
            if let end = Self.end(at: index, in: news) { news[end].entry = entry }
        }
    }

    /// Calls `body` with the entries of the ends of each pair.
    func forEachPairOfEntries(_ body: (_ away: Int, _ here: Int) -> Void) {
        for place in olds.indices {
            guard let away = olds[place].entry, let other = Self.end(at: olds[place].partner, in: news),
                let here = news[other].entry
            else { continue }
            body(away, here)
        }
    }

    /// The position of the first end from an index on.
    private static func firstEnd(from index: Int, in ends: borrowing OwnedList<End>) -> Int {
        ends.withElements { ends in ends.partitioningIndex { $0.index >= index } }
    }

    private static func end(at index: Int, in ends: borrowing OwnedList<End>) -> Int? {
        let first = firstEnd(from: index, in: ends)
        return first < ends.count && ends[first].index == index ? first : nil
    }

    private static func hasAny(_ ends: borrowing OwnedList<End>, in range: Range<Int>) -> Bool {
        let first = firstEnd(from: range.lowerBound, in: ends)
        return first < ends.count && ends[first].index < range.upperBound
    }
}
