/// The objects and arrays that moved or were renamed inside one object, and also changed: for example, a list that a
/// migration renamed or unwrapped, and whose elements it changed.
///
/// Two containers are a pair if
///
/// - they have the same kind, and either have the same name, which no other removed or added container of that kind
///   has, or have different names and, among the few that are left then, are similar only to each other, which means
///   that the container was renamed;
/// - their paths, from the removed or added value, lead through objects only;
/// - neither has an equal container on the other side, which would have moved unchanged (``MoveFinder``);
/// - and half of the distinctive values in the new one are in the old one. For a renamed container, more than half of
///   those in each must be in the other. Values count only if they are inside the same number of arrays: a list that
///   became part of another list hasn't turned into that list. Large containers are sampled.
///
/// Of nested pairs, the outermost counts, if it kept its name or is the object that the other became. Everything inside
/// is then compared as usual.
struct ContainerPairs: ~Copyable {
    /// One end of a pair.
    private struct End {
        /// The tape index of the container.
        let index: Int
        /// The tape index of the container on the other side.
        let partner: Int
        /// The entry of the end, once it is known.
        var entry: Int?
    }

    /// The ends on each side, in the order of their indices. They are two lists instead of two values of a separate
    /// type, because that type crashes Swift 6.3 in debug builds.
    private var olds = OwnedList<End>()
    private var news = OwnedList<End>()

    /// Creates an empty collection.
    init() {}

    /// Finds the pairs.
    ///
    /// - Parameters:
    ///   - removed: The tape indices of the values of members that the object lost, in order.
    ///   - added: The tape indices of the values of members that it gained, in order.
    ///   - isExcluded: Returns whether two containers, given by their tape indices, are known not to be a pair.
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

    /// Returns the new container that the one at an index of the old document became, or vice versa.
    func partner(of index: Int, isOld: Bool) -> Int? {
        isOld
            ? Self.end(at: index, in: olds).map { olds[$0].partner }
            : Self.end(at: index, in: news).map { news[$0].partner }
    }

    /// Returns whether there is an end of a pair in a range of indices.
    func hasAny(in range: Range<Int>, isOld: Bool) -> Bool {
        isOld ? Self.hasAny(olds, in: range) : Self.hasAny(news, in: range)
    }

    /// Stores the entry of the container at an index.
    mutating func note(_ entry: Int, at index: Int, isOld: Bool) {
        if isOld {
            if let end = Self.end(at: index, in: olds) { olds[end].entry = entry }
        } else {
            if let end = Self.end(at: index, in: news) { news[end].entry = entry }
        }
    }

    /// Calls `body` with the entries of both ends of each pair.
    func forEachPairOfEntries(_ body: (_ away: Int, _ here: Int) -> Void) {
        for place in olds.indices {
            guard let away = olds[place].entry, let other = Self.end(at: olds[place].partner, in: news),
                let here = news[other].entry
            else { continue }
            body(away, here)
        }
    }

    /// Returns the position of the first end at or after an index.
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
