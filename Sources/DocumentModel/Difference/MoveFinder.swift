/// Finds values that were removed at one place and added unchanged at another.
///
/// Larger values are matched first, so that the contents of a moved container don't move separately, and each value
/// moves only once. If there are several possible ends for a move, the nearest ones are chosen, and among these the
/// ones with the most similar names: the search begins in the container itself and continues outwards. At each level,
/// among the remaining equal values there, a pair is a move if
///
/// - the name is the same, and no other has it;
/// - or the names are similar (``FieldName``), the most similar first, and neither is as similar to another;
/// - or the value is distinctive (``TapeView/isDistinctive(_:)``), and only one was removed and one added there;
/// - or both are elements of the same array, in order;
/// - or both are members of the same object, which lost and gained no other members.
///
/// So a `null` or a `1` moves only if its name, or the lack of alternatives, indicates it, and never into or out of an
/// element of an array. And no value moves from inside one element of an array to inside another: records with a common
/// value haven't exchanged it. Objects with repeated names are ignored, because no JSON Pointer leads to their members.
struct MoveFinder: ~Copyable {
    /// A move between places of the two documents, by the tape indices of the values.
    struct Move {
        private let oldNode: UInt32
        private let newNode: UInt32
        private let oldTopEntry: UInt32
        private let newTopEntry: UInt32

        init(_ from: Candidate, _ to: Candidate) {
            (oldNode, newNode) = (from.node, to.node)
            (oldTopEntry, newTopEntry) = (from.topEntry, to.topEntry)
        }

        var old: Int { Int(oldNode) }
        var new: Int { Int(newNode) }
        /// The entries of the topmost removed and added values that contain them, or that they are.
        var oldTop: Int { Int(oldTopEntry) }
        var newTop: Int { Int(newTopEntry) }
    }

    /// A value that could be one end of a move. There may be as many as values, so they are small.
    struct Candidate {
        let hash: UInt64
        let node: UInt32
        let topEntry: UInt32
        private var containerEntry: UInt32

        init(hash: UInt64, index: Int, top: Int, container: UInt32) {
            self.hash = hash
            node = UInt32(index)
            topEntry = UInt32(top)
            containerEntry = container
        }

        /// The tape index of the value.
        var index: Int { Int(node) }
        /// The entry of the topmost removed or added value that contains it, or that it is.
        var top: Int { Int(topEntry) }
        /// The entry of the container that the search has reached.
        var container: Int { Int(containerEntry) }

        func moved(outwardsTo container: Int) -> Candidate {
            var candidate = self
            candidate.containerEntry = UInt32(container)
            return candidate
        }
    }

    typealias Entries = ElementsView<DifferenceEntry>

    let old: DifferenceBuilder.Side
    let new: DifferenceBuilder.Side
    let comparison: ValueComparison
    let entries: Entries
    /// The depth of each entry.
    private let depthsOfEntries: UnsafeBufferPointer<UInt16>
    var moves = OwnedList<Move>()
    var resemblances: [NamePair: Double] = [:]
    /// The tape indices that are part of a moved value.
    var takenOld: NodeSet
    var takenNew: NodeSet

    /// Returns the moves between the values that were removed and those that were added according to `entries`.
    static func moves(
        _ entries: Entries, old: DifferenceBuilder.Side, new: DifferenceBuilder.Side,
        comparison: ValueComparison
    ) -> OwnedList<Move> {
        let tops = Tops(entries)
        if tops.removed.isEmpty || tops.added.isEmpty { return OwnedList() }
        return depths(entries).withElements { depths in
            var finder = MoveFinder(entries, depths: depths, old: old, new: new, comparison)
            var candidates = finder.candidates(tops)
            if candidates.olds.isEmpty || candidates.news.isEmpty { return OwnedList() }
            finder.find(&candidates)
            return finder.moves
        }
    }

    private init(
        _ entries: Entries, depths: UnsafeBufferPointer<UInt16>, old: DifferenceBuilder.Side,
        new: DifferenceBuilder.Side, _ comparison: ValueComparison
    ) {
        self.entries = entries
        depthsOfEntries = depths
        self.comparison = comparison
        self.old = old
        self.new = new
        takenOld = NodeSet(nodeCount: old.tape.count)
        takenNew = NodeSet(nodeCount: new.tape.count)
    }

    /// Returns an empty finder for another thread.
    func copied() -> MoveFinder { MoveFinder(entries, depths: depthsOfEntries, old: old, new: new, comparison) }

    /// Returns the depth of a container's entry.
    func depth(_ container: Int) -> UInt16 {
        precondition(UInt(bitPattern: container) < UInt(bitPattern: depthsOfEntries.count))
        return depthsOfEntries[container]
    }

