import DocumentModel

/// Further runs after it is known which candidates pass: how far they pass, and how they depend on each other.
extension CulpritSearch {
    /// The ways to combine the values of two candidates.
    enum Pairing: CaseIterable {
        case exchanged
        /// The first gets the value of the second.
        case first
        case second
    }

    /// Tries other values of the candidates that remain.
    mutating func probe() throws {
        var equated: Set<Int> = []
        while !budget.isSpent {
            let best = best
            if best.count == 1, let edit = rangeProbe(best[0]) {
                try make(edit, of: best[0])
            } else if let first = best.first, equated.insert(first).inserted {
                for (index, edit) in equalProbes(besides: first) where !budget.isSpent {
                    try make(edit, of: index)
                    guard self.best.first == first else {
                        equated.remove(first)
                        break
                    }
                }
            } else if let index = best.first(where: { !switchProbe($0).isEmpty }) {
                let edits = switchProbe(index)
                if effect(try trial(edits), of: edits[0]) == .passes {
                    switchRuns[index, default: 0] += 1
                    if switchProbe(index).isEmpty { candidates[index].isSwitch = true }
                } else {
                    switchRuns[index] = Self.mostSwitchRuns
                }
            } else {
                break
            }
        }
        try findLengths()
        try findLaterChecks()
        for pairing in Pairing.allCases where !budget.isSpent {
            let edits = pair(pairing)
            guard let first = edits.first else { return }
            if effect(try trial(edits), of: first) == .passes { agreements.insert(pairing) }
        }
    }

    /// Checks whether the only culprit is a number that must be that of the elements of a list. If so, it passes with
    /// another number if the list gets another length too.
    private mutating func findLengths() throws {
        let best = best
        guard best.count == 1, candidates[best[0]].passes, node(best[0])?.kind == .number else { return }
        let number = candidates[best[0]]
        for index in candidates.indices where candidates[index].isArray && !candidates[index].isOfLength {
            let elements = candidates[index].elements
            guard candidates[index].path.parent == number.path.parent, let last = elements.last,
                number.triedNumbers[elements.count] == true, !budget.isSpent,
                let next = TrialValues.document("\(elements.count + 1)")
            else { continue }
            let edit = DocumentEdit.set(number.path, next)
            let longer = DocumentEdit.set(candidates[index].path, Document(array: elements + [last]))
            let alone = effect(try trial([edit]), of: edit)
            if alone == .passes { continue }
            candidates[index].decidesNumber = effect(try trial([edit, longer]), of: edit) == .passes
        }
    }

    /// Checks whether values of other candidates that fail with another message get past the failure and fail at a
    /// later check. If so, the document still fails as before when such a value is combined with another failing value
    /// of the culprit. At an earlier check, it would fail regardless of the culprit.
    private mutating func findLaterChecks() throws {
        let best = best
        guard best.count == 1, candidates[best[0]].passes, !candidates[best[0]].isVersion else { return }
        let culprit = candidates[best[0]]
        for index in candidates.indices where index != best[0] {
            let candidate = candidates[index]
            if candidate.isArray || candidate.isVersion || candidate.passes { continue }
            if mayBeOfDictionary(candidate.path, culprit.path) { continue }
            for number in candidate.trials.indices.filter({ candidate.trials[$0].isElsewhere }).prefix(Self.fewChanges)
            where candidates[index].laterCheck == nil {
                for other in culprit.failingChanges.prefix(Self.fewChanges) where !budget.isSpent {
                    let change = candidate.trials[number].change
                    if change.path.hasPrefix(other.path) || other.path.hasPrefix(change.path) { continue }
                    let outcome = try trial([change, other])
                    guard effect(outcome, of: other).isSameFailure,
                        outcome.failure(ofPart: part)?.message != candidate.trials[number].failure?.message
                    else { continue }
                    candidates[index].noteLaterCheck(of: number, besides: other)
                    break
                }
            }
        }
    }

    /// Returns whether two values are in members of what may be a dictionary, whose members can fail in a different
    /// order in each run.
    private func mayBeOfDictionary(_ first: DocumentPath, _ second: DocumentPath) -> Bool {
        let common = zip(first.components, second.components).prefix { $0 == $1 }.map(\.0)
        let parent = DocumentPath(common)
        guard let node = searched.document.root.descendant(at: parent), node.looksLikeDictionary(of: 2),
            case .key(let name)? = first.components.dropFirst(common.count).first
        else { return false }
        return !outlines.contains { $0.names(inside: parent).contains(name) }
    }

    /// The number of changes of each of two candidates to combine. Each pair is a run, and there may be many
    /// candidates.
    private static let fewChanges = 2

    /// Returns a number to try in place of the only culprit, or nil if the ends of the passing range are known.
    private func rangeProbe(_ index: Int) -> DocumentEdit? {
        let candidate = candidates[index]
        if candidate.isVersion { return nil }
        guard let original = node(index)?.wholeNumber, candidate.passes,
            let number = NumberRange(original: original, tried: candidate.triedNumbers).next
        else { return nil }
        return TrialValues.document("\(number)").map { .set(candidate.path, $0) }
    }

