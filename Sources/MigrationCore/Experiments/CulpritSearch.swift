import DocumentModel

/// The search for the one change to a document that gets its migration past the point where it failed.
///
/// First, the document runs unchanged twice, to check that it fails in the same way each time. Then the search finds
/// the elements of long arrays that the failure depends on. After that, it changes values, most likely first, and
/// determines the ends of the passing range of a number. Finally, each passing change is run once more, after the
/// unchanged document, in a separate process.
///
/// The values are changed in a sample of the document if the sample fails in the same way. The first and last runs use
/// the whole document.
///
/// The idea of finding a cause by running a program repeatedly with changed input comes from Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input" (2002).
package struct CulpritSearch {
    /// Runs an experiment. A change that ends its process is an outcome like any other.
    private let run: (Experiment) throws -> ExperimentOutcome
    /// The document. If the failure is inside a string that contains JSON, the string is replaced by its contents.
    let document: Document
    /// The path of the value with the embedded document that was unfolded.
    private let unfolded: (path: DocumentPath, held: HeldDocument)?
    let failure: MigrationFailure
    /// The part that failed, if parts fail separately.
    let part: DocumentPath?
    /// How the unchanged document failed in an experiment. The trace may contain more than a run does: a code location,
    /// or another time limit.
    private(set) var unchangedFailure: MigrationFailure
    /// The changes that remove the elements after those that were found, if some of them fail in the same way.
    private var cuts: [DocumentEdit] = []
    /// The document without those elements, and how it fails.
    private(set) var whole: (document: Document, failure: MigrationFailure)
    /// The document in which values are changed, and how it fails.
    private(set) var searched: (document: Document, failure: MigrationFailure)
    /// The sample in which values are changed, or nil if it is the whole document.
    private(set) var sampled: SampledDocument?
    private let lenders: [Document]
    let trace: MigrationTrace
    private(set) var sources: CulpritCandidates
    /// The elements of arrays and dictionaries that the failure depends on: without them, the document does not fail in
    /// this way.
    private(set) var located: [DocumentPath] = []
    var candidates: [CulpritCandidate]
    var budget: ExperimentBudget
    /// The outcome for the whole document with the changes of confirmed candidates.
    private(set) var confirmed: [Int: CulpritProof.Ending?] = [:]
    let repairs: Repairs
    let outlines: [VersionOutline]
    /// The pairings of the two most likely culprits with which the migration passed.
    var agreements: Set<Pairing> = []
    /// For candidates that may decide whether another one is checked: the number of values of the other one with which
    /// the migration passed.
    var switchRuns: [Int: Int] = [:]
    /// The candidates outside of the located elements with which the whole document passes.
    private(set) var passingWhole: Set<Int> = []
    /// The messages with which the elements that were cut fail, for values with which the remaining ones pass.
    private(set) var wordsOfOthers: Set<String> = []
    /// Whether the document fails with the same message at the same path with one of those values. Its elements may
    /// then fail together, like the terms of a sum.
    var isUnmoved = false
    /// Whether the message of the failure is different in every run, so that it doesn't follow any value.
    private(set) var wordsVary = false
    /// Why the search ended early.
    private var endedBecause: StepFinding.Left.Reason?
    /// The result of the search, apart from what it proved.
    package var summary: FailureSearch {
        let isWhole = sampled == nil && !isCut
        let passing = candidates.flatMap(\.passingTrials)
        return FailureSearch(
            changes: candidates.map { $0.trials.count { $0.effect != nil } }.reduce(0, +),
            isWhole: isWhole, passes: !passing.isEmpty,
            passing: isWhole ? (passing.first { $0.failure == nil } ?? passing.first)?.change : nil,
            because: endedBecause ?? (budget.isSpent ? .budget : nil))
    }

    /// Creates a search for the cause of a trace's failure. Returns nil if there is no failure, or no document to
    /// change.
    ///
    /// - Parameters:
    ///   - failure: One of the trace's ``MigrationTrace/failures``, or nil for the first.
    ///   - lenders: Other documents of the chain, whose values can be tried.
    ///   - outlines: The fields of the versions that the document may have, as far as they are known.
    ///   - triesVersions: Whether to try other versions than the one that was read.
    ///   - run: Runs an experiment.
    package init?(
        _ trace: MigrationTrace, of failure: MigrationFailure? = nil, lenders: [Document] = [],
        outlines: [VersionOutline] = [], triesVersions: Bool = true, budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Experiment) throws -> ExperimentOutcome
    ) {
        guard let stored = trace.document, let failure = failure ?? trace.failure else { return nil }
        let part = trace.failingPart(of: failure)
        let holder = part ?? stored.holder(of: failure)
        let document = holder.flatMap(stored.unfolding) ?? stored
        unfolded = holder.flatMap { path in
            document.identity == stored.identity ? nil : stored.root.descendant(at: path)?.held.map { (path, $0) }
        }
        let lenders = unfolded.map { unfolded in lenders.map { $0.unfolding(unfolded.path) ?? $0 } } ?? lenders
        let outlines = failure.isOfShape ? outlines.knowingMost(of: document.root) : outlines
        sources = CulpritCandidates(trace, document, failure, lenders, outlines, triesVersions: triesVersions)
        let isAffordable = budget.allows(stored)
        candidates = isAffordable ? sources.all : []
        endedBecause = isAffordable ? nil : .budget
        self.run = run
        self.document = document
        self.lenders = lenders
        self.failure = failure
        self.part = part
        self.outlines = outlines
        repairs = Repairs(of: document, failure, outlines: outlines)
        unchangedFailure = failure
        whole = (document, failure)
        searched = whole
        self.trace = trace
        self.budget = budget
    }

    /// Runs the experiments.
    ///
    /// - Returns: The cause of the failure, or nil if nothing is proved.
    /// - Throws: Any error that `run` throws.
    package mutating func culprit() throws -> MigrationFailure.Culprit? {
        if endedBecause != nil || candidates.isEmpty { return nil }
        for number in 0..<2 {
            guard let result = try outcome([]).failure(ofPart: part), isSame(result) else {
                endedBecause = .differs
                return nil
            }
            if number == 0 { unchangedFailure = result }
            wordsVary = !result.hasSameWords(as: unchangedFailure)
        }
        whole.failure = unchangedFailure
        try locateElements()
        try cutElements()
        try takeSample()
        for (index, change) in plan() {
            // If a key only has the wrong name, nothing needs to be added. If something else fails then, the document may be
            // of the version that has the key by this name.
            let isRenamed = candidates.contains(where: \.isRenamed)
            let mayBeOther = candidates[index].isVersion && !candidates.contains { $0.isRenamed && $0.opens }
            if isRenamed && !candidates[index].isMisspelling && !mayBeOther { continue }
            if budget.isSpent { break }
            if budget.isLow, change >= Self.fewestRounds, best.contains(where: { candidates[$0].passes }) { break }
            try make(change, of: index)
        }
        try removeValues()
        try probe()
        guard try confirm() else { return nil }
        if let first = best.first {
            try verify(first)
            try compareElements(first)
        }
        if isUnmoved || wordsOfOthers.count > 1 { try passAllElements() }
        return reported
    }

    // MARK: - Runs

    /// Runs the document, or a sample of it, with changes.
    mutating func outcome(
        _ edits: [DocumentEdit], of sample: Document? = nil, isConfirmation: Bool = false
    ) throws -> ExperimentOutcome {
        let outcome = try run(Experiment(edits: edits.map(inFile), isConfirmation: isConfirmation, sample: sample))
        budget.spend((sample ?? document).byteCount, on: outcome.failure(ofPart: part)?.refusal)
        return outcome
    }

    /// Runs the document in which values are changed, with the given changes.
    mutating func trial(_ changes: [DocumentEdit]) throws -> ExperimentOutcome {
        try outcome((sampled == nil ? cuts : []) + changes, of: sampled?.document)
    }

    /// Runs the document without the elements that were cut, with the given changes.
    mutating func trialOfWhole(_ changes: [DocumentEdit], isConfirmation: Bool = false) throws -> ExperimentOutcome {
        try outcome(cuts + changes, isConfirmation: isConfirmation)
    }

    /// Makes a change of a candidate, and records its effect.
    mutating func make(_ number: Int, of index: Int) throws {
        let change = candidates[index].trials[number].change
        let outcome = try trial([change])
        var trial = CulpritCandidate.Trial(change: change, effect: effect(outcome, of: change))
        trial.failure = outcome.failure(ofPart: part) ?? outcome.failure
        if trial.passes, candidates[index].isGuessed, case .rename(let path, _) = change {
            let removal = DocumentEdit.remove(path)
            if effect(try self.trial([removal]), of: removal) == .passes {
                (trial.effect, trial.failure) = (.unknown, nil)
            }
        }
        (trial.isLossy, trial.dropped) = (drops(outcome, with: change), outcome.dropped?.count)
        candidates[index].trials[number] = trial
    }

    /// Makes a change of a candidate that was not planned.
    mutating func make(_ change: DocumentEdit, of index: Int) throws {
        candidates[index].trials.append(CulpritCandidate.Trial(change: change))
        try make(candidates[index].trials.count - 1, of: index)
    }

    /// Whether elements were cut.
    var isCut: Bool { !cuts.isEmpty }

    /// Returns the path in the whole document.
    func original(of path: DocumentPath) -> DocumentPath { sampled?.original(of: path) ?? path }

    /// Returns the change converted to the whole document.
    func inWhole(_ edit: DocumentEdit) -> DocumentEdit { inFile(edit.moved(to: original(of: edit.path))) }

    /// Returns the change converted to the document as it is stored, where unfolded JSON is a string again.
    private func inFile(_ edit: DocumentEdit) -> DocumentEdit {
        guard let unfolded, case .set(unfolded.path, let value) = edit, value.root.kind.isContainer,
            let text = try? unfolded.held.holding(value)
        else { return edit }
        return .set(unfolded.path, text)
    }

    // MARK: - Changes

    /// Finds the elements of arrays and dictionaries that the failure depends on. The shortest prefix of an array that
    /// still fails ends with one. For a million elements, this takes twenty runs.
    private mutating func locateElements() throws {
        var pending = sources.arrays(inside: .root)
        while !budget.isSpent, let path = pending.first {
            pending.removeFirst()
            // If an array doesn't matter, the document fails even if the array is empty.
            guard let array = document.root.descendant(at: path), try !fails([.set(path, array.beginning(of: 0))])
            else { continue }
            var (passing, failing) = (0, array.count)
            while failing - passing > 1, !budget.isSpent {
                let middle = (passing + failing) / 2
                if try fails([.set(path, array.beginning(of: middle))]) { failing = middle } else { passing = middle }
            }
            guard failing - passing <= 1, let last = array.children.dropFirst(failing - 1).first(where: { _ in true })
            else { continue }
            let element = path.appending(last.component)
            located.append(element)
            pending = sources.arrays(inside: element) + pending
        }
    }

    private mutating func fails(_ edits: [DocumentEdit]) throws -> Bool {
        isStillFailing(try outcome(edits).failure(ofPart: part))
    }

    /// Cuts the elements after a located one if the document still fails without that one, because they fail in the
    /// same way.
    private mutating func cutElements() throws {
        for element in located where !budget.isSpent {
            guard let path = element.parent, let array = document.root.descendant(at: path),
                let position = array.children.enumerated().first(where: {
                    path.appending($0.element.component) == element
                })?.offset, position < array.count - 1
            else { continue }
            if try fails([.remove(element)]) { cuts.append(.set(path, array.beginning(of: position + 1))) }
        }
        if isCut, !budget.isSpent, let result = try outcome(cuts).failure(ofPart: part), isStillFailing(result),
            let cut = try? document.applying(cuts)
        {
            whole = (cut, result)
        } else {
            cuts = []
        }
    }

    /// Takes a sample of the document, if the sample fails in the same way.
    private mutating func takeSample() throws {
        searched = whole
        guard unfolded == nil, whole.document.nodeCount > Self.fewNodes else { return }
        let kept = located + [failure.path, failure.culprit?.path].compactMap(\.self) + sources.quoted
        for cutsDictionaries in [true, false] {
            guard let sample = SampledDocument(whole.document, keeping: kept, cutsDictionaries: cutsDictionaries) else {
                return
            }
            if let result = try outcome([], of: sample.document).failure(ofPart: part), isStillFailing(result) {
                (sampled, searched) = (sample, (sample.document, result))
                return
            }
            if !sample.cutsDictionaries { return }
        }
    }

    /// A document with this many nodes runs as fast as a sample of it, and a sample may behave differently.
    private static let fewNodes = 2_000

    /// Returns all changes of the likely candidates, one candidate after the other, then one change of each of the
    /// others, then the next of each. If the budget runs out, none of those is left out entirely.
    private mutating func plan() -> [(candidate: Int, change: Int)] {
        if sampled != nil || isCut {
            var trace = trace
            if let sampled {
                trace.dropped = trace.dropped.compactMap(sampled.sampled)
                trace.parts = trace.parts.compactMap { part in
                    var part = part
                    guard let path = part.path.map(sampled.sampled) else { return part }
                    part.path = path
                    part.instance = part.instance.flatMap(sampled.sampled)
                    return path == nil ? nil : part
                }
            }
            sources = CulpritCandidates(
                trace, searched.document, searched.failure, lenders, outlines, triesVersions: sources.triesVersions,
                whole: document)
        }
        sources.located = sampled.map { located.compactMap($0.sampled) } ?? located
        candidates = sources.all
        let (likely, rest) = (
            candidates.indices.filter { candidates[$0].isLikely },
            candidates.indices.filter { !candidates[$0].isLikely }
        )
        let most = rest.map { candidates[$0].trials.count }.max() ?? 0
        return likely.flatMap { index in candidates[index].trials.indices.map { (index, $0) } }
            + (0..<most).flatMap { change in rest.filter { change < candidates[$0].trials.count }.map { ($0, change) } }
    }

    /// The number of changes of each candidate that are made in any case, even if one of them passes and the budget is
    /// low.
    private static let fewestRounds = 4

    /// Tries to remove values if nothing else was found. That proves little, because a value that is never checked
    /// cannot be wrong. Values that the error itself names, and parts that migrate separately, are not removed.
    private mutating func removeValues() throws {
        if failure.kind == .unsupportedVersion || sources.isOfVersion { return }
        for index in candidates.indices {
            let candidate = candidates[index]
            if candidate.isArray || candidate.isNamed || candidate.isVersion || candidate.path == part { continue }
            if budget.isSpent || best.contains(where: { !candidates[$0].isOnlyRemoved }) { return }
            if node(index) == nil { continue }
            try make(.remove(candidate.path), of: index)
        }
    }

    // MARK: - Confirmation

    /// Runs the change of each remaining candidate once more, after the unchanged document, in a separate process.
    ///
    /// - Returns: Whether all changes had the same effect again. A change that passes only once proves nothing.
    private mutating func confirm() throws -> Bool {
        while let index = best.first(where: { candidates[$0].passes && confirmed[$0] == nil }) {
            guard isSame(try outcome([], isConfirmation: true).failure(ofPart: part)) else { return false }
            if let check = candidates[index].laterCheck {
                let (change, other) = (inWhole(check.change), inWhole(check.other))
                let alone = effectInWhole(try trialOfWhole([change], isConfirmation: true), of: change)
                let both = effectInWhole(try trialOfWhole([change, other], isConfirmation: true), of: other)
                guard !alone.isSameFailure, both.isSameFailure else { return false }
                confirmed[index] = .some(nil)
                continue
            }
            guard let tried = passingChange(index) else { return false }
            let change = inWhole(tried)
            let outcome = try trialOfWhole([change], isConfirmation: true)
            guard effectInWhole(outcome, of: change) == .passes else { return false }
            let failure = outcome.failure(ofPart: part) ?? outcome.failure
            let ending = failure.map { CulpritProof.Ending.fails($0.shownPlace) }
            // If elements were cut, the outcome for the whole document is not known.
            confirmed[index] = .some(isCut ? nil : ending ?? .opens)
            // Another change may drop nothing.
            if drops(outcome, with: change), candidates[index].noteLoss(with: tried) { confirmed[index] = nil }
        }
        return true
    }

    /// Repeats the reported changes of a candidate in the whole document, if they were made in a sample.
    private mutating func verify(_ index: Int) throws {
        if sampled == nil { return }
        for number in candidates[index].reportedChanges where !budget.isSpent {
            let trial = candidates[index].trials[number]
            let change = inWhole(trial.change)
            let effect = effectInWhole(try trialOfWhole([change]), of: change)
            candidates[index].trials[number].isVerified = trial.passes ? effect == .passes : effect.isFailure
        }
    }

    /// Tries changes outside of the elements in the whole document. If elements fail together because of a value
    /// outside of them, the whole document passes with a replacement of that value.
    private mutating func passAllElements() throws {
        let arrays = located.compactMap(\.parent)
        for index in best where !budget.isSpent {
            let path = original(of: candidates[index].path)
            guard !arrays.contains(where: path.hasPrefix), let tried = passingChange(index) else { continue }
            let change = inWhole(tried)
            guard isSame(try outcome([], isConfirmation: true).failure(ofPart: part)) else { return }
            let outcome = try outcome([change], isConfirmation: true)
            guard effect(outcome, of: change, in: (document, unchangedFailure)) == .passes else { continue }
            let failure = outcome.failure(ofPart: part) ?? outcome.failure
            confirmed[index] = failure.map { .fails($0.shownPlace) } ?? .opens
            passingWhole.insert(index)
        }
        if !passingWhole.isEmpty { (isUnmoved, wordsOfOthers) = (false, []) }
    }

    /// Repeats the changes with which the cut document passes in the whole document. The other elements must fail with
    /// the same message each time. If not, they fail together, like the terms of a sum.
    private mutating func compareElements(_ index: Int) throws {
        if !isCut || wordsVary { return }
        for trial in candidates[index].trials where trial.passes && !budget.isSpent {
            let result = try outcome([inWhole(trial.change)]).failure(ofPart: part)
            guard let result else { continue }
            wordsOfOthers.insert(result.message)
            isUnmoved = isUnmoved || result.path == unchangedFailure.path && result.hasSameWords(as: unchangedFailure)
        }
        if isUnmoved { try doubleElement(index) }
    }
}