    /// Returns the depth of each entry.
    private static func depths(_ entries: Entries) -> OwnedList<UInt16> {
        var depths = OwnedList<UInt16>(repeating: 0, count: entries.count)
        for id in entries.indices where entries[id].parent != DifferenceEntry.none {
            depths[id] = depths[Int(entries[id].parent)] + 1
        }
        return depths
    }

    private mutating func find(_ candidates: inout FoundCandidates) {
        matchWithinContainers(&candidates)
        if candidates.olds.isEmpty || candidates.news.isEmpty { return }
        FastHash.sort(&candidates.olds, by: \.hash) { $0.index < $1.index }
        FastHash.sort(&candidates.news, by: \.hash) { $0.index < $1.index }
        candidates.olds.withElements { olds in
            candidates.news.withElements { news in
                var groups = groups(olds, news)
                // In document order, so that nearby memory is accessed.
                groups.containers.sort { ($0.extent, $1.index) > ($1.extent, $0.index) }
                let share = UInt64.max / UInt64(old.tape.count)
                FastHash.sort(&groups.scalars, by: { UInt64($0.index) * share }, { $0.index < $1.index })
                for place in groups.containers.indices { match(groups.containers[place], olds, news) }
                for place in groups.scalars.indices { match(groups.scalars[place], olds, news) }
            }
        }
    }

    /// The candidates of both documents.
    struct FoundCandidates: ~Copyable {
        var olds: OwnedList<Candidate>
        var news: OwnedList<Candidate>
    }

    /// Candidates in memory, without reference counting. Indices are not checked, because each one is from the range of
    /// a part or a group, or was compared with `count`.
    typealias Candidates = UnsafeBufferPointer<Candidate>

    /// The groups of equal containers that are not empty, and those of all other values.
    private struct Groups: ~Copyable {
        var containers = OwnedList<Group>()
        var scalars = OwnedList<Group>()
    }

    private func groups(_ olds: Candidates, _ news: Candidates) -> Groups {
        var groups = Groups()
        var (oldStart, newStart) = (0, 0)
        while oldStart < olds.count, newStart < news.count {
            let (oldHash, newHash) = (olds[oldStart].hash, news[newStart].hash)
            guard oldHash == newHash else {
                if oldHash < newHash { oldStart += 1 } else { newStart += 1 }
                continue
            }
            let (firstOld, firstNew) = (oldStart, newStart)
            while oldStart < olds.count, olds[oldStart].hash == oldHash { oldStart += 1 }
            while newStart < news.count, news[newStart].hash == oldHash { newStart += 1 }
            let index = olds[firstOld].index
            let extent = Int(old.tape[index].next) - index
            let group = Group(old: firstOld..<oldStart, new: firstNew..<newStart, index: index, extent: extent)
            if extent > 1 { groups.containers.append(group) } else { groups.scalars.append(group) }
        }
        return groups
    }

    private mutating func match(_ group: Group, _ olds: Candidates, _ news: Candidates) {
        if group.old.count == 1, group.new.count == 1 {
            match(olds[group.old.lowerBound], news[group.new.lowerBound])
        } else {
            match(
                olds[group.old].filter { !takenOld.contains($0.index) },
                news[group.new].filter { !takenNew.contains($0.index) })
        }
    }

    /// Equal values of both documents, as ranges of the sorted candidates.
    private struct Group {
        private let oldStart, oldEnd, newStart, newEnd: UInt32
        /// The tape index of the first old value.
        let index: UInt32
        /// The number of nodes in the value.
        let extent: UInt32

        init(old: Range<Int>, new: Range<Int>, index: Int, extent: Int) {
            (oldStart, oldEnd) = (UInt32(old.lowerBound), UInt32(old.upperBound))
            (newStart, newEnd) = (UInt32(new.lowerBound), UInt32(new.upperBound))
            (self.index, self.extent) = (UInt32(index), UInt32(extent))
        }

        var old: Range<Int> { Int(oldStart)..<Int(oldEnd) }
        var new: Range<Int> { Int(newStart)..<Int(newEnd) }
    }

    // MARK: - Candidates

    /// The entries of the removed and added values that may have moved, or whose contents may have. If a pair was
    /// already found inside a value, these are the entries of its contents.
    private struct Tops: ~Copyable {
        private(set) var removed: OwnedList<UInt32>
        private(set) var added: OwnedList<UInt32>

        init(_ entries: Entries) {
            removed = OwnedList(capacity: entries.count / 4)
            added = OwnedList(capacity: entries.count / 4)
            var id = 0
            while id < entries.count {
                let entry = entries[id]
                if entry.isLeaf(at: id) {
                    if entry.kind == .removed { removed.append(UInt32(id)) }
                    if entry.kind == .added { added.append(UInt32(id)) }
                }
                id = entry.isPatchedWhole ? Int(entry.end) : id + 1
            }
        }
    }

