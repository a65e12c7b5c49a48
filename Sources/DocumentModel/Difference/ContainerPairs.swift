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
struct ContainerPairs {
    /// The ends on one side.
    private struct Ends {
        /// The tape indices of the containers, sorted.
        var indices: [Int] = []
        /// The tape indices of the containers on the other side.
        var partners: [Int: Int] = [:]
        /// The entries of the ends, once they are known.
        var entries: [Int: Int] = [:]

        init(_ pairs: [(index: Int, partner: Int)] = []) {
            indices = pairs.map(\.index).sorted()
            partners = Dictionary(pairs.map { ($0.index, $0.partner) }) { $1 }
        }

        /// Returns whether there is an end of a pair in a range of indices.
        func hasAny(in range: Range<Int>) -> Bool {
            let first = indices.partitioningIndex { $0 >= range.lowerBound }
            return first < indices.count && indices[first] < range.upperBound
        }
    }

    private var olds = Ends()
    private var news = Ends()

    /// Creates an empty collection.
    init() {}

    /// Finds the pairs.
    ///
    /// - Parameters:
    ///   - removed: The tape indices of the values of members that the object lost, in order.
    ///   - added: The tape indices of the values of members that it gained, in order.
    ///   - isExcluded: Returns whether two containers, given by their tape indices, are known not to be a pair.
    init(
        removed: [Int], added: [Int], old: ComparedSide, new: ComparedSide, _ comparison: ValueComparison,
        isExcluded: (_ old: Int, _ new: Int) -> Bool
    ) {
        let pairs = ContainerPairSearch.pairs(removed, of: old, added, of: new, comparison, isExcluded)
        olds = Ends(pairs.map { ($0.old, $0.new) })
        news = Ends(pairs.map { ($0.new, $0.old) })
    }

    var isEmpty: Bool { olds.indices.isEmpty }

    /// Returns the new container that the one at an index of the old document became, or vice versa.
    func partner(of index: Int, isOld: Bool) -> Int? { (isOld ? olds : news).partners[index] }

    /// Returns whether there is an end of a pair in a range of indices.
    func hasAny(in range: Range<Int>, isOld: Bool) -> Bool { (isOld ? olds : news).hasAny(in: range) }

    /// Stores the entry of the container at an index.
    mutating func note(_ entry: Int, at index: Int, isOld: Bool) {
        if isOld { olds.entries[index] = entry } else { news.entries[index] = entry }
    }

    /// Calls `body` with the entries of both ends of each pair.
    func forEachPairOfEntries(_ body: (_ away: Int, _ here: Int) -> Void) {
        for index in olds.indices {
            guard let away = olds.entries[index], let partner = olds.partners[index], let here = news.entries[partner]
            else { continue }
            body(away, here)
        }
    }
}
