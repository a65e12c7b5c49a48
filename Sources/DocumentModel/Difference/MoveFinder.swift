/// Finds values that were removed at one place and added, equal, at another.
///
/// Values are looked at largest first, so that of a container that moved nothing moves by itself, and each moves once.
/// Where several places could be the ends of one move, the nearest are, and among these the ones whose names are most
/// alike: the search begins in the container itself and goes outwards. At each level, among the equal values that are
/// left there, a pair is a move if
///
/// - the name is the same, and no other there has it;
/// - or the names resemble each other (``FieldName``), the most alike first, and neither resembles another as much;
/// - or the value is distinctive (``TapeView/isDistinctive(_:)``), and it is the only one there that went and the only
///   one that came;
/// - or both are elements of one array: in order;
/// - or both are members of one object that lost no other member and gained no other.
///
/// So a `null` or a `1` moves only where its name or the lack of anything else says so, and never into or out of an
/// array's element. Nor does anything go from within one element of an array to within another: records that have a
/// value in common have not exchanged it. An object in which a name occurs more than once takes no part: no JSON
/// Pointer leads to its members.
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
        /// The entries of the topmost removed and added value that they are in, or are.
        var oldTop: Int { Int(oldTopEntry) }
        var newTop: Int { Int(newTopEntry) }
    }

    /// A value that could be one end of a move. There may be as many as values, so they are kept small.
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
        /// The entry of the topmost removed or added value that it is in, or is.
        var top: Int { Int(topEntry) }
        /// The entry of the container where the search has arrived.
        var container: Int { Int(containerEntry) }

        func moved(outwardsTo container: Int) -> Candidate {
            var candidate = self
            candidate.containerEntry = UInt32(container)
            return candidate
        }
    }

    /// The places of a difference.
    typealias Entries = ElementsView<DifferenceEntry>

    let old: DifferenceBuilder.Side
    let new: DifferenceBuilder.Side
    let comparison: ValueComparison
    let entries: Entries
    /// How deep each entry is.
    private let depthsOfEntries: UnsafeBufferPointer<UInt16>
    var moves = OwnedList<Move>()
    var resemblances: [NamePair: Double] = [:]
    /// The tape indices that are part of a moved value.
    var takenOld: NodeSet
    var takenNew: NodeSet

    /// The moves between what `entries` say was removed and what they say was added.
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

    /// A finder for another thread, which has found nothing yet.
    func copied() -> MoveFinder { MoveFinder(entries, depths: depthsOfEntries, old: old, new: new, comparison) }

    /// How deep the entry of a container is.
    func depth(_ container: Int) -> UInt16 {
        precondition(UInt(bitPattern: container) < UInt(bitPattern: depthsOfEntries.count))
        return depthsOfEntries[container]
    }

    /// How deep each entry is.
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
                // In the order of the documents, in which the memory is near by.
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

    /// Candidates in memory that no reference is counted for. It is not checked that an index lies in it: each one comes
    /// from the range of a part or a group, or was compared with `count`.
    typealias Candidates = UnsafeBufferPointer<Candidate>

    /// The groups of equal values with something inside, and those of the others.
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
        /// The tape index of the first old one.
        let index: UInt32
        /// How many nodes the value has.
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

    /// The entries of the removed and the added values that may have moved, or something in them. Of one in which a pair
    /// is found already, these are those of what is in it.
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

    /// The values that may have moved, in the order of their entries: of each document those of which the other may
    /// have an equal one. Most have none, so they are not even written down.
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

    /// What `body` makes of the entries: of parts of them, `most` at most, at the same time. `join` makes one of the
    /// results, which are in order.
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

    /// The hashes of what is in some values.
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
        // Each filter has room for all hashes, so there is only one for each core.
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

    /// The tape index of a removed or an added value.
    private func value(of entry: DifferenceEntry) -> Int { Int(entry.kind == .removed ? entry.old : entry.new) }

    /// The nearest container of an entry that is on both sides.
    private func container(of entry: DifferenceEntry) -> UInt32 {
        var container = entry.parent
        while entries[Int(container)].isOfOneSide { container = entries[Int(container)].parent }
        return container
    }

    /// Calls `body` with the values in one that was removed or added, or this itself, that may have moved.
    @inline(__always)
    private func forEachCandidate(in value: Int, of side: DifferenceBuilder.Side, _ body: (Int) -> Void) {
        // Some value after this one in the tape, but within it, stands for itself and for what is inside it.
        var index = value
        let end = Int(side.tape[value].next)
        // Where the array ends that the value at `index` is in.
        var arrayEnd = value
        while index < end {
            let node = side.tape[index]
            // Of containers without anything in them one is like the other, wherever it is.
            let isEmpty = index > value && node.kind.isContainer && Int(node.next) == index + 1
            if node.kind != .key, !isEmpty, index >= arrayEnd || side.tape.isDistinctive(index) { body(index) }
            if node.kind == .array { arrayEnd = max(arrayEnd, Int(node.next)) }
            index = side.hashes.hasDuplicates(index) ? Int(node.next) : index + 1
        }
    }
}
