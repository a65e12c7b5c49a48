/// Finds a long common subsequence of two sequences of hashes at a limited cost.
///
/// 1. The common beginning and end are set aside.
/// 2. Items that occur once on each side are anchors. The longest run of anchors in the same order on both sides is
///    kept (B. Cohen's patience diff), and the gaps between them are treated in the same way, up to a number of levels.
/// 3. If no anchors are left, or there are few items, E. Myers' greedy algorithm ("An O(ND) Difference Algorithm and
///    Its Variations", 1986) searches for the longest common subsequence. It stops at ``differenceLimit`` differences,
///    keeps the longest path, and starts again at its end.
///
/// ## Cost
/// Steps 1 and 2 take one pass and one search in logarithmic time for each item, at each of ``anchorLevels`` levels. In
/// step 3, a path that is kept has advanced by at least as many items as it has differences, and took at most
/// ``differenceLimit`` steps for each of them. So time grows with the number of items, not with its square, for any
/// items.
enum SequenceAlignment {
    typealias Pair = (old: Int, new: Int)

    static let differenceLimit = 256
    static let anchorLevels = 8
    /// Up to this product of lengths, Myers' algorithm is exact within its limit.
    fileprivate static let smallProduct = 4096

    /// Returns pairs of positions with equal hashes, both increasing.
    ///
    /// - Parameter checkpoint: Called now and then; an error that it throws ends the work.
    static func pairs(_ old: [UInt64], _ new: [UInt64], checkpoint: () throws -> Void) rethrows -> [Pair] {
        var search = CommonItems(old, new)
        try search.align(old.indices, new.indices, level: 0, checkpoint)
        return search.pairs
    }

    /// Returns the longest selection of pairs whose new positions increase together with the old ones (M. Fredman, "On
    /// Computing the Length of Longest Increasing Subsequences", 1975).
    static func longestGrowing(_ pairs: [Pair]) -> [Pair] {
        // For every length, the pair with the lowest new position that ends a selection of that length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            let length = ends.partitioningIndex { pairs[$0].new >= pair.new }
            if length > 0 { previous[index] = ends[length - 1] }
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var chosen: [Pair] = []
        var index = ends.last ?? -1
        while index >= 0 {
            chosen.append(pairs[index])
            index = previous[index]
        }
        return chosen.reversed()
    }
}

/// The search for common items of two sequences, and its results.
private struct CommonItems {
    typealias Pair = SequenceAlignment.Pair

    private let old: [UInt64]
    private let new: [UInt64]
    private(set) var pairs: [Pair] = []
    private var search: ShortestEditSearch

    init(_ old: [UInt64], _ new: [UInt64]) {
        self.old = old
        self.new = new
        search = ShortestEditSearch(old, new)
    }

