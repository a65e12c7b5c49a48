import DocumentModel

/// The search for the one change of a document that lets its migration pass the point where it failed.
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
package struct CulpritSearch {
    /// Makes an experiment. A change that ends its process is an outcome like any other.
    private let run: (Experiment) throws -> ExperimentOutcome
    /// The document, a string that holds JSON unfolded into what it holds.
    let document: Document
    /// Where that is, and how it holds the document.
    private let unfolded: (path: DocumentPath, held: HeldDocument)?
    let failure: MigrationFailure
    /// The part that failed, where parts fail by themselves.
    let part: DocumentPath?
    /// How the unchanged document failed in an experiment. The trace may say more than a run does: a place in the code,
    /// or another time limit.
    private(set) var unchangedFailure: MigrationFailure
    /// What takes away the elements behind those that were found, where some of them fail in the same way.
    private var cuts: [DocumentEdit] = []
    /// The document without them, and how it fails.
    private(set) var cut: (document: Document, failure: MigrationFailure)?
    /// The sample of the document in which values are changed; nil where it is all of it.
    private(set) var sampled: SampledDocument?
    /// How that fails.
    private(set) var sampledFailure: MigrationFailure?
    private let lenders: [Document]
    let trace: MigrationTrace
    private(set) var sources: CulpritCandidates
    /// The elements of arrays and dictionaries without which the document does not fail as it does.
    private(set) var located: [DocumentPath] = []
    var candidates: [CulpritCandidate]
    var budget: ExperimentBudget
    /// What came of the whole document with the changes of the candidates that were confirmed.
    private(set) var confirmed: [Int: CulpritProof.Ending?] = [:]
    let repairs: Repairs
    let outlines: [VersionOutline]
    /// What the two likeliest culprits agreed in when the migration passed.
    var agreements: Set<Pairing> = []
    /// With how many values of another candidate the migration passed, for those that may decide whether it is looked at.
    var switchRuns: [Int: Int] = [:]
    /// The candidates outside of the elements that were found, with which the whole document passes.
    private(set) var passingWhole: Set<Int> = []
    /// What the elements that were taken away fail with, for the values with which the others pass.
    private(set) var wordsOfOthers: Set<String> = []
    /// Whether the document fails in the same words at the same place with one of those values, so that its elements may fail
    /// together, as those of a sum do.
    var isUnmoved = false
    /// Whether the words of the failure are others in every run, so that they follow no value.
    private(set) var wordsVary = false
    /// Why the search ended early.
    private var endedBecause: StepFinding.Left.Reason?
    /// What the search came to, apart from what it proved.
    package var summary: FailureSearch {
        FailureSearch(
            changes: candidates.map { $0.effects.count { $0 != nil } }.reduce(0, +),
            isWhole: sampled == nil && cut == nil, passes: candidates.contains(where: \.passesInSomeRun),
            because: endedBecause ?? (budget.isSpent ? .budget : nil))
    }

    /// A search for what is behind the failure of a trace; nil where there is no failure, or no document to change.
    ///
    /// - Parameters:
    ///   - failure: Which of its ``MigrationTrace/failures``; nil for the first.
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - outlines: The fields of the versions that the document may have, as far as they are known.
    ///   - triesVersions: Whether another version than the one that was read may mend the document.
    ///   - run: Makes an experiment.
    package init?(
        _ trace: MigrationTrace, of failure: MigrationFailure? = nil, lenders: [Document] = [],
        outlines: [VersionOutline] = [], triesVersions: Bool = true, budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Experiment) throws -> ExperimentOutcome
    ) {
        guard let whole = trace.document, let failure = failure ?? trace.failure else { return nil }
        let part = trace.failingPart(of: failure)
        let holder = part ?? whole.holder(of: failure)
        let document = holder.flatMap(whole.unfolding) ?? whole
        unfolded = holder.flatMap { path in
            document.identity == whole.identity ? nil : whole.root.descendant(at: path)?.held.map { (path, $0) }
        }
        let lenders = unfolded.map { unfolded in lenders.map { $0.unfolding(unfolded.path) ?? $0 } } ?? lenders
        let outlines = failure.isOfShape ? outlines.knowingMost(of: document.root) : outlines
        sources = CulpritCandidates(trace, document, failure, lenders: lenders, outlines: outlines)
        sources.triesVersions = triesVersions
        let isAffordable = budget.allows(whole)
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
        self.trace = trace
        self.budget = budget
    }

    /// Makes the experiments.
    ///
    /// - Returns: What is behind the failure; nil where nothing is proved.
    /// - Throws: What `run` throws.
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
        try locateElements()
        try cutElements()
        try takeSample()
        for (index, change) in plan() {
            // Where a key only has another name than it should have, nothing needs to be added.
            let isRenamed = candidates.contains(where: \.isRenamed)
            if isRenamed && !candidates[index].isMisspelling { continue }
            if budget.isSpent { break }
            try make(candidates[index].changes[change], of: index, number: change)
        }
        try removeValues()
        try probe()
        guard try confirm() else { return nil }
        if let first = best.first {
            try verify(first)
            try compareElements(first)
        }
        if isUnmoved || wordsOfOthers.count > 1 { try passAllElements() }
        return told
    }

    // MARK: - Runs

    /// Runs the document, or a sample, with changes.
    mutating func outcome(
        _ edits: [DocumentEdit], of sample: Document? = nil, isConfirmation: Bool = false
    ) throws -> ExperimentOutcome {
        let outcome = try run(
            Experiment(edits: edits.map(inFile), isConfirmation: isConfirmation, sample: sample))
        budget.spend((sample ?? document).byteCount, on: outcome.failure(ofPart: part))
        return outcome
    }

    /// Runs the document in which values are changed, with changes.
    mutating func trial(_ changes: [DocumentEdit]) throws -> ExperimentOutcome {
        try outcome((sampled == nil ? cuts : []) + changes, of: sampled?.document)
    }

    /// Runs the document without the elements that were taken away, with changes of the document in which values are changed.
    mutating func trialOfWhole(_ changes: [DocumentEdit], isConfirmation: Bool = false) throws -> ExperimentOutcome {
        try outcome(cuts + changes, isConfirmation: isConfirmation)
    }

    /// Makes a change of a candidate, and notes what comes of it.
    ///
    /// - Parameter number: Which of its changes that is; nil for a new one.
    mutating func make(_ change: DocumentEdit, of index: Int, number: Int? = nil) throws {
        let outcome = try trial([change])
        var (effect, failure) = (effect(outcome, of: change), outcome.failure(ofPart: part) ?? outcome.failure)
        if effect == .passes, candidates[index].isGuessed, case .rename(let path, _) = change {
            let removal = DocumentEdit.remove(path)
            if self.effect(try trial([removal]), of: removal) == .passes { (effect, failure) = (.unknown, nil) }
        }
        if let number {
            candidates[index].note(
                effect, of: number, failure, drops: drops(outcome, with: change), dropped: outcome.dropped?.count)
        } else {
            candidates[index].note(effect, ofNew: change, failure)
        }
    }

    /// The document in which values are changed.
    var searched: Document { sampled?.document ?? cut?.document ?? document }

    /// The change as one of the whole document.
    func inWhole(_ edit: DocumentEdit) -> DocumentEdit {
        inFile(sampled.map { edit.moved(to: $0.original(of: edit.path)) } ?? edit)
    }

    /// The change as one of the document as it is: what was unfolded is a string again.
    private func inFile(_ edit: DocumentEdit) -> DocumentEdit {
        guard let unfolded, case .set(unfolded.path, let value) = edit, value.root.kind.isContainer,
            let text = try? unfolded.held.holding(value)
        else { return edit }
        return .set(unfolded.path, text)
    }

    // MARK: - What is changed

    /// Finds the elements of arrays and dictionaries without which the document does not fail as it does: the shortest
    /// beginning of each that still fails ends with one. Of a million elements it looks at twenty beginnings.
    private mutating func locateElements() throws {
        var pending = sources.arrays(inside: .root)
        while !budget.isSpent, let path = pending.first {
            pending.removeFirst()
            // An array that does not matter fails also when it is empty.
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

    /// Where the document fails without an element that was found, others behind it fail as it does: takes them away.
    private mutating func cutElements() throws {
        for element in located where !budget.isSpent {
            guard let path = element.parent, let array = document.root.descendant(at: path),
                let position = array.children.enumerated().first(where: {
                    path.appending($0.element.component) == element
                })?.offset, position < array.count - 1
            else { continue }
            if try fails([.remove(element)]) { cuts.append(.set(path, array.beginning(of: position + 1))) }
        }
        if !cuts.isEmpty, !budget.isSpent, let result = try outcome(cuts).failure(ofPart: part), isStillFailing(result)
        {
            cut = (try? document.applying(cuts)).map { ($0, result) }
        }
        if cut == nil { cuts = [] }
    }

    /// Takes a sample of the document, if that fails in the same way.
    private mutating func takeSample() throws {
        guard unfolded == nil, searched.nodeCount > Self.fewNodes else { return }
        for cutsDictionaries in [true, false] {
            guard let sample = SampledDocument(searched, keeping: kept, cutsDictionaries: cutsDictionaries) else {
                return
            }
            if let result = try outcome([], of: sample.document).failure(ofPart: part), isStillFailing(result) {
                (sampled, sampledFailure) = (sample, result)
                return
            }
            if !sample.cutsDictionaries { return }
        }
    }

    /// A document of so many nodes runs as fast as a sample of it, and a sample may do what the document does not.
    private static let fewNodes = 2_000

    /// What is to be in a sample.
    private var kept: [DocumentPath] {
        located + [failure.path, failure.culprit?.path].compactMap(\.self) + sources.quoted
    }

    /// All of a likely candidate, one after the other; of the rest one change each, then the next of each, so that a
    /// budget that is spent leaves out none of them.
    private mutating func plan() -> [(candidate: Int, change: Int)] {
        if let failure = sampledFailure ?? cut?.failure {
            var trace = trace
            if let sampled {
                trace.document = searched
                trace.dropped = trace.dropped.compactMap(sampled.sampled)
            }
            let triesVersions = sources.triesVersions
            sources = CulpritCandidates(trace, searched, failure, lenders: lenders, outlines: outlines)
            sources.triesVersions = triesVersions
        }
        sources.located = sampled.map { located.compactMap($0.sampled) } ?? located
        candidates = sources.all
        let (likely, rest) = (
            candidates.indices.filter { candidates[$0].isLikely },
            candidates.indices.filter { !candidates[$0].isLikely }
        )
        let most = rest.map { candidates[$0].changes.count }.max() ?? 0
        return likely.flatMap { index in candidates[index].changes.indices.map { (index, $0) } }
            + (0..<most).flatMap { change in
                rest.filter { change < candidates[$0].changes.count }.map { ($0, change) }
            }
    }

    /// Where nothing else was found, what can be left out. That proves little: what nobody looks at cannot be wrong; and
    /// nothing at all of what the error names itself, or of a part that migrates by itself.
    private mutating func removeValues() throws {
        if failure.kind == .unsupportedVersion || sources.isOfVersion { return }
        for index in candidates.indices {
            let candidate = candidates[index]
            if candidate.isArray || candidate.isNamed || candidate.isVersion || candidate.path == part { continue }
            if budget.isSpent || best.contains(where: { !candidates[$0].isOnlyRemoved }) { return }
            if searched.root.descendant(at: candidate.path) == nil { continue }
            try make(.remove(candidate.path), of: index)
        }
    }

    // MARK: - What is confirmed

    /// Runs the change of each candidate that remains once more, behind the unchanged document, in a process of its own.
    ///
    /// - Returns: Whether all did again what they had done: what passes once and not again says nothing.
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
            // What comes of the whole document is not seen where elements are taken away.
            confirmed[index] = .some(cut == nil ? ending ?? .opens : nil)
            // Another change may drop nothing.
            if drops(outcome, with: change), candidates[index].noteLoss(with: tried) { confirmed[index] = nil }
        }
        return true
    }

    /// Makes the changes of a candidate of which it is told what came of them in the whole document, if they were made in
    /// a sample.
    private mutating func verify(_ index: Int) throws {
        if sampled == nil { return }
        for number in candidates[index].toldChanges where !budget.isSpent {
            let change = inWhole(candidates[index].changes[number])
            candidates[index].verify(number, effectInWhole(try trialOfWhole([change]), of: change))
        }
    }

    /// Where elements fail together because of a value outside of them, the whole document passes with another one in its
    /// place.
    private mutating func passAllElements() throws {
        let arrays = located.compactMap(\.parent)
        for index in best where !budget.isSpent {
            let path = sampled?.original(of: candidates[index].path) ?? candidates[index].path
            guard !arrays.contains(where: path.hasPrefix), let tried = passingChange(index) else { continue }
            let change = inWhole(tried)
            guard isSame(try outcome([], isConfirmation: true).failure(ofPart: part)) else { return }
            let outcome = try outcome([change], isConfirmation: true)
            guard effect(outcome, of: change, besides: unchangedFailure, in: document) == .passes else { continue }
            let failure = outcome.failure(ofPart: part) ?? outcome.failure
            confirmed[index] = failure.map { .fails($0.shownPlace) } ?? .opens
            passingWhole.insert(index)
        }
        if !passingWhole.isEmpty { (isUnmoved, wordsOfOthers) = (false, []) }
    }

    /// Makes the changes of a candidate with which the document passes where other elements are taken away, in all of it.
    /// What the others fail with has to be the same for each: if not, they fail together, as those of a sum do.
    private mutating func compareElements(_ index: Int) throws {
        if cut == nil || wordsVary { return }
        for number in candidates[index].toldChanges
        where candidates[index].effects[number] == .passes && !budget.isSpent {
            let result = try outcome([inWhole(candidates[index].changes[number])]).failure(ofPart: part)
            guard let result else { continue }
            wordsOfOthers.insert(result.message)
            isUnmoved = isUnmoved || result.path == unchangedFailure.path && result.hasSameWords(as: unchangedFailure)
        }
        if isUnmoved { try doubleElement(index) }
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
    /// The value that holds the document in which the failure is; nil where that is the document itself.
    fileprivate func holder(of failure: MigrationFailure) -> DocumentPath? {
        guard let path = failure.culprit?.path ?? failure.path else { return nil }
        let (node, rest) = root.deepestDescendant(along: path)
        return !rest.isEmpty && node.held?.document.format.isPropertyList == false ? node.path : nil
    }

    /// The document in which the JSON that the value at the path holds is in place of that value; nil if it holds none.
    fileprivate func unfolding(_ path: DocumentPath) -> Document? {
        guard let held = root.descendant(at: path)?.held, !held.document.format.isPropertyList else { return nil }
        return try? applying([.set(path, held.document)])
    }
}

extension MigrationFailure {
    /// Whether the messages are the same, apart from the time limit that was in force.
    func hasSameWords(as other: MigrationFailure) -> Bool {
        kind == .timedOut && other.kind == .timedOut || message == other.message
    }
}

extension [VersionOutline] {
    /// Those that know most fields of a document, one of which may be misspelt: of a document that no shape fits, the shapes
    /// that it may have.
    fileprivate func knowingMost(of root: DocumentNode) -> [VersionOutline] {
        let nodes = root.nodes.filter { $0.kind != .key }
        let places = Set(nodes.map(\.path.foldingIndices))
        let counts = map { $0.knownCount(places) }
        return zip(self, counts).filter { $0.1 == counts.max() }.map(\.0)
    }
}

extension VersionOutline {
    /// How many of the places are fields, with the one misspelt name mended with which there are most.
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
    /// Whether the value may be one that decides which way code goes: a Boolean, or a name.
    var isSwitch: Bool { kind == .boolean || string?.isName == true }
}