extension Document {
    /// Returns the path of the value that contains the document with the failure, or nil if that is this document.
    fileprivate func holder(of failure: MigrationFailure) -> DocumentPath? {
        guard let path = failure.culprit?.path ?? failure.path else { return nil }
        let (node, rest) = root.deepestDescendant(along: path)
        return !rest.isEmpty && node.held?.document.format.isPropertyList == false ? node.path : nil
    }

    /// Returns the document with the value at a path replaced by the JSON embedded in it, or nil if there is none.
    fileprivate func unfolding(_ path: DocumentPath) -> Document? {
        guard let held = root.descendant(at: path)?.held, !held.document.format.isPropertyList else { return nil }
        return try? applying([.set(path, held.document)])
    }
}

extension MigrationFailure {
    /// Returns whether the messages are the same, regardless of the time limit in effect.
    func hasSameWords(as other: MigrationFailure) -> Bool {
        kind == .timedOut && other.kind == .timedOut || message == other.message
    }
}

extension [VersionOutline] {
    /// Returns the outlines that know the most fields of a document, one of which may be misspelled. If no shape fits a
    /// document, they are the shapes that it may have.
    fileprivate func knowingMost(of root: DocumentNode) -> [VersionOutline] {
        let nodes = root.nodes.filter { $0.kind != .key }
        let places = Set(nodes.map(\.path.foldingIndices))
        let counts = map { $0.knownCount(places) }
        return zip(self, counts).filter { $0.1 == counts.max() }.map(\.0)
    }
}

extension VersionOutline {
    /// Returns how many of the paths are fields, after renaming the one misspelled key that yields the most.
    fileprivate func knownCount(_ places: Set<DocumentPath>) -> Int {
        let known = Set(fields.map(\.path))
        let most = places.compactMap { place -> Int? in
            guard let name = place.lastKey, let parent = place.parent, !known.contains(place) else { return nil }
            let absent = names(inside: parent).filter {
                !places.contains(parent.appending(key: $0)) && FieldName(name).mayStand(for: FieldName($0))
            }
            let inside = places.filter { $0.hasPrefix(place) }.map { $0.inside(place) }
            return absent.map { name in inside.count { known.contains(parent.appending(key: name).appending($0)) } }
                .max()
        }
        return known.intersection(places).count + (most.max() ?? 0)
    }
}

extension DocumentNode {
    /// Whether the value may select a code path: a Boolean, or a name.
    var isSwitch: Bool { kind == .boolean || string?.isName == true }
}
