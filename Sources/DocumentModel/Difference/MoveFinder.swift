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
        let old: Int
        let new: Int
        /// The entries of the topmost removed and added value that they are in, or are.
        let oldTop: Int
        let newTop: Int
    }

    /// A value that could be one end of a move. There may be as many as values, so they are kept small.
    private struct Candidate {
        let hash: UInt64
        private let node: UInt32
        private let topEntry: UInt32
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

    /// From this many levels on, the search goes straight to the root.
    private static let levelLimit = 16
    /// Up to this number of pairs, names are compared each with each.
    private static let namePairLimit = 256

    private let old: DifferenceBuilder.Side
    private let new: DifferenceBuilder.Side
    private let comparison: ValueComparison
    private let entries: DifferenceEntries
    private let depths: [UInt16]
    private var moves: [Move] = []
    private var resemblances: [NamePair: Double] = [:]
    /// The tape indices that are part of a moved value.
    private var isTakenOld: [Bool]
    private var isTakenNew: [Bool]

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
        isTakenOld = [Bool](repeating: false, count: old.tape.count)
        isTakenNew = [Bool](repeating: false, count: new.tape.count)
        var depths = [UInt16](repeating: 0, count: entries.count)
        for id in entries.indices where entries[id].parent != DifferenceEntry.none {
            depths[id] = depths[Int(entries[id].parent)] + 1
        }
        self.depths = depths
    }

    private mutating func find() {
        var (olds, news) = candidates()
        // Most values of one side are none of the other's; they need no sorting.
        let oldHashes = HashFilter(olds.lazy.map(\.hash), count: olds.count)
        news.removeAll { !oldHashes.mayContain($0.hash) }
        let newHashes = HashFilter(news.lazy.map(\.hash), count: news.count)
        olds.removeAll { !newHashes.mayContain($0.hash) }
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
        FastHash.sort(&scalars, by: { UInt64($0.index) * share }) { $0.index < $1.index }
        for group in [groups, scalars].joined() {
            if group.old.count == 1, group.new.count == 1 {
                match(olds[group.old.lowerBound], news[group.new.lowerBound])
            } else {
                match(
                    olds[group.old].filter { !isTakenOld[$0.index] },
                    news[group.new].filter { !isTakenNew[$0.index] })
            }
        }
    }

    /// Equal values of both documents, as ranges of the sorted candidates.
    private struct Group {
        let old: Range<Int>
        let new: Range<Int>
        /// The tape index of the first old one.
        let index: Int
        /// How many nodes the value has.
        let extent: Int
    }

    // MARK: - Candidates

    private func candidates() -> (old: [Candidate], new: [Candidate]) {
        var (olds, news): ([Candidate], [Candidate]) = ([], [])
        olds.reserveCapacity(mostCandidates(.removed, old))
        news.reserveCapacity(mostCandidates(.added, new))
        forEachTop { id, entry in
            if entry.kind == .removed {
                append(Int(entry.old), of: old, top: id, to: &olds)
            } else {
                append(Int(entry.new), of: new, top: id, to: &news)
            }
        }
        return (olds, news)
    }

    /// Calls `body` with the entries of the removed and the added values that may have moved, or something in them.
    private func forEachTop(_ body: (Int, DifferenceEntry) -> Void) {
        var id = 0
        while id < entries.count {
            let entry = entries[id]
            if entry.kind == .removed || entry.kind == .added { body(id, entry) }
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

    private func append(_ value: Int, of side: DifferenceBuilder.Side, top: Int, to candidates: inout [Candidate]) {
        // Some value after this one in the tape, but within it, stands for itself and for what is inside it.
        var index = value
        let end = Int(side.tape[value].next)
        // Where the array ends that the value at `index` is in.
        var arrayEnd = value
        while index < end {
            let node = side.tape[index]
            // Of containers without anything in them one is like the other, wherever it is.
            let isEmpty = index > value && node.kind.isContainer && Int(node.next) == index + 1
            if node.kind != .key, !isEmpty, index >= arrayEnd || side.tape.isDistinctive(index) {
                candidates.append(
                    Candidate(
                        hash: side.hashes[index], index: index, top: top, container: entries[top].parent))
            }
            if node.kind == .array { arrayEnd = max(arrayEnd, Int(node.next)) }
            index = side.hashes.objectsWithDuplicates.contains(index) ? Int(node.next) : index + 1
        }
    }

    // MARK: - Within a container

    /// Matches values within the containers in which nothing larger can move, and takes what is settled from the
    /// candidates, which are in the order of their entries.
    ///
    /// It comes to the same as looking at the largest values first: in such a container, and most of those that a
    /// migration changes are such, no value is part of one that moves. But what is looked at lies side by side, and is
    /// never sorted with all the rest.
    private mutating func matchWithinContainers(_ olds: inout [Candidate], _ news: inout [Candidate]) {
        var (oldRest, newRest): ([Candidate], [Candidate]) = ([], [])
        oldRest.reserveCapacity(olds.count)
        newRest.reserveCapacity(news.count)
        var (oldStart, newStart) = (0, 0)
        while oldStart < olds.count, newStart < news.count {
            let isOldFirst = olds[oldStart].top < news[newStart].top
            let container = isOldFirst ? olds[oldStart].container : news[newStart].container
            let end = Int(entries[container].end)
            let oldEnd = Self.endOfRun(olds, oldStart, in: container)
            let newEnd = Self.endOfRun(news, newStart, in: container)
            // What comes next and is in it as well is in a container in it.
            let isInnermost =
                (oldEnd == olds.count || olds[oldEnd].top >= end) && (newEnd == news.count || news[newEnd].top >= end)
            let (oldRun, newRun) = (olds[oldStart..<oldEnd], news[newStart..<newEnd])
            if isInnermost, oldRun.count <= Self.mostInContainer, newRun.count <= Self.mostInContainer,
                oldRun.allSatisfy({ isScalar($0, in: old) }), newRun.allSatisfy({ isScalar($0, in: new) })
            {
                match(oldRun, newRun, within: container, &oldRest, &newRest)
            } else {
                oldRest += oldRun
                newRest += newRun
            }
            (oldStart, newStart) = (oldEnd, newEnd)
        }
        oldRest += olds[oldStart...]
        newRest += news[newStart...]
        (olds, news) = (oldRest, newRest)
    }

    /// So many values of each document are looked at by themselves.
    private static let mostInContainer = 64

    /// Behind the candidates from `start` on that have arrived in a container.
    private static func endOfRun(_ candidates: [Candidate], _ start: Int, in container: Int) -> Int {
        var end = start
        while end < candidates.count, candidates[end].container == container { end += 1 }
        return end
    }

    private func isScalar(_ candidate: Candidate, in side: DifferenceBuilder.Side) -> Bool {
        !side.tape[candidate.index].kind.isContainer
    }

    /// Matches the values in a container, and hands on those that may go further.
    private mutating func match(
        _ olds: ArraySlice<Candidate>, _ news: ArraySlice<Candidate>, within container: Int,
        _ oldRest: inout [Candidate], _ newRest: inout [Candidate]
    ) {
        for (place, first) in zip(olds.indices, olds) {
            // The equal values before it have had their turn.
            if olds[..<place].contains(where: { $0.hash == first.hash }) { continue }
            let equalNews = news.filter { $0.hash == first.hash }
            let equalOlds = olds[place...].filter { $0.hash == first.hash }
            if equalNews.isEmpty {
                oldRest += equalOlds
            } else {
                matchAndHandOn(
                    equalOlds, equalNews, in: container, isDistinctive: old.tape.isDistinctive(first.index), levels: 1,
                    &oldRest, &newRest)
            }
        }
        newRest += news.filter { new in !olds.contains { $0.hash == new.hash } }
    }

    /// Matches equal values in a container, and moves those that are left outwards, if they may leave it.
    private mutating func matchAndHandOn(
        _ olds: [Candidate], _ news: [Candidate], in container: Int, isDistinctive: Bool, levels: Int,
        _ oldRest: inout [Candidate], _ newRest: inout [Candidate]
    ) {
        match(olds, news, in: container, isDistinctive: isDistinctive)
        let olds = olds.filter { !isTakenOld[$0.index] }
        let news = news.filter { !isTakenNew[$0.index] }
        // From within an array's element nothing goes to within another.
        let mayLeave = !isArray(container) || isDistinctive && (olds.isEmpty || news.isEmpty)
        guard depths[container] > 0, mayLeave else { return }
        let outer = levels < Self.levelLimit ? Int(entries[container].parent) : 0
        oldRest += olds.map { $0.moved(outwardsTo: outer) }
        newRest += news.map { $0.moved(outwardsTo: outer) }
    }

    // MARK: - Matching

    /// Matches two values that are equal, and of which there are no others: as any group, with nothing to choose from.
    private mutating func match(_ from: Candidate, _ to: Candidate) {
        guard !isTakenOld[from.index], !isTakenNew[to.index] else { return }
        let isDistinctive = old.tape.isDistinctive(from.index)
        var (oldContainer, newContainer) = (from.container, to.container)
        var levels = 0
        while true {
            let (oldDepth, newDepth) = (depths[oldContainer], depths[newContainer])
            levels += 1
            func outer(_ container: Int) -> Int? {
                guard depths[container] > 0, !isArray(container) || isDistinctive else { return nil }
                return levels < Self.levelLimit ? Int(entries[container].parent) : 0
            }
            if oldContainer == newContainer {
                match(from, to, in: oldContainer, isDistinctive: isDistinctive)
                // From within an array's element nothing goes to within another.
                guard !isTakenOld[from.index], !isArray(oldContainer), let outer = outer(oldContainer) else { return }
                (oldContainer, newContainer) = (outer, outer)
                continue
            }
            let (oldOuter, newOuter) = (outer(oldContainer), outer(newContainer))
            if oldDepth >= newDepth {
                guard let oldOuter else { return }
                oldContainer = oldOuter
            }
            if newDepth >= oldDepth {
                guard let newOuter else { return }
                newContainer = newOuter
            }
        }
    }

    /// Matches equal values with each other, from the innermost containers outwards.
    private mutating func match(_ olds: [Candidate], _ news: [Candidate]) {
        var (olds, news) = (olds, news)
        guard let first = olds.first else { return }
        let isDistinctive = old.tape.isDistinctive(first.index)
        var levels = 0
        while !olds.isEmpty, !news.isEmpty {
            let depth = (olds + news).reduce(0) { max($0, depths[$1.container]) }
            var containers: [Int: (old: [Candidate], new: [Candidate])] = [:]
            for candidate in olds where depths[candidate.container] == depth {
                containers[candidate.container, default: ([], [])].old.append(candidate)
            }
            for candidate in news where depths[candidate.container] == depth {
                containers[candidate.container, default: ([], [])].new.append(candidate)
            }
            olds.removeAll { depths[$0.container] == depth }
            news.removeAll { depths[$0.container] == depth }
            levels += 1
            for container in containers.keys.sorted() {
                guard let inside = containers[container] else { continue }
                matchAndHandOn(
                    inside.old, inside.new, in: container, isDistinctive: isDistinctive, levels: levels, &olds, &news)
            }
        }
    }

    /// Matches two equal values, the only ones in a container.
    private mutating func match(_ from: Candidate, _ to: Candidate, in container: Int, isDistinctive: Bool) {
        if isArray(container) {
            if isChild(from, of: container), isChild(to, of: container) { move(from, to) }
        } else if let name = nameIndex(from.index, in: old), let other = nameIndex(to.index, in: new),
            old.hashes[name] == new.hashes[other] || resemblance(of: name, to: other) > 0
        {
            move(from, to)
        }
        matchRest(from, to, in: container, isDistinctive: isDistinctive)
    }

    private mutating func match(
        _ olds: [Candidate], _ news: [Candidate], in container: Int, isDistinctive: Bool
    ) {
        guard let from = olds.first, let to = news.first else { return }
        if olds.count == 1, news.count == 1 { return match(from, to, in: container, isDistinctive: isDistinctive) }
        if isArray(container) {
            let (olds, news) = (olds.filter { isChild($0, of: container) }, news.filter { isChild($0, of: container) })
            for (from, to) in zip(olds, news) { move(from, to) }
        } else {
            matchSameNames(olds, news)
            matchResemblingNames(olds, news)
        }
        let (olds, news) = (olds.filter { !isTakenOld[$0.index] }, news.filter { !isTakenNew[$0.index] })
        guard olds.count == 1, news.count == 1, let from = olds.first, let to = news.first else { return }
        matchRest(from, to, in: container, isDistinctive: isDistinctive)
    }

    /// Matches two equal values whose names say nothing, where no others are left in a container.
    private mutating func matchRest(_ from: Candidate, _ to: Candidate, in container: Int, isDistinctive: Bool) {
        guard !isTakenOld[from.index], !isTakenNew[to.index] else { return }
        if isArray(container) {
            if isDistinctive, isChild(from, of: container) || isChild(to, of: container) { move(from, to) }
        } else if isDistinctive
            || isChild(from, of: container) && isChild(to, of: container) && isOnlyExchange(in: container)
        {
            move(from, to)
        }
    }

    /// Whether the candidate is in the container itself, rather than somewhere inside what is in it.
    private func isChild(_ candidate: Candidate, of container: Int) -> Bool {
        let entry = entries[candidate.top]
        return Int(entry.parent) == container && candidate.index == Int(entry.kind == .removed ? entry.old : entry.new)
    }

    /// Whether one child of the container was removed, one was added, and no more.
    private func isOnlyExchange(in container: Int) -> Bool {
        var (removed, added) = (0, 0)
        var id = container + 1
        while id < Int(entries[container].end), removed <= 1, added <= 1 {
            if entries[id].kind == .removed { removed += 1 }
            if entries[id].kind == .added { added += 1 }
            id = Int(entries[id].end)
        }
        return removed == 1 && added == 1
    }

    private func isArray(_ container: Int) -> Bool { new.tape[Int(entries[container].new)].kind == .array }

    private mutating func matchSameNames(_ olds: [Candidate], _ news: [Candidate]) {
        let oldNames = names(of: olds, in: old)
        let newNames = names(of: news, in: new)
        var newPlace = 0
        for place in oldNames.indices {
            let (name, candidate) = oldNames[place]
            while newPlace < newNames.count, newNames[newPlace].name < name { newPlace += 1 }
            guard Self.isSingle(place, in: oldNames), newPlace < newNames.count, newNames[newPlace].name == name,
                Self.isSingle(newPlace, in: newNames)
            else { continue }
            move(olds[candidate], news[newNames[newPlace].place])
        }
    }

    private typealias PlacedName = (name: UInt64, place: Int)

    /// The hashes of the names of candidates that are members, sorted.
    private func names(of candidates: [Candidate], in side: DifferenceBuilder.Side) -> [PlacedName] {
        var names: [PlacedName] = []
        names.reserveCapacity(candidates.count)
        for (place, candidate) in candidates.enumerated() {
            if let name = nameIndex(candidate.index, in: side) { names.append((side.hashes[name], place)) }
        }
        names.sort { $0 < $1 }
        return names
    }

    /// Whether the sorted names have no other like the one at `place`.
    private static func isSingle(_ place: Int, in names: [PlacedName]) -> Bool {
        (place == 0 || names[place - 1].name != names[place].name)
            && (place + 1 == names.count || names[place + 1].name != names[place].name)
    }

    private mutating func matchResemblingNames(_ olds: [Candidate], _ news: [Candidate]) {
        let (olds, news) = (olds.filter { !isTakenOld[$0.index] }, news.filter { !isTakenNew[$0.index] })
        guard olds.count.multipliedReportingOverflow(by: news.count).partialValue <= Self.namePairLimit else { return }
        let newNames = news.map { nameIndex($0.index, in: new) }
        var scores: [(score: Double, old: Int, new: Int)] = []
        for (place, candidate) in olds.enumerated() {
            guard let name = nameIndex(candidate.index, in: old) else { continue }
            for (otherPlace, otherName) in newNames.enumerated() {
                guard let otherName else { continue }
                let score = resemblance(of: name, to: otherName)
                if score > 0 { scores.append((score, place, otherPlace)) }
            }
        }
        if scores.isEmpty { return }
        if scores.count == 1 { return move(olds[scores[0].old], news[scores[0].new]) }
        scores.sort { ($0.score, $1.old, $1.new) > ($1.score, $0.old, $0.new) }
        var rest = scores[...]
        while let best = rest.first?.score {
            let alike = rest.prefix { $0.score == best }
                .filter { !isTakenOld[olds[$0.old].index] && !isTakenNew[news[$0.new].index] }
            let (oldCounts, newCounts) = (alike.countedValues(\.old), alike.countedValues(\.new))
            // Of several that are equally alike nobody knows which it is.
            for pair in alike where oldCounts[pair.old] == 1 && newCounts[pair.new] == 1 {
                move(olds[pair.old], news[pair.new])
            }
            rest = rest.drop { $0.score == best }
        }
    }

    /// The tape index of the name of a member's value; nil for an element.
    private func nameIndex(_ index: Int, in side: DifferenceBuilder.Side) -> Int? {
        index > 0 && side.tape[index - 1].kind == .key ? index - 1 : nil
    }

    /// How much two names resemble each other, by their tape indices. The same few names come again and again.
    private mutating func resemblance(of name: Int, to other: Int) -> Double {
        let pair = NamePair(old: old.hashes[name], new: new.hashes[other])
        if let known = resemblances[pair] { return known }
        let (first, second) = (old.node(name).string ?? "", new.node(other).string ?? "")
        let score = FieldName(first).resemblance(to: FieldName(second))
        resemblances[pair] = score
        return score
    }

    /// Two names, by their hashes.
    private struct NamePair: Hashable {
        let old: UInt64
        let new: UInt64
    }

    /// Makes a move of two candidates, if neither is part of one and their values are indeed equal.
    private mutating func move(_ from: Candidate, _ to: Candidate) {
        let (oldEnd, newEnd) = (Int(old.tape[from.index].next), Int(new.tape[to.index].next))
        // Equal values have equally many nodes unless a name occurs more than once.
        guard !isTakenOld[from.index], !isTakenNew[to.index], oldEnd - from.index == newEnd - to.index,
            !isWithDuplicates(from.index..<oldEnd, in: old), !isWithDuplicates(to.index..<newEnd, in: new),
            comparison.areEqual(from.index, to.index)
        else { return }
        for index in from.index..<oldEnd { isTakenOld[index] = true }
        for index in to.index..<newEnd { isTakenNew[index] = true }
        moves.append(Move(old: from.index, new: to.index, oldTop: from.top, newTop: to.top))
    }

    private func isWithDuplicates(_ range: Range<Int>, in side: DifferenceBuilder.Side) -> Bool {
        let objects = side.hashes.objectsWithDuplicates
        return !objects.isEmpty && range.contains { objects.contains($0) }
    }
}

extension Sequence {
    /// How often each value occurs.
    fileprivate func countedValues<Value: Hashable>(_ value: (Element) -> Value) -> [Value: Int] {
        reduce(into: [:]) { $0[value($1), default: 0] += 1 }
    }
}
