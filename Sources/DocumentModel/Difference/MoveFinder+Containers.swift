extension MoveFinder {
    /// Matches values within the containers in which nothing larger can move, and takes what is settled from the
    /// candidates, which are in the order of their entries.
    ///
    /// In such a container no value is part of one that moves, so the result is that of looking at the largest values
    /// first, but for the level from which on the search goes straight to the root. Most containers that a migration
    /// changes are such; what is compared lies side by side in them, and is never sorted with all the rest.
    mutating func matchWithinContainers(_ olds: inout [Candidate], _ news: inout [Candidate]) {
        var (oldRest, newRest): ([Candidate], [Candidate]) = ([], [])
        oldRest.reserveCapacity(olds.count)
        newRest.reserveCapacity(news.count)
        var (oldStart, newStart) = (0, 0)
        var lastTop = -1
        while oldStart < olds.count, newStart < news.count {
            let isOldFirst = olds[oldStart].top < news[newStart].top
            let container = isOldFirst ? olds[oldStart].container : news[newStart].container
            let end = Int(entries[container].end)
            let oldEnd = Self.endOfRun(olds, oldStart, in: container)
            let newEnd = Self.endOfRun(news, newStart, in: container)
            // What comes before or behind these and is in it as well is in a container in it.
            let isInnermost =
                lastTop < container && (oldEnd == olds.count || olds[oldEnd].top >= end)
                && (newEnd == news.count || news[newEnd].top >= end)
            let (oldRun, newRun) = (olds[oldStart..<oldEnd], news[newStart..<newEnd])
            if isInnermost, oldRun.count <= Self.mostInContainer, newRun.count <= Self.mostInContainer,
                oldRun.allSatisfy({ isScalar($0, in: old) }), newRun.allSatisfy({ isScalar($0, in: new) })
            {
                match(oldRun, newRun, within: container, &oldRest, &newRest)
            } else {
                oldRest += oldRun
                newRest += newRun
            }
            lastTop = max(lastTop, oldRun.last?.top ?? -1, newRun.last?.top ?? -1)
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
}