    /// Returns the values that may have moved, in the order of their entries. Values without an equal one in the other
    /// document, which are most of them, are filtered out first.
    private func candidates(_ tops: borrowing Tops) -> FoundCandidates {
        tops.removed.withElements { removed in
            tops.added.withElements { added in
                let news = candidates(added, of: new, among: hashes(removed, of: old))
                let newHashes = news.withElements { HashFilter($0.lazy.map(\.hash), count: $0.count) }
                return FoundCandidates(olds: candidates(removed, of: old, among: newHashes), news: news)
            }
        }
    }

    /// The entries of some removed or added values.
    private typealias TopEntries = UnsafeBufferPointer<UInt32>

    /// Returns the result of `body` for the entries. They are divided into at most `most` parts, which are processed
    /// concurrently, and `join` combines the results, which are in order.
    private func inParts<Result: ~Copyable>(
        _ tops: TopEntries, atMost most: Int = Parallel.width, _ body: (TopEntries) -> Result,
        join: (consuming OwnedList<Result>) -> Result
    ) -> Result {
        let partCount = min(most, tops.count / old.candidatesInPart + 1)
        if partCount == 1 { return body(tops) }
        return join(
            Parallel.map(partCount) { part in
                body(TopEntries(rebasing: tops[tops.count * part / partCount..<tops.count * (part + 1) / partCount]))
            })
    }

    /// Returns the hashes of everything inside some values.
    private func hashes(_ tops: TopEntries, of side: DifferenceBuilder.Side) -> HashFilter {
        // Each node has one hash at most.
        func nodeCount(_ tops: TopEntries) -> Int {
            tops.reduce(0) { count, top in
                let value = value(of: entries[Int(top)])
                return count + side.tape.next(after: value) - value
            }
        }
        let count = inParts(tops, nodeCount) { counts in counts.indices.reduce(0) { $0 + counts[$1] } }
        func hashes(_ tops: TopEntries) -> HashFilter {
            var hashes = HashFilter(count: count)
            for top in tops {
                forEachCandidate(in: value(of: entries[Int(top)]), of: side) { hashes.insert(side.hashes[$0]) }
            }
            return hashes
        }
        // Each filter has room for all hashes, so there is only one per core.
        return inParts(tops, atMost: Parallel.coreCount, hashes) { parts in
            var parts = parts
            var union = parts.removeLast()
            for part in parts.indices { union.formUnion(parts[part]) }
            return union
        }
    }

    private func candidates(
        _ tops: TopEntries, of side: DifferenceBuilder.Side, among hashes: borrowing HashFilter
    ) -> OwnedList<Candidate> {
        func candidates(_ tops: TopEntries) -> OwnedList<Candidate> {
            var candidates = OwnedList<Candidate>(capacity: tops.count)
            for top in tops {
                let entry = entries[Int(top)]
                forEachCandidate(in: value(of: entry), of: side) { index in
                    let hash = side.hashes[index]
                    guard hashes.mayContain(hash) else { return }
                    candidates.append(
                        Candidate(hash: hash, index: index, top: Int(top), container: container(of: entry)))
                }
            }
            return candidates
        }
        return inParts(tops, candidates) { OwnedList(joining: $0) }
    }

    /// Returns the tape index of a removed or added value.
    private func value(of entry: DifferenceEntry) -> Int { Int(entry.kind == .removed ? entry.old : entry.new) }

    /// Returns the nearest container of an entry that is in both documents.
    private func container(of entry: DifferenceEntry) -> UInt32 {
        var container = entry.parent
        while entries[Int(container)].isOfOneSide { container = entries[Int(container)].parent }
        return container
    }

    /// Calls `body` with a removed or added value and those inside it that may have moved.
    @inline(__always)
    private func forEachCandidate(in value: Int, of side: DifferenceBuilder.Side, _ body: (Int) -> Void) {
        // The node to examine next. The contents of objects with repeated names are skipped.
        var index = value
        let end = Int(side.tape[value].next)
        // The end of the array that contains the value at `index`.
        var arrayEnd = value
        while index < end {
            let node = side.tape[index]
            // Empty containers are all alike, wherever they are.
            let isEmpty = index > value && node.kind.isContainer && Int(node.next) == index + 1
            if node.kind != .key, !isEmpty, index >= arrayEnd || side.tape.isDistinctive(index) { body(index) }
            if node.kind == .array { arrayEnd = max(arrayEnd, Int(node.next)) }
            index = side.hashes.hasDuplicates(index) ? Int(node.next) : index + 1
        }
    }
}
