extension MoveFinder {
    /// After this number of levels, the search continues at the root.
    private static let levelLimit = 16
    /// Up to this number of pairs, all names are compared pairwise.
    private static let namePairLimit = 256

    /// Matches equal values with each other, from the innermost containers outwards.
    func match(_ olds: [Candidate], _ news: [Candidate]) {
        var (olds, news) = (olds, news)
        guard let first = olds.first else { return }
        let isDistinctive = old.tape.isDistinctive(first.index)
        var levels = 0
        while !olds.isEmpty, !news.isEmpty {
            let container = olds[0].container
            let isThere = { (candidate: Candidate) in candidate.container == container }
            if olds.allSatisfy(isThere), news.allSatisfy(isThere) {
                let inside = (olds, news)
                olds.removeAll()
                news.removeAll()
                levels += 1
                matchAndHandOn(
                    inside.0, inside.1, in: container, isDistinctive: isDistinctive, levels: levels, &olds, &news)
                continue
            }
            let innermost = (olds + news).reduce(0) { max($0, depths[$1.container]) }
            var containers: [Int: (old: [Candidate], new: [Candidate])] = [:]
            for candidate in olds where depths[candidate.container] == innermost {
                containers[candidate.container, default: ([], [])].old.append(candidate)
            }
            for candidate in news where depths[candidate.container] == innermost {
                containers[candidate.container, default: ([], [])].new.append(candidate)
            }
            olds.removeAll { depths[$0.container] == innermost }
            news.removeAll { depths[$0.container] == innermost }
            levels += 1
            for container in containers.keys.sorted() {
                guard let inside = containers[container] else { continue }
                matchAndHandOn(
                    inside.old, inside.new, in: container, isDistinctive: isDistinctive, levels: levels, &olds, &news)
            }
        }
    }

    /// Matches equal values in a container, and moves the others outwards if they may leave it.
    func matchAndHandOn(
        _ olds: [Candidate], _ news: [Candidate], in container: Int, isDistinctive: Bool, levels: Int,
        _ oldRest: inout [Candidate], _ newRest: inout [Candidate]
    ) {
        match(olds, news, in: container, isDistinctive: isDistinctive)
        let olds = olds.filter { !takenOld.contains($0.index) }
        let news = news.filter { !takenNew.contains($0.index) }
        // A value inside an element of an array never moves into another element.
        let mayLeave = !isArray(container) || isDistinctive && (olds.isEmpty || news.isEmpty)
        guard depths[container] > 0, mayLeave else { return }
        let outer = levels < Self.levelLimit ? Int(entries[container].parent) : 0
        oldRest += olds.map { Candidate(index: $0.index, top: $0.top, container: outer) }
        newRest += news.map { Candidate(index: $0.index, top: $0.top, container: outer) }
    }

    private func match(
        _ olds: [Candidate], _ news: [Candidate], in container: Int, isDistinctive: Bool
    ) {
        if olds.isEmpty || news.isEmpty { return }
        if isArray(container) {
            let (olds, news) = (olds.filter { isChild($0, of: container) }, news.filter { isChild($0, of: container) })
            for (from, to) in zip(olds, news) { move(from, to) }
        } else if olds.count == 1 && news.count == 1 || !haveOneName(olds, in: old) || !haveOneName(news, in: new) {
            matchSameNames(olds, news)
            matchResemblingNames(olds, news)
        }
        let (oldRest, newRest) = (
            olds.filter { !takenOld.contains($0.index) }, news.filter { !takenNew.contains($0.index) }
        )
        if oldRest.count == 1, newRest.count == 1 {
            matchRest(oldRest[0], newRest[0], in: container, isDistinctive: isDistinctive)
        }
    }

    /// Returns whether all candidates have the same name, or none has any. If that is true on both sides, and one side
    /// has several, names don't show which became which.
    private func haveOneName(_ candidates: [Candidate], in side: ComparedSide) -> Bool {
        func name(_ candidate: Candidate) -> UInt64? { nameIndex(candidate.index, in: side).map { side.hashes[$0] } }
        guard let first = candidates.first.map(name) else { return true }
        return candidates.dropFirst().allSatisfy { name($0) == first }
    }