    /// Returns the value of the only culprit as a change of each other candidate, because they may have to be equal.
    /// Candidates that have a value with which the culprit passes come first. Changes that were tried or are impossible
    /// are left out.
    private func equalProbes(besides culprit: Int) -> [(candidate: Int, edit: DocumentEdit)] {
        guard candidates[culprit].passes, let original = node(culprit), !original.kind.isContainer else { return [] }
        let passing = candidates[culprit].values(passing: true)
        let probes = candidates.indices.compactMap { index -> (candidate: Int, edit: DocumentEdit, isFirst: Bool)? in
            let candidate = candidates[index]
            guard index != culprit, !candidate.isVersion, let own = node(index), own.kind == original.kind,
                !own.isEqual(to: original)
            else { return nil }
            let edit = DocumentEdit.set(candidate.path, Document(copying: original))
            if candidate.trials.contains(where: { $0.change == edit }) { return nil }
            return (index, edit, passing.contains { $0.root.isEqual(to: own) })
        }
        return (probes.filter(\.isFirst) + probes.filter { !$0.isFirst }).map { ($0.candidate, $0.edit) }
    }

    /// The number of values of another candidate that are tried to see whether it is checked.
    private static let mostSwitchRuns = 4

    /// Returns changes that show whether a Boolean or a name decides if another candidate is checked. Empty if that is
    /// known, or there is no other candidate. Numbers, dates, and other strings may have to be in order, which looks
    /// the same.
    private func switchProbe(_ index: Int) -> [DocumentEdit] {
        let runs = switchRuns[index] ?? 0
        let own = node(index)
        // A value that the message always contains is itself checked.
        guard runs < Self.mostSwitchRuns, !candidates[index].isNamed, !candidates[index].isSaid,
            let change = passingChange(index), let value = change.value?.root, value.isSwitch,
            own?.isSwitch ?? (value.kind == .boolean && !failure.isOfShape),
            // Converting a string to the Boolean that it spells is a repair.
            own == nil || own?.kind == value.kind || !isRepair(change), let second = best.first(where: { $0 != index })
        else { return [] }
        let other = candidates[second]
        let original = node(second).flatMap { $0.isNull ? nil : $0 }
        // Use failing values of the expected kind, which fail like the original. Others may fail for another reason.
        let kind = original?.kind ?? other.values(passing: true).first?.root.kind
        let failing = other.failingChanges.filter { $0.value?.root.kind == kind }
        if runs < failing.count { return [change, failing[runs]] }
        // A missing or null value is not one that others may have to agree with.
        return runs == 0 && original == nil ? [change] : []
    }

    /// Returns changes that give two culprits the same or swapped values, or none unless there are two of the same
    /// kind.
    private func pair(_ pairing: Pairing) -> [DocumentEdit] {
        let best = best
        guard best.count == 2, best.allSatisfy({ candidates[$0].passes }) else { return [] }
        guard let one = node(best[0]), let other = node(best[1]), one.kind == other.kind, !one.kind.isContainer,
            !one.isEqual(to: other)
        else { return [] }
        let edits: [DocumentEdit] = [
            .set(candidates[best[0]].path, Document(copying: other)),
            .set(candidates[best[1]].path, Document(copying: one)),
        ]
        return switch pairing {
        case .exchanged: edits
        case .first: [edits[0]]
        case .second: [edits[1]]
        }
    }

    /// Duplicates an element that the failure depends on, to see whether elements fail independently. If so, the copies
    /// pass with a passing value, and fail with failing values.
    mutating func doubleElement(_ index: Int) throws {
        guard !budget.isSpent, let once = doubled(index, fails: false) else { return }
        guard try passesDoubled(once) else { return }
        if let twice = doubled(index, fails: true) {
            isUnmoved = try passesDoubled(twice)
        } else {
            // If only one value passes, two copies of it may fail or pass together.
            isUnmoved = candidates[index].values(passing: true).count < 2
        }
    }

    private mutating func passesDoubled(_ edit: DocumentEdit) throws -> Bool {
        // An error of another kind is another failure.
        [.passes, .differs].contains(effectInWhole(try outcome([edit]), of: edit))
    }

    /// Returns a change of the array, cut as it is, in which the culprit's element occurs twice: either with a passing
    /// value, the largest number of them, or with two values that fail separately and add up to that number. Elements
    /// that fail independently pass with the former and fail with the latter.
    private func doubled(_ index: Int, fails: Bool) -> DocumentEdit? {
        let candidate = candidates[index]
        let path = original(of: candidate.path)
        guard let element = located.last(where: { path.hasPrefix($0) }), let list = element.parent,
            let array = whole.document.root.descendant(at: list), array.kind == .array,
            let last = element.components.last, case .index(let position) = last, position == array.count - 1
        else { return nil }
        let numbers = candidate.triedNumbers
        let largest = numbers.filter(\.value).keys.max { $0.magnitude < $1.magnitude }
        var values: [Document] = []
        if fails {
            let failing = Set(numbers.filter { !$0.value }.keys)
            let pair = largest.flatMap { sum in
                failing.sorted().first { failing.contains(sum &- $0) }.map { [$0, sum &- $0] }
            }
            values = (pair ?? []).compactMap { TrialValues.document("\($0)") }
        } else {
            let value = largest.flatMap { TrialValues.document("\($0)") } ?? candidate.values(passing: true).first
            values = value.map { [$0, $0] } ?? []
        }
        let rest = DocumentPath(Array(path.components.dropFirst(element.components.count)))
        let doubled = values.compactMap { value -> Document? in
            let whole = Document(copying: Array(array.elements)[position])
            return rest.isRoot ? value : try? whole.applying([.set(rest, value)])
        }
        guard doubled.count == 2 else { return nil }
        return .set(list, Document(array: Array(array.elements.prefix(position)) + doubled.map(\.root)))
    }
}
