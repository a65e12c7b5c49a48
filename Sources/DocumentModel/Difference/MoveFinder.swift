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
struct MoveFinder {
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

    let old: DifferenceBuilder.Side
    let new: DifferenceBuilder.Side
    let comparison: ValueComparison
    let entries: DifferenceEntries
    let depths: [UInt16]
    var moves: [Move] = []
    var resemblances: [NamePair: Double] = [:]
    /// The tape indices that are part of a moved value.
    var takenOld: NodeSet
    var takenNew: NodeSet

    /// The moves between what `entries` say was removed and what they say was added.
    static func moves(
        _ entries: DifferenceEntries, old: DifferenceBuilder.Side, new: DifferenceBuilder.Side,
        comparison: ValueComparison
    ) -> [Move] {
        guard entries.contains(where: { $0.kind == .removed }), entries.contains(where: { $0.kind == .added }) else {
            return []
        }
        var finder = MoveFinder(entries, old: old, new: new, comparison)
        finder.find()
        return finder.moves
    }

    private init(
        _ entries: DifferenceEntries, old: DifferenceBuilder.Side, new: DifferenceBuilder.Side,
        _ comparison: ValueComparison
    ) {
        self.entries = entries
        self.comparison = comparison
        self.old = old
        self.new = new
        takenOld = NodeSet(nodeCount: old.tape.count)
        takenNew = NodeSet(nodeCount: new.tape.count)
        var depths = [UInt16](repeating: 0, count: entries.count)
        for id in entries.indices where entries[id].parent != DifferenceEntry.none {
            depths[id] = depths[Int(entries[id].parent)] + 1
        }
        self.depths = depths
    }

    private mutating func find() {
        var (olds, news) = candidates()
        matchWithinContainers(&olds, &news)
        FastHash.sort(&olds, by: \.hash) { $0.index < $1.index }
        FastHash.sort(&news, by: \.hash) { $0.index < $1.index }
        // The groups of values with something inside, and those of the others.
        var (groups, scalars): ([Group], [Group]) = ([], [])
        var (oldStart, newStart) = (0, 0)
        while oldStart < olds.count, newStart < news.count {
            let (oldHash, newHash) = (olds[oldStart].hash, news[newStart].hash)
            let oldEnd = olds[oldStart...].firstIndex { $0.hash != oldHash } ?? olds.count
            let newEnd = news[newStart...].firstIndex { $0.hash != newHash } ?? news.count
            if oldHash == newHash {
                let index = olds[oldStart].index
                let extent = Int(old.tape[index].next) - index
                let group = Group(old: oldStart..<oldEnd, new: newStart..<newEnd, index: index, extent: extent)
                if extent > 1 { groups.append(group) } else { scalars.append(group) }
            }
            if oldHash <= newHash { oldStart = oldEnd }
            if newHash <= oldHash { newStart = newEnd }
        }
        // In the order of the documents, in which the memory is near by.
        groups.sort { ($0.extent, $1.index) > ($1.extent, $0.index) }
        let share = UInt64.max / UInt64(old.tape.count)
        FastHash.sort(&scalars, by: { UInt64($0.index) * share }, { $0.index < $1.index })
        for group in [groups, scalars].joined() {
            if group.old.count == 1, group.new.count == 1 {
                match(olds[group.old.lowerBound], news[group.new.lowerBound])
            } else {
                match(
                    olds[group.old].filter { !takenOld.contains($0.index) },
                    news[group.new].filter { !takenNew.contains($0.index) })
            }
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

    /// The values that may have moved, in the order of their entries: of each document those of which the other may
    /// have an equal one. Most have none, so they are not even written down.
    private func candidates() -> (old: [Candidate], new: [Candidate]) {
        var oldHashes = HashFilter(count: mostCandidates(.removed, old))
        forEachCandidate(.removed, of: old) { index, _ in oldHashes.insert(old.hashes[index]) }
        let news = candidates(.added, of: new, among: oldHashes)
        let newHashes = HashFilter(news.lazy.map(\.hash), count: news.count)
        return (candidates(.removed, of: old, among: newHashes), news)
    }

    private func candidates(
        _ kind: DifferenceNode.Kind, of side: DifferenceBuilder.Side, among hashes: HashFilter
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        var (lastTop, container) = (-1, UInt32(0))
        forEachCandidate(kind, of: side) { index, top in
            let hash = side.hashes[index]
            guard hashes.mayContain(hash) else { return }
            if top != lastTop { (lastTop, container) = (top, self.container(of: top)) }
            candidates.append(Candidate(hash: hash, index: index, top: top, container: container))
        }
        return candidates
    }

    /// Calls `body` with the entries of the removed and the added values that may have moved, or something in them. Of
    /// one in which a pair is found already, these are what is in it.
    private func forEachTop(_ body: (Int, DifferenceEntry) -> Void) {
        var id = 0
        while id < entries.count {
            let entry = entries[id]
            if entry.isLeaf(at: id), entry.isOfOneSide { body(id, entry) }
            id = entry.isPatchedWhole ? Int(entry.end) : id + 1
        }
    }

    /// So many candidates there are at most: one for each node.
    private func mostCandidates(_ kind: DifferenceNode.Kind, _ side: DifferenceBuilder.Side) -> Int {
        var count = 0
        forEachTop { _, entry in
            guard entry.kind == kind else { return }
            let index = Int(kind == .removed ? entry.old : entry.new)
            count += side.tape.next(after: index) - index
        }
        return count
    }

    /// The nearest container of an entry that is on both sides.
    private func container(of id: Int) -> UInt32 {
        var container = entries[id].parent
        while entries[Int(container)].isOfOneSide { container = entries[Int(container)].parent }
        return container
    }

    /// Calls `body` with the values of one kind that may have moved, and with the entries of the topmost removed or
    /// added values that they are in, or are.
    private func forEachCandidate(
        _ kind: DifferenceNode.Kind, of side: DifferenceBuilder.Side, _ body: (_ index: Int, _ top: Int) -> Void
    ) {
        forEachTop { top, entry in
            if entry.kind == kind {
                forEachCandidate(in: Int(kind == .removed ? entry.old : entry.new), of: side) { body($0, top) }
            }
        }
    }

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
