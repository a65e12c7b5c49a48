extension MoveFinder {
    /// Matches values within the containers in which nothing larger can move, and removes settled ones from the
    /// candidates, which are in the order of their entries.
    ///
    /// In such a container, no value is part of a larger one that moves. So the result is the same as when starting
    /// with the largest values, except for the level from which the search continues at the root. Most containers that
    /// a migration changes are of this type; the values to compare are next to each other, and don't have to be sorted
    /// together with all others.
    mutating func matchWithinContainers(_ candidates: inout FoundCandidates) {
        candidates = candidates.olds.withElements { olds in
            candidates.news.withElements { matchWithinContainers(olds, $0) }
        }
    }

    /// Returns the candidates that are not settled.
    private mutating func matchWithinContainers(_ olds: Candidates, _ news: Candidates) -> FoundCandidates {
        let ends = endsOfParts(olds, news)
        if ends.isEmpty { return matchWithinContainers(olds, news, in: (0..<olds.count, 0..<news.count)) }
        let partCount = ends.count + 1
        var found = Parallel.map(partCount) { part in
            let start: PartEnd = part > 0 ? ends[part - 1] : (0, 0)
            let end: PartEnd = part < ends.count ? ends[part] : (olds.count, news.count)
            var finder = copied()
            let rest = finder.matchWithinContainers(olds, news, in: (start.old..<end.old, start.new..<end.new))
            return FoundInPart(finder: finder, rest: rest)
        }
        var oldRests = OwnedList<OwnedList<Candidate>>(capacity: partCount)
        var newRests = OwnedList<OwnedList<Candidate>>(capacity: partCount)
        for part in found.indices {
            found[part].finder.moves.withElements { moves.append(contentsOf: $0) }
            takenOld.formUnion(found[part].finder.takenOld)
            takenNew.formUnion(found[part].finder.takenNew)
            oldRests.append(found[part].rest.olds.taken())
            newRests.append(found[part].rest.news.taken())
        }
        return FoundCandidates(olds: OwnedList(joining: oldRests), news: OwnedList(joining: newRests))
    }

    /// The results for a part of the candidates, and those of them that are not settled.
    private struct FoundInPart: ~Copyable {
        var finder: MoveFinder
        var rest: FoundCandidates
    }

    /// Ranges of the old and the new candidates that are matched independently of the others.
    private typealias Part = (olds: Range<Int>, news: Range<Int>)
    private typealias PartEnd = (old: Int, new: Int)

    /// Divides the candidates into parts, and returns the end of each part except the last. Each part begins with a
    /// container that contains no earlier candidate, so matching the parts concurrently gives the same result as
    /// matching them in order.
    private func endsOfParts(_ olds: Candidates, _ news: Candidates) -> OwnedList<PartEnd> {
        let candidatesInPart = old.candidatesInPart
        let partCount = min(Parallel.width, olds.count / candidatesInPart + 1)
        var ends = OwnedList<PartEnd>()
        for part in 1..<partCount {
            let middle = max(ends.last?.old ?? 0, olds.count * part / partCount)
            for oldEnd in middle..<min(olds.count, middle + candidatesInPart) where oldEnd > 0 {
                let container = olds[oldEnd].container
                guard olds[oldEnd - 1].top < container else { continue }
                let newEnd = news.partitioningIndex { $0.top >= container }
                let lastTop = max(olds[oldEnd - 1].top, newEnd > 0 ? news[newEnd - 1].top : -1)
                guard newEnd == news.count || news[newEnd].container > lastTop else { continue }
                ends.append((oldEnd, newEnd))
                break
            }
        }
        return ends
    }

    private mutating func matchWithinContainers(
        _ olds: Candidates, _ news: Candidates, in part: Part
    ) -> FoundCandidates {
        // Nearly all candidates are settled here.
        var rest = FoundCandidates(olds: OwnedList(), news: OwnedList())
        var (oldStart, newStart) = (part.olds.lowerBound, part.news.lowerBound)
        var lastTop = max(oldStart > 0 ? olds[oldStart - 1].top : -1, newStart > 0 ? news[newStart - 1].top : -1)
        while oldStart < part.olds.upperBound, newStart < part.news.upperBound {
            let isOldFirst = olds[oldStart].top < news[newStart].top
            let container = isOldFirst ? olds[oldStart].container : news[newStart].container
            let end = Int(entries[container].end)
            let oldEnd = Self.endOfRun(olds, oldStart, in: container)
            let newEnd = Self.endOfRun(news, newStart, in: container)
            // If an earlier or later candidate is inside it too, then that one is in a nested container.
            let isInnermost =
                lastTop < container && (oldEnd == olds.count || olds[oldEnd].top >= end)
                && (newEnd == news.count || news[newEnd].top >= end)
            let (oldRun, newRun) = (olds[oldStart..<oldEnd], news[newStart..<newEnd])
            if isInnermost, oldRun.count <= Self.mostInContainer, newRun.count <= Self.mostInContainer,
                oldRun.allSatisfy({ isScalar($0, in: old) }), newRun.allSatisfy({ isScalar($0, in: new) })
            {
                match(oldRun, newRun, within: container, &rest)
            } else {
                rest.olds.append(contentsOf: Candidates(rebasing: oldRun))
                rest.news.append(contentsOf: Candidates(rebasing: newRun))
            }
            lastTop = max(lastTop, oldRun.last?.top ?? -1, newRun.last?.top ?? -1)
            (oldStart, newStart) = (oldEnd, newEnd)
        }
        rest.olds.append(contentsOf: Candidates(rebasing: olds[oldStart..<part.olds.upperBound]))
        rest.news.append(contentsOf: Candidates(rebasing: news[newStart..<part.news.upperBound]))
        return rest
    }

    /// The maximum number of values of each document that are matched separately.
    private static let mostInContainer = 64

    /// Returns the end of the candidates from `start` on that have reached a container.
    private static func endOfRun(_ candidates: Candidates, _ start: Int, in container: Int) -> Int {
        var end = start
        while end < candidates.count, candidates[end].container == container { end += 1 }
        return end
    }

    private func isScalar(_ candidate: Candidate, in side: DifferenceBuilder.Side) -> Bool {
        !side.tape[candidate.index].kind.isContainer
    }

    /// Matches the values in a container, and passes on those that may continue.
    private mutating func match(
        _ olds: Slice<Candidates>, _ news: Slice<Candidates>, within container: Int, _ rest: inout FoundCandidates
    ) {
        for place in olds.startIndex..<olds.endIndex {
            let hash = olds[place].hash
            // This hash was handled with an earlier value.
            if Self.count(hash, in: olds[..<place]) > 0 { continue }
            let oldCount = Self.count(hash, in: olds[place...])
            let newCount = Self.count(hash, in: news)
            if newCount == 0 {
                for old in olds[place...] where old.hash == hash { rest.olds.append(old) }
            } else if oldCount == 1, newCount == 1, let new = news.first(where: { $0.hash == hash }) {
                matchAndHandOn(olds[place], new, in: container, &rest)
            } else {
                var (oldRest, newRest): ([Candidate], [Candidate]) = ([], [])
                matchAndHandOn(
                    olds[place...].filter { $0.hash == hash }, news.filter { $0.hash == hash }, in: container,
                    isDistinctive: old.tape.isDistinctive(olds[place].index), levels: 1, &oldRest, &newRest)
                for old in oldRest { rest.olds.append(old) }
                for new in newRest { rest.news.append(new) }
            }
        }
        for new in news where Self.count(new.hash, in: olds) == 0 {
            rest.news.append(new)
        }
    }

    /// Returns the number of candidates with a hash.
    private static func count(_ hash: UInt64, in candidates: Slice<Candidates>) -> Int {
        var count = 0
        for candidate in candidates where candidate.hash == hash { count += 1 }
        return count
    }
}
