import DocumentModel

/// The search for the one change of a document that lets its migration pass the point where it failed.
///
/// The search runs nothing. ``next`` is the experiment to make, and ``take(_:)`` is told what came of it, so that a
/// change that ends its process is a result like any other:
///
///     while let experiment = search.next { search.take(run(experiment.edits)) }
///     print(search.culprit)
///
/// The document runs unchanged twice, to see whether it fails in the same way each time; then the elements of long
/// arrays are found that matter; then values are changed, the likeliest first; then, of a number, the ends of the range
/// that passes are found; and what passes is run once more, behind the unchanged document, in a process of its own.
///
/// The values are changed in a sample of the document if the sample fails in the same way. The first runs and the last
/// use the whole document.
///
/// The idea of finding a cause by running a program again with its input changed is that of Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input" (2002).
package struct CulpritSearch: Sendable {
    private enum Stage {
        case repeating(Int)
        case locating
        /// The document runs without an element that was found, to see whether others fail as it does.
        case isolating(Int)
        /// The document runs without what is behind such elements.
        case cutting
        /// The sample runs unchanged, to see whether it fails in the same way.
        case sampling(SampledDocument)
        /// The change of that number in the plan is tried.
        case trying(Int)
        /// The document runs without the value of a candidate, where no other value helped.
        case removing(Int)
        /// Numbers in place of the likeliest culprit.
        case ranging(Int)
        /// Of several candidates of which each would do, one is changed so, and another one to a value with which it fails.
        case switching(Int)
        /// A candidate that has a value with which the culprit passes takes the culprit's: they may have to be equal.
        case equating(Int)
        /// Two candidates of which either would do take each other's values.
        case pairing(Pairing)
        /// The change of a candidate runs once more, behind the unchanged document.
        case confirming(Int, isUnchanged: Bool)
        /// A change of the culprit that was tried in the sample is made in the whole document.
        case verifying(Int, change: Int)
        /// A change with which the document without other elements passes is made in the whole one.
        case comparing(Int, change: Int)
        /// An element that was found stands there twice, with values of the culprit, to see whether elements fail together.
        case doubling(Int, fails: Bool)
        case ended
    }

    /// What two values are tried as.
    private enum Pairing: CaseIterable {
        case exchanged
        /// The first takes the value of the second.
        case first
        case second
    }

    /// The document, a string that holds JSON unfolded into what it holds.
    private let document: Document
    /// Where that string is.
    private let unfolded: DocumentPath?
    private let failure: MigrationFailure
    /// The part that failed, where parts fail by themselves.
    private let part: DocumentPath?
    /// How the unchanged document failed in an experiment. The trace may say more than a run does: a place in the code,
    /// or another time limit.
    private var unchangedFailure: MigrationFailure
    /// What takes away the elements behind those that were found, where some of them fail in the same way.
    private var cuts: [DocumentEdit] = []
    /// The document without them, and how it fails.
    private var cut: (document: Document, failure: MigrationFailure)?
    /// The sample of the document in which values are changed; nil where it is all of it.
    private var sampled: SampledDocument?
    /// How that fails.
    private var sampledFailure: MigrationFailure?
    private let lenders: [Document]
    private let trace: MigrationTrace
    private var sources: CulpritCandidates
    private var elements: ElementSearch
    private var candidates: [CulpritCandidate]
    /// What is tried, in this order.
    private var plan: [(candidate: Int, change: Int)] = []
    private var budget: ExperimentBudget
    private var stage = Stage.repeating(0)
    /// What came of the whole document with the changes of the candidates that were confirmed.
    private var confirmed: [Int: CulpritProof.Ending?] = [:]
    private let repairs: Repairs
    private let outlines: [VersionOutline]
    /// What the two likeliest culprits agreed in when the migration passed.
    private var agreements: Set<Pairing> = []
    /// With how many values of another candidate the migration passed, for those that may decide whether it is looked at.
    private var switchRuns: [Int: Int] = [:]
    /// What the elements that were taken away fail with, for the values with which the others pass.
    private var wordsOfOthers: Set<String> = []
    /// Whether the document fails in the same words at the same place with one of those values, so that its elements may fail
    /// together, as those of a sum do.
    private var isUnmoved = false
    /// Whether the words of the failure are others in every run, so that they follow no value.
    private var wordsVary = false
    /// Whether the document failed in the same way each time; if not, nothing can be found out.
    package private(set) var isRepeatable = true

    /// A search for what is behind the failure of a trace; nil where there is no failure, or none of which experiments
    /// could say anything.
    ///
    /// - Parameters:
    ///   - failure: Which of its ``MigrationTrace/failures``; nil for the first.
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - outlines: The fields of the versions that the document may have, as far as they are known.
    ///   - triesVersions: Whether another version than the one that was read may mend the document.
    package init?(
        _ trace: MigrationTrace, of failure: MigrationFailure? = nil, lenders: [Document] = [],
        outlines: [VersionOutline] = [], triesVersions: Bool = true, budget: ExperimentBudget = ExperimentBudget()
    ) {
        guard let whole = trace.document, let failure = failure ?? trace.failure, budget.allows(whole) else {
            return nil
        }
        let part = trace.failingPart(of: failure)
        let document = part.flatMap(whole.unfolding) ?? whole
        unfolded = document.identity == whole.identity ? nil : part
        let lenders = unfolded.map { path in lenders.map { $0.unfolding(path) ?? $0 } } ?? lenders
        let outlines = failure.isOfShape ? outlines.knowingMost(of: document.root) : outlines
        sources = CulpritCandidates(trace, document, failure, lenders: lenders, outlines: outlines)
        sources.triesVersions = triesVersions
        candidates = sources.all
        guard !candidates.isEmpty else { return nil }
        elements = ElementSearch(sources.arrays(inside: .root))
        self.document = document
        self.lenders = lenders
        self.failure = failure
        self.part = part
        self.outlines = outlines
        repairs = Repairs(of: document, failure, outlines: outlines)
        unchangedFailure = failure
        self.trace = trace
        self.budget = budget
    }

    /// The experiment to make next; nil when the search has come to its end.
    package var next: Experiment? {
        switch stage {
        case .repeating: Experiment(edits: [])
        case .locating:
            elements.next(in: document).flatMap { path, count in
                document.root.descendant(at: path).map { array in
                    Experiment(edits: [inFile(.set(path, array.beginning(of: count)))])
                }
            }
        case .isolating(let number): Experiment(edits: [inFile(.remove(elements.located[number]))])
        case .cutting: Experiment(edits: cuts.map(inFile))
        case .sampling: Experiment(edits: [], isOfSample: true)
        case .trying(let number): experiment([candidates[plan[number].candidate].changes[plan[number].change]])
        case .removing(let index): experiment([.remove(candidates[index].path)])
        case .ranging(let index): rangeProbe(index).map { experiment([$0]) }
        case .switching(let index): experiment(switchProbe(index))
        case .equating(let index):
            experiment([best.first.flatMap { equalProbe(index, besides: $0) }].compactMap(\.self))
        case .pairing(let pairing): experiment(pair(pairing))
        case .confirming(_, isUnchanged: true): Experiment(edits: [], isConfirmation: true)
        case .confirming(let index, isUnchanged: false):
            passingChange(index).map { Experiment(edits: cuts.map(inFile) + [inWhole($0)], isConfirmation: true) }
        case .verifying(let index, let change):
            Experiment(edits: cuts.map(inFile) + [inWhole(candidates[index].changes[change])])
        case .comparing(let index, let change): Experiment(edits: [inWhole(candidates[index].changes[change])])
        case .doubling(let index, let fails): doubled(index, fails: fails).map { Experiment(edits: [inFile($0)]) }
        case .ended: nil
        }
    }

    /// A run of the sample or, without one, of the document, with changes.
    private func experiment(_ changes: [DocumentEdit]) -> Experiment {
        Experiment(edits: ((sampled == nil ? cuts : []) + changes).map(inFile), isOfSample: sampled != nil)
    }

    /// Notes what came of the experiment.
    package mutating func take(_ outcome: ExperimentOutcome) {
        let result = outcome.failure(ofPart: part)
        budget.spend((next?.isOfSample == true ? sample : nil)?.byteCount ?? document.byteCount, on: result)
        switch stage {
        case .repeating(let number):
            isRepeatable = isSame(result)
            if let result, number == 0 { unchangedFailure = result }
            wordsVary = result?.hasSameWords(as: unchangedFailure) != true
            stage = !isRepeatable ? .ended : number == 0 ? .repeating(1) : locatingOrSampling
        case .locating:
            let fails = isStillFailing(result)
            elements.take(fails, in: document) { [sources] in sources.arrays(inside: $0) }
            stage = locatingOrSampling
        case .isolating(let number):
            let element = elements.located[number]
            if isStillFailing(result), let path = element.parent, let array = document.root.descendant(at: path),
                let position = array.children.enumerated().first(where: {
                    path.appending($0.element.component) == element
                })
            {
                cuts.append(.set(path, array.beginning(of: position.offset + 1)))
            }
            stage = isolating(from: number + 1)
        case .cutting:
            if let result, isStillFailing(result), let document = try? document.applying(cuts) {
                cut = (document, result)
            } else {
                cuts = []
            }
            stage = sampling
        case .sampling(let sample):
            if let result, isStillFailing(result) {
                (sampled, sampledFailure) = (sample, result)
            } else if sample.cutsDictionaries,
                let whole = SampledDocument(cut?.document ?? document, keeping: kept, cutsDictionaries: false)
            {
                stage = .sampling(whole)
                return
            }
            makePlan()
            stage = trying(from: 0)
        case .trying(let number):
            let (index, change) = plan[number]
            let edit = candidates[index].changes[change]
            candidates[index].note(
                effect(outcome, of: edit), of: change, result ?? outcome.failure, drops: drops(outcome, with: edit),
                dropped: outcome.dropped?.count)
            stage = trying(from: number + 1)
        case .removing(let index):
            let removal = DocumentEdit.remove(candidates[index].path)
            candidates[index].note(effect(outcome, of: removal), ofNew: removal, result ?? outcome.failure)
            stage = removing(from: index + 1)
        case .ranging(let index):
            if let probe = rangeProbe(index) {
                candidates[index].note(effect(outcome, of: probe), ofNew: probe, result ?? outcome.failure)
            }
            stage = ranging
        case .switching(let index):
            if let edit = switchProbe(index).first, effect(outcome, of: edit) == .passes {
                switchRuns[index, default: 0] += 1
                if switchProbe(index).isEmpty { candidates[index].isSwitch = true }
            } else {
                switchRuns[index] = Self.mostSwitchRuns
            }
            stage = ranging
        case .equating(let index):
            if let culprit = best.first, let edit = equalProbe(index, besides: culprit) {
                candidates[index].note(effect(outcome, of: edit), ofNew: edit, result ?? outcome.failure)
            }
            stage = ranging
        case .pairing(let pairing):
            if let edit = pair(pairing).first, effect(outcome, of: edit) == .passes { agreements.insert(pairing) }
            let next = Pairing.allCases.drop { $0 != pairing }.dropFirst().first
            stage = next.flatMap { budget.isSpent ? nil : .pairing($0) } ?? confirming
        case .confirming(let index, isUnchanged: true):
            isRepeatable = isSame(result)
            stage = isRepeatable ? .confirming(index, isUnchanged: false) : .ended
        case .confirming(let index, isUnchanged: false):
            let change = passingChange(index).map(inWhole)
            let (document, failure) = cut ?? (document, unchangedFailure)
            if let change, let tried = passingChange(index),
                effect(outcome, of: change, besides: failure, in: document) == .passes
            {
                let ending = (result ?? outcome.failure).map { CulpritProof.Ending.fails($0.culprit?.path ?? $0.path) }
                // What comes of the whole document is not seen where elements are taken away.
                confirmed[index] = .some(cut == nil ? ending ?? .opens : nil)
                // Another change may drop nothing.
                if drops(outcome, with: change), candidates[index].noteLoss(with: tried) { confirmed[index] = nil }
            } else {
                // What passes once and not again says nothing.
                isRepeatable = false
            }
            stage = isRepeatable ? confirming : .ended
        case .verifying(let index, let number):
            let change = inWhole(candidates[index].changes[number])
            let (document, failure) = cut ?? (document, unchangedFailure)
            candidates[index].verify(number, effect(outcome, of: change, besides: failure, in: document))
            stage = verifying(index, from: number + 1)
        case .comparing(let index, let number):
            if let result {
                wordsOfOthers.insert(result.message)
                isUnmoved =
                    isUnmoved || result.path == unchangedFailure.path && result.hasSameWords(as: unchangedFailure)
            }
            stage = comparing(index, from: number + 1)
        case .doubling(let index, let fails):
            guard let edit = doubled(index, fails: fails) else { break }
            let (document, failure) = cut ?? (document, unchangedFailure)
            // An error of another kind is another one.
            let passes = [.passes, .differs].contains(effect(outcome, of: edit, besides: failure, in: document))
            if fails || !passes {
                isUnmoved = passes == fails
                stage = .ended
            } else if doubled(index, fails: true) != nil {
                stage = .doubling(index, fails: true)
            } else {
                // Where only one value passes, two of it may fail or pass together.
                isUnmoved = candidates[index].values([.passes]).count < 2
                stage = .ended
            }
        case .ended: break
        }
    }

    // MARK: - What comes next

    /// The sample of the document that experiments are made with; nil where they are made with all of it.
    package var sample: Document? {
        if case .sampling(let sample) = stage { return sample.document }
        return sampled?.document
    }

    /// The document in which values are changed.
    private var searched: Document { sampled?.document ?? cut?.document ?? document }

    private func inWhole(_ edit: DocumentEdit) -> DocumentEdit {
        inFile(sampled.map { edit.moved(to: $0.original(of: edit.path)) } ?? edit)
    }

    /// The change as one of the document as it is: what was unfolded is a string again.
    private func inFile(_ edit: DocumentEdit) -> DocumentEdit {
        guard let unfolded, case .set(unfolded, let value) = edit, value.root.kind.isContainer else { return edit }
        return .set(unfolded, Document(text: JSONWriter(layout: .compact).string(value.root)))
    }

    private var locatingOrSampling: Stage {
        mutating get {
            if !budget.isSpent, elements.next(in: document) != nil { return .locating }
            return isolating(from: 0)
        }
    }

    /// The next element that was found and has others behind it.
    private mutating func isolating(from number: Int) -> Stage {
        let next = elements.located.indices.dropFirst(number).first { number in
            let element = elements.located[number]
            let last = element.parent.flatMap(document.root.descendant)?.children.reversed().first
            return last.map { $0.component != element.components.last } ?? false
        }
        if let next, !budget.isSpent { return .isolating(next) }
        return cuts.isEmpty || budget.isSpent ? sampling : .cutting
    }

    private var sampling: Stage {
        mutating get {
            if cut == nil { cuts = [] }
            let whole = cut?.document ?? document
            if unfolded == nil, whole.nodeCount > Self.fewNodes, let sample = SampledDocument(whole, keeping: kept) {
                return .sampling(sample)
            }
            makePlan()
            return trying(from: 0)
        }
    }

    /// A document of so many nodes runs as fast as a sample of it, and a sample may do what the document does not.
    private static let fewNodes = 2_000

    /// What is to be in a sample.
    private var kept: [DocumentPath] {
        elements.located + [failure.path, failure.culprit?.path].compactMap(\.self) + sources.quoted
    }

    /// All of a likely candidate, one after the other; of the rest one change each, then the next of each, so that a
    /// budget that is spent leaves out none of them.
    private mutating func makePlan() {
        if let failure = sampledFailure ?? cut?.failure {
            var trace = trace
            if sampled != nil { trace.document = searched }
            let triesVersions = sources.triesVersions
            sources = CulpritCandidates(trace, searched, failure, lenders: lenders, outlines: outlines)
            sources.triesVersions = triesVersions
        }
        sources.located = sampled.map { elements.located.compactMap($0.sampled) } ?? elements.located
        candidates = sources.all
        let (likely, rest) = (
            candidates.indices.filter { candidates[$0].isLikely },
            candidates.indices.filter { !candidates[$0].isLikely }
        )
        let most = rest.map { candidates[$0].changes.count }.max() ?? 0
        plan = likely.flatMap { index in candidates[index].changes.indices.map { (index, $0) } }
        plan += (0..<most).flatMap { change in
            rest.filter { change < candidates[$0].changes.count }.map { ($0, change) }
        }
    }

    /// Behind the last change that is worth trying, what is to be confirmed.
    private func trying(from number: Int) -> Stage {
        // Where a key only has another name than it should have, nothing needs to be added.
        let isRenamed = candidates.contains(where: \.isRenamed)
        let next = plan.indices.dropFirst(number).first { !isRenamed || candidates[plan[$0].candidate].isMisspelling }
        return next.flatMap { budget.isSpent ? nil : .trying($0) } ?? removing(from: 0)
    }

    /// Where nothing else was found, what can be left out. That proves little: what nobody looks at cannot be wrong; and
    /// nothing at all of what the error names itself, or of a part that migrates by itself.
    private func removing(from index: Int) -> Stage {
        guard failure.kind != .unsupportedVersion, !sources.isOfVersion,
            !best.contains(where: { !candidates[$0].isOnlyRemoved })
        else {
            return ranging
        }
        let next = candidates.indices.dropFirst(index).first { index in
            !candidates[index].isArray && !candidates[index].isNamed && !candidates[index].isVersion
                && candidates[index].path != part
                && searched.root.descendant(at: candidates[index].path) != nil
        }
        return next.flatMap { budget.isSpent ? nil : .removing($0) } ?? ranging
    }

    private var ranging: Stage {
        let best = best
        if !budget.isSpent, best.count == 1, rangeProbe(best[0]) != nil { return .ranging(best[0]) }
        if !budget.isSpent, best.count == 1,
            let next = candidates.indices.first(where: { equalProbe($0, besides: best[0]) != nil })
        {
            return .equating(next)
        }
        if !budget.isSpent, let next = best.first(where: { !switchProbe($0).isEmpty }) { return .switching(next) }
        if !budget.isSpent, !pair(.exchanged).isEmpty { return .pairing(.exchanged) }
        return confirming
    }

    /// The value of the one culprit for a candidate that has a value with which the culprit passes; nil where that was tried
    /// or cannot be.
    private func equalProbe(_ index: Int, besides culprit: Int) -> DocumentEdit? {
        guard culprit != index, candidates[culprit].passes,
            let original = searched.root.descendant(at: candidates[culprit].path), !original.kind.isContainer,
            let own = searched.root.descendant(at: candidates[index].path), !own.isEqual(to: original),
            candidates[culprit].values([.passes]).contains(where: { $0.root.isEqual(to: own) })
        else { return nil }
        let edit = DocumentEdit.set(candidates[index].path, Document(copying: original))
        return candidates[index].changes.contains(edit) ? nil : edit
    }

    /// With how many values of another candidate it is tried whether that is looked at.
    private static let mostSwitchRuns = 4

    /// Changes that show whether a Boolean or a name decides if another candidate is looked at; none where that is known, or
    /// there is no other. Numbers, dates and other texts may have to be in order, which looks the same.
    private func switchProbe(_ index: Int) -> [DocumentEdit] {
        let runs = switchRuns[index] ?? 0
        guard runs < Self.mostSwitchRuns, !candidates[index].isNamed, let change = passingChange(index),
            let value = change.value?.root, let own = searched.root.descendant(at: candidates[index].path),
            own.isSwitch, value.isSwitch, let other = (best.first { $0 != index }).map({ candidates[$0] })
        else { return [] }
        let original = searched.root.descendant(at: other.path)
        // Values of the kind that is wanted which fail as the one that is there does; others may fail for a reason of their
        // own.
        let kind = original?.kind ?? other.values([.passes]).first?.root.kind
        let failing = other.failingChanges.filter { $0.value?.root.kind == kind }
        if runs < failing.count { return [change, failing[runs]] }
        // What is missing is no value that others may have to agree with.
        return runs == 0 && original == nil ? [change] : []
    }

    /// What gives two culprits the values in which they may agree; none where there are not two of one kind.
    private func pair(_ pairing: Pairing) -> [DocumentEdit] {
        let best = best
        guard best.count == 2, best.allSatisfy({ candidates[$0].passes }) else { return [] }
        let (first, second) = (candidates[best[0]].path, candidates[best[1]].path)
        guard let one = searched.root.descendant(at: first), let other = searched.root.descendant(at: second),
            one.kind == other.kind, !one.kind.isContainer, !one.isEqual(to: other)
        else { return [] }
        let edits: [DocumentEdit] = [.set(first, Document(copying: other)), .set(second, Document(copying: one))]
        return switch pairing {
        case .exchanged: edits
        case .first: [edits[0]]
        case .second: [edits[1]]
        }
    }

    private var confirming: Stage {
        let unconfirmed = best.first { candidates[$0].passes && confirmed[$0] == nil }
        if let unconfirmed { return .confirming(unconfirmed, isUnchanged: true) }
        guard let first = best.first else { return .ended }
        return sampled != nil ? verifying(first, from: 0) : comparing(first, from: 0)
    }

    /// The next change of a candidate of which it is told what came of it, and that was made in the sample only.
    private func verifying(_ index: Int, from number: Int) -> Stage {
        let told = candidates[index].toldChanges.first { $0 >= number }
        return told.flatMap { budget.isSpent ? nil : .verifying(index, change: $0) } ?? comparing(index, from: 0)
    }

    /// The next change of a candidate with which the document passes where other elements are taken away. What the others
    /// fail with has to be the same for each: if not, they fail together, as those of a sum do.
    private func comparing(_ index: Int, from number: Int) -> Stage {
        guard cut != nil, !wordsVary else { return .ended }
        let passing = candidates[index].toldChanges.first { $0 >= number && candidates[index].effects[$0] == .passes }
        if let passing, !budget.isSpent { return .comparing(index, change: passing) }
        return isUnmoved && doubled(index, fails: false) != nil ? .doubling(index, fails: false) : .ended
    }

    /// The elements that were found, cut as they are, of which the one that the culprit is in stands there twice: with a
    /// value with which it passes, the largest number of them; or with two with which it fails alone, and which make that
    /// number together. Elements that fail by themselves pass with the former and fail with the latter.
    private func doubled(_ index: Int, fails: Bool) -> DocumentEdit? {
        let candidate = candidates[index]
        let path = sampled?.original(of: candidate.path) ?? candidate.path
        guard let element = elements.located.last(where: { path.hasPrefix($0) }), let list = element.parent,
            let array = cut?.document.root.descendant(at: list), array.kind == .array,
            let last = element.components.last,
            case .index(let position) = last, position == array.count - 1
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
            let value = largest.flatMap { TrialValues.document("\($0)") } ?? candidate.values([.passes]).first
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

    private func rangeProbe(_ index: Int) -> DocumentEdit? {
        let candidate = candidates[index]
        if candidate.isVersion { return nil }
        guard let original = searched.root.descendant(at: candidate.path)?.wholeNumber, candidate.passes,
            let number = NumberRange(original: original, tried: candidate.triedNumbers).next
        else { return nil }
        return TrialValues.document("\(number)").map { .set(candidate.path, $0) }
    }

    private func passingChange(_ index: Int) -> DocumentEdit? {
        candidates[index].passingChange(
            besides: searched.root.descendant(at: candidates[index].path), isRepair: isRepair)
    }

    private func isRepair(_ edit: DocumentEdit) -> Bool {
        repairs.contains(sampled.map { edit.moved(to: $0.original(of: edit.path)) } ?? edit)
    }

    /// Whether a run dropped something that the document without the change does not drop, as far as is known: behind a
    /// decoding that failed that is only what the change put there, and everything behind a version that was not known.
    private func drops(_ outcome: ExperimentOutcome, with change: DocumentEdit) -> Bool {
        let place = change.place.foldingIndices
        let isVersion = candidates.contains { $0.isVersion && $0.path == change.path }
        // Of a version under which fields are left unread it is not known that they fit it, unless it is the same one.
        guard let dropped = outcome.dropped else { return isVersion && !repairs.isSameRead(change) }
        return dropped.contains { dropped in
            !trace.dropped.contains(dropped) && (isVersion || failure.step != nil || place.hasPrefix(dropped))
        }
    }

    // MARK: - What a run says

    /// Whether the unchanged document failed as it did at first.
    private func isSame(_ result: MigrationFailure?) -> Bool {
        guard let result else { return false }
        return result.kind == failure.kind && result.step == failure.step && result.path == failure.path
    }

    /// Whether a document with fewer elements fails at the same point, in whatever words.
    private func isStillFailing(_ result: MigrationFailure?) -> Bool {
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        guard let result, let (before, now) = point.steps(result), before == now else { return false }
        return result.kind == failure.kind
            && result.path?.foldingIndices == failure.path?.foldingIndices
    }

    /// What a change does to the document, or to its sample.
    private func effect(_ outcome: ExperimentOutcome, of change: DocumentEdit) -> CulpritCandidate.Effect {
        effect(outcome, of: change, besides: sampledFailure ?? unchangedFailure, in: searched)
    }

    private func effect(
        _ outcome: ExperimentOutcome, of change: DocumentEdit, besides failure: MigrationFailure,
        in document: Document
    ) -> CulpritCandidate.Effect {
        // A document that is taken for another version has not got past anything.
        let isOfVersion =
            sources.isOfVersion
            || failure.kind == .unsupportedVersion && !(failure.isOfShape && trace.detection.version != nil)
        // Another version mends the document, or says nothing of it.
        if !isOfVersion, candidates.contains(where: { $0.isVersion && $0.path == change.path }) {
            return outcome.failures.isEmpty ? .passes : .unknown
        }
        if !isOfVersion, let version = outcome.version, version != trace.detection.version {
            return .unknown
        }
        let result = outcome.failure(ofPart: part)
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        let progress = point.progress(of: result, with: change)
        guard progress == .there, let result else { return progress == .past ? .passes : .unknown }
        if result.kind == failure.kind, result.path == failure.path {
            // The same value, read another way, fails as it did.
            if result.hasSameWords(as: failure) { return repairs.isSameRead(change) ? .unknown : .fails }
        } else if failure.step == nil {
            // A value that no longer decodes as what it was says nothing of the check that failed.
            return .unknown
        }
        guard let value = change.value else { return .follows }
        if result.kind != failure.kind {
            return result.path == failure.path && result.path != nil ? .follows : .differs
        }
        let words = MessageWords(result.reason.authorsMessage ?? result.message)
        if let original = document.root.descendant(at: change.path),
            MessageWords(failure.reason.authorsMessage ?? failure.message).without(original)
                == words.without(value.root)
        {
            return .quotes
        }
        return words.says(value.root) ? .echoes : .follows
    }

    // MARK: - What follows from all runs

    /// The candidates that remain: the culprit, or several where any one of them could be it.
    private var best: [Int] {
        var passing = candidates.indices.filter { candidates[$0].passes }
        if !sources.isOfVersion {
            let version = passing.first { candidates[$0].isVersion && candidates[$0].repair(isRepair) != nil }
            passing.removeAll { candidates[$0].isVersion }
            let isMendedElsewhere = passing.contains { index in
                let candidate = candidates[index]
                let isThere = searched.root.descendant(at: candidate.path) != nil
                return candidate.opens && (candidate.repair(isRepair) != nil || candidate.isNamed && isThere)
            }
            if let version, !isMendedElsewhere { return [version] }
        }
        // Of a container and what is inside it, it is what is inside; as long as that is not tried, nothing is known.
        var smallest = passing.filter { index in
            !candidates.indices.contains { other in
                candidates[other].path != candidates[index].path
                    && candidates[other].path.hasPrefix(candidates[index].path)
                    && (candidates[other].passes || !candidates[other].isTried)
            }
        }
        // Of a document that no shape fits another shape may be meant than the one of the error.
        if failure.isOfShape, smallest.contains(where: { candidates[$0].opens }) {
            smallest.removeAll { !candidates[$0].opens }
            // It is the one that reads most of what is there.
            let fewest = smallest.compactMap { candidates[$0].fewestDropped }.min()
            smallest.removeAll { index in
                guard let dropped = candidates[index].fewestDropped, let fewest else { return false }
                return dropped > fewest
            }
        }
        let ranks = smallest.map { candidates[$0].rank(countsWords: !wordsVary) }
        let first = ranks.min()
        // An array that is cut passes without what is at fault, so a value that the words follow comes first.
        if first == nil || smallest.allSatisfy({ candidates[$0].isArray }), let followed { return [followed] }
        // That an error names a value, or quotes it, proves nothing of it; a person looks there first.
        let best = zip(smallest, ranks).filter { $0.1 == first }.map(\.0)
        let named = best.filter { candidates[$0].isNamed }
        let rest = best.filter { !candidates[$0].isNamed }
        return named + rest.filter { candidates[$0].isRepeated } + rest.filter { !candidates[$0].isRepeated }
    }

    /// The one value that the words follow.
    private var followed: Int? {
        // Of values that were not tried nothing is known.
        guard !wordsVary,
            candidates.allSatisfy({ candidate in
                candidate.isTriedOnce || candidate.isVersion || candidate.isMisspelling
                    || searched.root.descendant(at: candidate.path) == nil
            })
        else { return nil }
        let followed = candidates.indices.filter { candidates[$0].isFollowed && !candidates[$0].isArray }
        return followed.count == 1 ? followed[0] : nil
    }

    /// What was found out; nil where nothing is proved.
    package var culprit: MigrationFailure.Culprit? {
        guard isRepeatable, case .ended = stage, let first = best.first else { return nil }
        let candidate = candidates[first]
        // Of elements that fail only together none is at fault by itself.
        let arrays = cut.map { _ in elements.located.compactMap(\.parent) } ?? []
        let isShared = candidates.contains { candidate in
            let path = sampled?.original(of: candidate.path) ?? candidate.path
            return candidate.passes && !candidate.isArray && arrays.contains { path.hasPrefix($0) }
                && !elements.located.contains { path.hasPrefix($0) }
        }
        if isShared || isUnmoved || wordsOfOthers.count > 1 { return nil }
        let paths = best.map { index in sampled?.original(of: candidates[index].path) ?? candidates[index].path }
        let others = Array(paths.dropFirst())
        guard let change = passingChange(first).map(inWhole) else {
            return .init(
                path: paths[0], certain: true,
                proof: CulpritProof(.follows, failing: candidate.values(.failing, isOfWhole: sampled == nil)))
        }
        // Of several repairs none is known to be the right one.
        let isRepair = others.isEmpty && candidate.repair(isRepair) != nil
        var proof = CulpritProof(
            isRepair ? .repair(change) : .passes(change), confirmed[first] ?? nil,
            passing: candidate.values([.passes], isOfWhole: sampled == nil),
            failing: candidate.values(.failing, isOfWhole: sampled == nil))
        proof.isOfVersion = candidate.isVersion
        if best.count == 2 {
            let isEqual = agreements.isSuperset(of: [.first, .second])
            proof.agreement = agreements.contains(.exchanged) ? .exchanged : isEqual ? .equal : nil
        }
        return .init(
            path: paths[0], certain: others.isEmpty && !candidate.isOnlyRemoved, others: others, proof: proof)
    }
}

extension Set<CulpritCandidate.Effect> {
    /// Those with which the migration fails where it failed.
    static var failing: Self { [.fails, .quotes, .follows, .echoes] }
}

extension CulpritCandidate {
    /// Whether the key may only have another name than it should have.
    fileprivate var isMisspelling: Bool { if case .rename = changes.first { true } else { false } }

    /// Whether the migration passes when the key has that name.
    fileprivate var isRenamed: Bool { isMisspelling && passes }

    /// The smaller, the likelier: first what was only misspelt, then what the words follow; an array last, but for a value
    /// that only decides whether another one is looked at.
    fileprivate func rank(countsWords: Bool) -> Int {
        if isRenamed { return 0 }
        let follows = countsWords && isFollowed
        return (follows ? 1 : 2) + (isSwitch ? 8 : 0) + (isArray && !follows ? 4 : 0)
    }
}

extension MigrationTrace {
    /// What failed: of a document whose parts migrate by themselves, that of each part.
    package var failures: [MigrationFailure] {
        let parts = parts.compactMap(\.failureOfWhole)
        if case .failedInParts = opening, !parts.isEmpty { return parts }
        return failure.map { [$0] } ?? []
    }

    /// Of a document whose parts migrate by themselves the part that fails; nil for any other.
    package func failingPart(of failure: MigrationFailure) -> DocumentPath? {
        guard case .failedInParts = opening else { return nil }
        // An error of the app's own names no place, in whatever part it was thrown.
        return failure.path?.components.first.map { DocumentPath([$0]) }
            ?? parts.first { $0.failureOfWhole?.reason == failure.reason }?.path
    }
}

extension Document {
    /// The document with what the string at the path holds as JSON in its place; nil where it holds none.
    fileprivate func unfolding(_ path: DocumentPath) -> Document? {
        root.descendant(at: path)?.heldJSON.flatMap { try? applying([.set(path, $0)]) }
    }
}

extension MigrationFailure {
    /// Whether the messages are the same, apart from the time limit that was in force.
    fileprivate func hasSameWords(as other: MigrationFailure) -> Bool {
        kind == .timedOut && other.kind == .timedOut || message == other.message
    }
}

extension [VersionOutline] {
    /// Those that know most fields of a document: of a document that no shape fits, the shapes that it may have.
    fileprivate func knowingMost(of root: DocumentNode) -> [VersionOutline] {
        let places = Set(root.nodes.filter { $0.kind != .key }.map(\.path.foldingIndices))
        let counts = map { outline in Set(outline.fields.map(\.path)).intersection(places).count }
        return zip(self, counts).filter { $0.1 == counts.max() }.map(\.0)
    }
}

extension DocumentNode {
    /// Whether the value may be one that decides which way code goes: a Boolean, or a name.
    fileprivate var isSwitch: Bool { kind == .boolean || string?.isName == true }
}