    /// Matches two equal values regardless of their names, if no others are left in a container.
    private func matchRest(_ from: Candidate, _ to: Candidate, in container: Int, isDistinctive: Bool) {
        if isArray(container) {
            if isDistinctive, isChild(from, of: container) || isChild(to, of: container) { move(from, to) }
        } else if isDistinctive
            || isChild(from, of: container) && isChild(to, of: container) && isOnlyExchange(in: container)
        {
            move(from, to)
        }
    }

    /// Returns whether the candidate is a direct child of the container.
    private func isChild(_ candidate: Candidate, of container: Int) -> Bool {
        let entry = entries[candidate.top]
        return Int(entry.parent) == container && candidate.index == value(of: entry)
    }

    /// Returns whether exactly one child of the container was removed and one was added.
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

    @inline(__always)
    func isArray(_ container: Int) -> Bool { new.tape[Int(entries[container].new)].kind == .array }

    private func matchSameNames(_ olds: [Candidate], _ news: [Candidate]) {
        let oldNames = names(of: olds, in: old)
        let newNames = names(of: news, in: new)
        for (position, candidate) in olds.enumerated() {
            guard let name = nameIndex(candidate.index, in: old), oldNames[old.hashes[name]] == position,
                let other = newNames[old.hashes[name]]
            else { continue }
            move(candidate, news[other])
        }
    }

    /// Returns the positions of the candidates that are members by the hashes of their names.
    private func names(of candidates: [Candidate], in side: ComparedSide) -> UniquePositions {
        var names = UniquePositions()
        for (position, candidate) in candidates.enumerated() {
            if let name = nameIndex(candidate.index, in: side) { names.note(side.hashes[name], at: position) }
        }
        return names
    }

    private func matchResemblingNames(_ olds: [Candidate], _ news: [Candidate]) {
        let (olds, news) = (olds.filter { !takenOld.contains($0.index) }, news.filter { !takenNew.contains($0.index) })
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
        scores.sort { ($0.score, $1.old, $1.new) > ($1.score, $0.old, $0.new) }
        var rest = scores[...]
        while let best = rest.first?.score {
            let alike = rest.prefix { $0.score == best }
                .filter { !takenOld.contains(olds[$0.old].index) && !takenNew.contains(news[$0.new].index) }
            let (oldCounts, newCounts) = (alike.countedValues(\.old), alike.countedValues(\.new))
            // If several are equally similar, the choice would be arbitrary.
            for pair in alike where oldCounts[pair.old] == 1 && newCounts[pair.new] == 1 {
                move(olds[pair.old], news[pair.new])
            }
            rest = rest.drop { $0.score == best }
        }
    }

    /// Returns the tape index of the name of a member's value, or nil for an element.
    private func nameIndex(_ index: Int, in side: ComparedSide) -> Int? {
        index > 0 && side.tape[index - 1].kind == .key ? index - 1 : nil
    }

    /// Returns the similarity of two names, given by their tape indices. Results are cached, because the same few names
    /// recur.
    private func resemblance(of name: Int, to other: Int) -> Double {
        let pair = NamePair(old: old.hashes[name], new: new.hashes[other])
        if let known = resemblances[pair] { return known }
        let (first, second) = (old.node(name).string ?? "", new.node(other).string ?? "")
        let score = FieldName(first).resemblance(to: FieldName(second))
        resemblances[pair] = score
        return score
    }

    /// Two names, by their hashes.
    struct NamePair: Hashable {
        let old: UInt64
        let new: UInt64
    }

    /// Records a move of two candidates, if neither is part of a move and their values are really equal.
    private func move(_ from: Candidate, _ to: Candidate) {
        let (oldRange, newRange) = (
            from.index..<old.tape.next(after: from.index), to.index..<new.tape.next(after: to.index)
        )
        // Equal values have the same number of nodes unless names are repeated.
        guard !takenOld.contains(from.index), !takenNew.contains(to.index), oldRange.count == newRange.count,
            !old.hasDuplicates(in: oldRange), !new.hasDuplicates(in: newRange),
            comparison.areEqual(from.index, to.index)
        else { return }
        takenOld.insert(oldRange)
        takenNew.insert(newRange)
        moves.append(Move(old: from.index, new: to.index, oldTop: from.top, newTop: to.top))
    }
}

extension Sequence {
    /// Returns the number of occurrences of each value.
    fileprivate func countedValues<Value: Hashable>(_ value: (Element) -> Value) -> [Value: Int] {
        reduce(into: [:]) { $0[value($1), default: 0] += 1 }
    }
}