    /// Appends the pairs of two ranges.
    mutating func align(
        _ oldRange: Range<Int>, _ newRange: Range<Int>, level: Int, _ checkpoint: () throws -> Void
    ) rethrows {
        var (oldStart, newStart) = (oldRange.lowerBound, newRange.lowerBound)
        while oldStart < oldRange.upperBound, newStart < newRange.upperBound, old[oldStart] == new[newStart] {
            pairs.append((oldStart, newStart))
            (oldStart, newStart) = (oldStart + 1, newStart + 1)
        }
        var (oldEnd, newEnd) = (oldRange.upperBound, newRange.upperBound)
        while oldEnd > oldStart, newEnd > newStart, old[oldEnd - 1] == new[newEnd - 1] {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        try alignMiddle(oldStart..<oldEnd, newStart..<newEnd, level: level, checkpoint)
        pairs += zip(oldEnd..<oldRange.upperBound, newEnd..<newRange.upperBound).map { ($0, $1) }
    }

    private mutating func alignMiddle(
        _ oldRange: Range<Int>, _ newRange: Range<Int>, level: Int, _ checkpoint: () throws -> Void
    ) rethrows {
        guard !oldRange.isEmpty, !newRange.isEmpty else { return }
        // If everything changed, as in many migrations, there is nothing to search for.
        if Set(old[oldRange]).isDisjoint(with: new[newRange]) { return }
        let isSmall =
            oldRange.count.multipliedReportingOverflow(by: newRange.count).partialValue
            <= SequenceAlignment.smallProduct
        let anchors = isSmall || level >= SequenceAlignment.anchorLevels ? [] : anchors(oldRange, newRange)
        guard !anchors.isEmpty else {
            try search.append(oldRange, newRange, limit: SequenceAlignment.differenceLimit, to: &pairs, checkpoint)
            return
        }
        var (oldStart, newStart) = (oldRange.lowerBound, newRange.lowerBound)
        for anchor in anchors {
            try align(oldStart..<anchor.old, newStart..<anchor.new, level: level + 1, checkpoint)
            pairs.append(anchor)
            (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
        }
        try align(oldStart..<oldRange.upperBound, newStart..<newRange.upperBound, level: level + 1, checkpoint)
    }

    /// Returns the longest run of items that occur once on each side and are in the same order on both.
    private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [Pair] {
        var (oldPositions, newPositions) = (UniquePositions(), UniquePositions())
        for position in oldRange { oldPositions.note(old[position], at: position) }
        for position in newRange { newPositions.note(new[position], at: position) }
        let unique = oldRange.compactMap { position -> Pair? in
            guard oldPositions[old[position]] == position, let other = newPositions[old[position]] else { return nil }
            return (position, other)
        }
        return SequenceAlignment.longestGrowing(unique)
    }
}

/// Myers' greedy search for the shortest edit script, with memory that is reused for several searches.
private struct ShortestEditSearch {
    /// The position at which a diagonal is reached, and the previous diagonal.
    private typealias Arrival = (x: Int, fromDiagonal: Int)

    private let old: [UInt64]
    private let new: [UInt64]
    /// The part of the sequences that is searched.
    private var oldStart = 0
    private var newStart = 0
    private var oldCount = 0
    private var newCount = 0
    /// For every number of differences d, a row with the furthest x on the diagonals -d...d; -1 if there is no path.
    private var furthest: [Int32] = []

    init(_ old: [UInt64], _ new: [UInt64]) {
        self.old = old
        self.new = new
    }

    /// Appends the pairs of a common subsequence of the two ranges.
    mutating func append(
        _ oldRange: Range<Int>, _ newRange: Range<Int>, limit: Int, to pairs: inout [SequenceAlignment.Pair],
        _ checkpoint: () throws -> Void
    ) rethrows {
        (oldStart, newStart) = (oldRange.lowerBound, newRange.lowerBound)
        while oldStart < oldRange.upperBound, newStart < newRange.upperBound {
            (oldCount, newCount) = (oldRange.upperBound - oldStart, newRange.upperBound - newStart)
            try checkpoint()
            let (x, y) = search(limit: limit, to: &pairs)
            guard x + y > 0 else { return }
            (oldStart, newStart) = (oldStart + x, newStart + y)
        }
    }

    /// Searches from the beginning of both parts. Returns the end of the path that is kept.
    private mutating func search(limit: Int, to pairs: inout [SequenceAlignment.Pair]) -> (x: Int, y: Int) {
        furthest.removeAll(keepingCapacity: true)
        var differences = 0
        while true {
            var best = (x: -1, diagonal: 0)
            for diagonal in -differences...differences {
                guard (diagonal + differences).isMultiple(of: 2), let arrival = arrival(on: diagonal, differences)
                else {
                    furthest.append(-1)
                    continue
                }
                var (x, y) = (arrival.x, arrival.x - diagonal)
                while x < oldCount, y < newCount, old[oldStart + x] == new[newStart + y] { (x, y) = (x + 1, y + 1) }
                furthest.append(Int32(truncatingIfNeeded: x))
                if best.x < 0 || x + y > 2 * best.x - best.diagonal { best = (x, diagonal) }
            }
            guard best.x >= 0 else { return (0, 0) }
            let end = (x: best.x, y: best.x - best.diagonal)
            if differences == limit || end.x == oldCount && end.y == newCount {
                trace(back: differences, best.diagonal, from: end.x, to: &pairs)
                return end
            }
            differences += 1
        }
    }

    /// Returns the furthest x on `diagonal` right after the last of some differences, or nil if there is no path.
    private func arrival(on diagonal: Int, _ differences: Int) -> Arrival? {
        guard differences > 0 else { return (0, 0) }
        let (above, left) = (x(on: diagonal + 1, differences - 1), x(on: diagonal - 1, differences - 1))
        let isAboveValid = above >= 0 && above - diagonal <= newCount
        let isLeftValid = left >= 0 && left < oldCount
        if isAboveValid, !isLeftValid || left < above { return (above, diagonal + 1) }
        return isLeftValid ? (left + 1, diagonal - 1) : nil
    }

    /// Returns the furthest x on `diagonal` after some differences, or -1 if there is no path.
    private func x(on diagonal: Int, _ differences: Int) -> Int {
        abs(diagonal) <= differences ? Int(furthest[differences * differences + differences + diagonal]) : -1
    }

    private func trace(
        back differences: Int, _ diagonal: Int, from end: Int, to pairs: inout [SequenceAlignment.Pair]
    ) {
        let first = pairs.count
        var (differences, diagonal, end) = (differences, diagonal, end)
        while let arrival = arrival(on: diagonal, differences) {
            for x in stride(from: end - 1, through: arrival.x, by: -1) {
                pairs.append((oldStart + x, newStart + x - diagonal))
            }
            guard differences > 0 else { break }
            differences -= 1
            diagonal = arrival.fromDiagonal
            end = x(on: diagonal, differences)
        }
        pairs[first...].reverse()
    }
}
