import DocumentModel
import MigrationCore

extension WorkerHost {
    /// Looks by experiment for the value behind the failure of a trace and, taking each repair that is proved as made,
    /// for those behind the failures that come then.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - isCancelled: Asked now and then; when it returns true, the work ends at once.
    ///   - progress: Told how many runs there were.
    /// - Returns: The trace with what was found; nil where no experiment can be made, the document cannot be read any more,
    ///   or it was cancelled.
    /// - Throws: ``WorkerError``.
    public func proving(
        _ trace: MigrationTrace, of request: WorkerRequest, lenders: [Document] = [],
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        guard try mayExperiment(with: trace), var failure = trace.failure else { return nil }
        var (current, proved, count) = (trace, trace, 0)
        var repaired = request
        repaired.chain = trace.chain
        // The parts that fail by themselves and are not repaired; others may fail beside them.
        var left: [DocumentPath] = []
        // Values that only get past a failure; what does not agree with them fails for that reason.
        var putIn: [PutIn] = []
        // The other versions that would do as well as the one that was put in.
        var versions: [DocumentEdit] = []
        for number in 0...Self.mostFurtherFailures {
            var (culprit, summary) = try search(
                for: failure, in: current, repaired, source: trace.document, lenders, &count, isCancelled, progress)
            if number == 0, summary == nil { return nil }
            if let edit = culprit?.proof?.change, culprit?.proof?.isOfVersion == true, current.detection.version != nil,
                try !keepsValues(of: current, repaired, with: edit, isCancelled)
            {
                let other = try search(
                    for: failure, in: current, repaired, source: trace.document, lenders, triesVersions: false, &count,
                    isCancelled, progress)
                culprit = other.culprit
                summary?.changes += other.summary?.changes ?? 0
                // The document opens as another version as well, so what does not open it by itself is not known to be right;
                // nor is that version.
                if case .repair(let edit)? = culprit?.proof?.finding,
                    culprit?.proof?.ending != .opens || culprit?.proof?.isOfVersion == true
                {
                    culprit?.proof?.finding = .passes(edit)
                }
                // Nor is a value known to be at fault that only passes.
                if case .passes? = culprit?.proof?.finding { culprit?.certain = false }
            }
            if isCancelled() { return nil }
            failure.culprit = culprit ?? failure.culprit
            failure.search = culprit == nil ? summary : nil
            // What fails at a value that was put there is no mistake of the document.
            let place = failure.culprit?.path ?? failure.path
            let isOfPutIn = number > 0 ? try isOfPutIn(failure, repaired, putIn, isCancelled) : false
            let isOfVersion = number > 0 ? try isOfVersion(failure, repaired, versions, isCancelled) : false
            let isOwn =
                number == 0
                || !isOfVersion && !isOfPutIn && !repaired.edits.contains { place?.hasPrefix($0.place) == true }
                    && (trace.document?.mayFail(at: place, as: failure.kind) ?? false)
            if number > 0, isOwn {
                // The repaired document has no places, but what is in it has been read at one.
                failure.location = place.flatMap { path in
                    trace.document?.root.deepestDescendant(along: path).node.location
                }
                proved.furtherFailures.append(failure)
                // Another part that fails by itself is known already, though not what is behind its failure.
                let isKnown = trace.failures.dropFirst().contains { $0.reason == failure.reason }
                if isKnown, failure.reason != trace.failure?.reason { proved.replace(failure) }
            } else if number == 0 {
                if let culprit { proved = trace.proving(culprit) } else { proved.replace(failure) }
            }
            if isOwn, let proof = culprit?.proof, !proof.isOnlyRemoval, let edit = proof.change {
                repaired.edits.append(edit)
                if proof.repair == nil { putIn.append(PutIn(edit, of: proof.passing)) }
                if proof.repair == nil, proof.isOfVersion {
                    versions = proof.passing.map { .set(edit.place, $0) }.filter { $0 != edit }
                }
                guard let next = try reply(to: repaired, wanting: .trace, isCancelled: isCancelled)?.answer,
                    next.detection.version == trace.detection.version || trace.failure?.kind == .unsupportedVersion
                        || proof.isOfVersion
                else { break }
                current = next
                if proof.ending == nil {
                    let further = next.failures.first { next in
                        !left.contains { next.path?.hasPrefix($0) == true }
                    }
                    failure.culprit?.proof?.ending = further.map { .fails($0.shownPlace) } ?? .opens
                    if number == 0, let culprit = failure.culprit {
                        proved = trace.proving(culprit)
                    } else {
                        proved.furtherFailures[proved.furtherFailures.count - 1] = failure
                    }
                }
            } else if let part = current.failingPart(of: failure) {
                left.append(part)
            } else {
                break
            }
            let next = current.failures.first { next in
                !left.contains { next.path?.hasPrefix($0) == true }
            }
            guard let next else { break }
            failure = next
        }
        return proved
    }

    /// Whether a document fails so only with the version that was put in: with others that would do as well it does not.
    private func isOfVersion(
        _ failure: MigrationFailure, _ request: WorkerRequest, _ versions: [DocumentEdit],
        _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> Bool {
        for version in versions {
            var other = request
            other.edits = request.edits.map { $0.place == version.place ? version : $0 }
            let answer = try reply(to: other, wanting: .trace, isCancelled: isCancelled)?.answer
            let isSame = answer?.failures.contains { $0.kind == failure.kind && $0.message == failure.message } ?? false
            if !isSame { return true }
        }
        return false
    }

    /// Whether a document may fail so only because of the values that were put in: the error names one of them, or one of
    /// them has to agree with what is behind it, or with others in their places it does not fail so, or not for the same
    /// reason.
    private func isOfPutIn(
        _ failure: MigrationFailure, _ request: WorkerRequest, _ putIn: [PutIn],
        _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> Bool {
        let named = [failure.path].compactMap(\.self) + (failure.culprit?.others ?? [])
        if named.contains(where: { path in putIn.contains { path.hasPrefix($0.edit.place) } }) { return true }
        if putIn.isEmpty { return false }
        for value in putIn {
            // What the value decides, such as which fields are read, is known only with another value.
            guard let other = value.others.first else { return true }
            var changed = request
            changed.edits = request.edits.map { $0 == value.edit ? other : $0 }
            guard
                try failures(of: changed, like: failure, isCancelled).contains(where: { $0.message == failure.message })
            else { return true }
            // A decoder compares nothing.
            guard [.thrown, .fieldNoLongerValid].contains(failure.kind) else { continue }
            guard let change = failure.culprit?.proof?.change else { return true }
            changed.edits.append(change)
            if try !failures(of: changed, like: failure, isCancelled).isEmpty { return true }
        }
        return false
    }

    /// The failures of the same kind at the same place, in whatever words.
    private func failures(
        of request: WorkerRequest, like failure: MigrationFailure, _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> [MigrationFailure] {
        let answer = try reply(to: request, wanting: .trace, isCancelled: isCancelled)?.answer
        return (answer?.failures ?? []).filter { $0.kind == failure.kind && $0.path == failure.path }
    }

    /// How many failures behind the first are looked for.
    public static var mostFurtherFailures: Int { 20 }

    /// The value behind one of the failures of a trace, where one is proved, and what the search came to; neither where no run
    /// can be made, or the work was cancelled.
    ///
    /// - Parameters:
    ///   - source: The document without the edits of the request.
    ///   - count: How many runs there were before, and then with these.
    private func search(
        for failure: MigrationFailure, in trace: MigrationTrace, _ request: WorkerRequest, source: Document?,
        _ lenders: [Document], triesVersions: Bool = true, _ count: inout Int,
        _ isCancelled: @escaping () -> Bool, _ progress: @escaping (Int) -> Void
    ) throws(WorkerError) -> (culprit: MigrationFailure.Culprit?, summary: FailureSearch?) {
        let outlines = try outlines(of: trace, isCancelled)
        var runner = ExperimentRunner(self, trace, of: request, source: source, isCancelled: isCancelled)
        let before = count
        defer { count = before + runner.count }
        let search = CulpritSearch(
            trace, of: failure, lenders: lenders, outlines: outlines, triesVersions: triesVersions
        ) { experiment in
            defer { progress(before + runner.count) }
            return try runner.outcome(of: experiment)
        }
        guard var search else { return (nil, nil) }
        do {
            let culprit = try search.culprit()
            return (culprit, search.summary)
        } catch let error as WorkerError {
            throw error
        } catch {
            return (nil, nil)
        }
    }

    /// Whether a change of the version leaves every value of a document somewhere in what the migration makes of it, and
    /// the steps find what that version has. With another version than its own a document may open because a step takes
    /// away what fails, or makes what is missing.
    private func keepsValues(
        of trace: MigrationTrace, _ request: WorkerRequest, with edit: DocumentEdit,
        _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> Bool {
        var changed = request
        changed.edits.append(edit)
        // What a type does not read is known.
        guard try chains().first(where: { $0.name.isExactly(trace.chain ?? "") })?.isOfPayloads == true else {
            return true
        }
        let made = try reply(to: changed, wanting: .trace, isCancelled: isCancelled)?.answer
        guard let made, let document = trace.document, let result = made.result,
            document.isContained(in: result, except: trace.versionPaths)
        else { return false }
        // Where the steps that lead to its own version only add something, it may just as well lack that.
        let own = trace.versions.firstIndex { $0.version == trace.detection.version } ?? 0
        let earlier = made.steps.filter { step in trace.versions[...own].contains { $0.version == step.to } }
        return earlier.isEmpty
            || earlier.contains { step in
                step.difference?.changes.contains { $0.kind != .added && !trace.versionPaths.contains($0.path) }
                    ?? false
            }
    }

    /// Finds out by experiment what the values depend on that the steps of a migration made, and which values they
    /// forgot.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - findsOrigins: Whether it is asked where the values that the steps made come from.
    ///   - isCancelled: Asked now and then; when it returns true, the work ends at once.
    ///   - progress: Told how many runs there were.
    /// - Returns: The trace with what was found; nil where nothing was looked for, the document cannot be read any
    ///   more, or it was cancelled.
    /// - Throws: ``WorkerError``.
    public func examining(
        _ trace: MigrationTrace, of request: WorkerRequest, lenders: [Document] = [], findsOrigins: Bool = true,
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        let ofParts = PartSteps.all(of: trace)
        guard try mayExperiment(with: trace) else { return nil }
        let chain = try chains().first { $0.name.isExactly(trace.chain ?? "") }
        var budget = ExperimentBudget()
        budget.bytes /= trace.steps.count + ofParts.count + 1
        var examined = trace
        var count = 0
        do {
            let readers = try readers(of: trace, request, budget, isCancelled)
            examined.apply(readers)
            var containers = PartContainers(of: trace)
            for (index, step) in trace.steps.enumerated() where !trace.migratesByParts {
                var runner = try ExperimentRunner(
                    self, trace, step, isFirst: index == 0, of: request, isCancelled: isCancelled)
                // What the last step that reads a field leaves of it is nothing that the newest type has.
                let left = readers.filter { $0.steps.last == index }.flatMap { $0.places[index + 1] }
                let unread = readers.filter { !$0.steps.contains { $0 >= index } }.flatMap { $0.places[index] }
                let search = StepSearch(
                    before: step.before, after: step.after?.removing(allOf: left),
                    versions: trace.versionPaths + containers.take(step.before, step.after, step.difference),
                    dropped: (index == 0 && trace.leftOver != nil ? trace.dropped : []) + unread,
                    lenders: index == 0 ? lenders : [],
                    outline: try outline(of: step.from, in: trace.chain ?? "", isCancelled),
                    findsOrigins: findsOrigins, budget: budget
                ) { document in
                    defer { progress(count + runner.count) }
                    let outcome = try runner.outcome(of: step, with: document)
                    if case .made(let made) = outcome { return .made(made.removing(allOf: left)) }
                    return outcome
                }
                guard var search else {
                    let isKnown = step.before != nil && step.after != nil
                    if step.failure == nil { examined.steps[index].notExamined = isKnown ? .budget : .notEncodable }
                    continue
                }
                let finding = try search.finding()
                if finding == nil { examined.steps[index].notExamined = search.notExamined }
                count += runner.count
                let intended = chain.flatMap { chain in
                    chain.versions.firstIndex { $0.version == step.to }.map { chain.intendedLosses[$0] }
                }
                examined.steps[index].finding = finding?.intending(intended ?? [])
            }
            for reader in readers {
                guard let reason = reader.unknown else { continue }
                let left = StepFinding.Left(path: reader.path, count: 1, because: reason)
                examined.steps[examined.steps.count - 1].finding?.left.append(left)
            }
            for steps in ofParts {
                guard let whole = trace.document else { break }
                var runner = ExperimentRunner(self, trace, of: request, source: whole, isCancelled: isCancelled)
                var own = budget
                let before = steps.before
                // Each run decodes the whole document.
                if let before { own.bytes = own.bytes / max(1, whole.byteCount) * max(1, before.byteCount) }
                let search = StepSearch(
                    before: before, after: steps.after, versions: steps.versions, dropped: steps.dropped,
                    findsOrigins: findsOrigins, budget: own
                ) { parts in
                    defer { progress(count + runner.count) }
                    return try runner.outcome(of: steps, with: parts, in: whole)
                }
                let isKnown = before != nil && steps.after != nil
                guard var search else {
                    examined.note(nil, isKnown ? .budget : .notEncodable, of: steps)
                    continue
                }
                let finding = try search.finding()
                examined.note(finding, search.notExamined, of: steps)
                count += runner.count
            }
            examined.noteUnexaminedParts()
            examined.noteFindingsOfParts()
            if let chain, trace.isWritten(by: chain) {
                var runner = ExperimentRunner(
                    self, trace, of: request, source: trace.document, isCancelled: isCancelled)
                let isCurrent = trace.steps.isEmpty
                let unread =
                    isCurrent
                    ? examined.dropped + (examined.leftOver ?? []) : readers.flatMap { $0.places.last ?? [] }
                examined.writing = try writing(
                    trace, by: chain, unread: unread, lenders: isCurrent ? lenders : [], budget
                ) { document in
                    defer { progress(count + runner.count) }
                    return try runner.writing(of: document, ofVersion: chain.newestVersion)
                }
                count += runner.count
            }
            examined.reopens = try reopening(trace, of: request, isCancelled: isCancelled)
        } catch let error as WorkerError {
            throw error
        } catch {
            return nil
        }
        return examined
    }

    /// What comes of opening the result of a migration again, by its chain; nil where there is none, part of the document
    /// failed, or it was cancelled.
    ///
    /// - Parameter request: The request that the trace answers.
    /// - Throws: ``WorkerError``.
    public func reopening(
        _ trace: MigrationTrace, of request: WorkerRequest, isCancelled: @escaping () -> Bool = { false }
    ) throws(WorkerError) -> Reopening? {
        guard trace.outcome == .migrated, trace.failure == nil, let data = try? trace.resultData() else { return nil }
        var again = request
        (again.bytes, again.edits, again.chain) = (SourceBytes(data), [], trace.chain)
        (again.opensTraces, again.tellsSteps, again.version) = (false, false, nil)
        guard let result = try reply(to: again, wanting: .outcome, isCancelled: isCancelled)?.answer else { return nil }
        return Reopening(result.failure)
    }

    /// What the app loses of a document of the newest version when it saves it the next time.
    ///
    /// - Parameter unread: What the newest type does not read of it.
    private func writing(
        _ trace: MigrationTrace, by chain: ChainDescription, unread: [DocumentPath], lenders: [Document],
        _ budget: ExperimentBudget, _ run: @escaping (Document) throws -> StepSearch.Outcome
    ) throws -> MigrationTrace.Writing {
        guard let before = trace.steps.isEmpty ? trace.document : trace.result, case .made(let after) = try run(before)
        else {
            return MigrationTrace.Writing(notExamined: .notEncodable)
        }
        // What migrates by itself is examined by itself.
        let parts = trace.parts.filter { !$0.steps.isEmpty }.compactMap(\.path)
        var containers = PartContainers(of: trace)
        let difference = DocumentDifference(old: before.root, new: after.root)
        let versions = trace.steps.isEmpty ? containers.take(before, after, difference) : []
        let search = StepSearch(
            before: before, after: after, versions: trace.versionPaths + versions,
            dropped: unread + parts, lenders: lenders,
            findsOrigins: false, budget: budget, run: run)
        guard var search else { return MigrationTrace.Writing(notExamined: .budget) }
        let finding = try search.finding()?.intending(chain.intendedLosses.last ?? [])
        return MigrationTrace.Writing(finding: finding, notExamined: finding == nil ? search.notExamined : nil)
    }

    /// Which steps read the fields that the newest type does not decode; none where that is known without experiments.
    private func readers(
        of trace: MigrationTrace, _ request: WorkerRequest, _ budget: ExperimentBudget,
        _ isCancelled: @escaping () -> Bool
    ) throws -> [FieldReaders] {
        guard trace.leftOver == nil else { return [] }
        var readers = trace.dropped.map { FieldReaders(path: $0, places: [[$0]]) }
        for (index, step) in trace.steps.enumerated() {
            guard let before = step.before, let after = step.after else {
                for number in readers.indices {
                    readers[number].unknown = .notEncodable
                    readers[number].places.append(readers[number].places[index])
                }
                continue
            }
            var runner = try ExperimentRunner(
                self, trace, step, isFirst: index == 0, of: request, isCancelled: isCancelled)
            var reading = FieldReading(before: before, after: after, budget: budget) {
                try runner.outcome(of: step, with: $0)
            }
            let difference = readers.isEmpty ? nil : step.difference
            for number in readers.indices {
                let places = readers[number].places[index]
                let newPlaces = difference?.newPaths(of: places.flatMap(before.root.values)) ?? places
                readers[number].places.append(newPlaces)
                switch try reading.reads(places, now: newPlaces) {
                case true?: readers[number].steps.append(index)
                case false?: break
                case nil: readers[number].unknown = reading.unknown
                }
            }
        }
        return readers
    }

    /// The smallest document that fails in the same way as a document that was traced, and how many runs that took; nil
    /// where its migration may not run again and again, or fails in another way each time.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - isCancelled: Asked now and then; when it returns true, the work ends at once.
    ///   - progress: Told of each smaller document, and how many runs there were.
    /// - Throws: ``WorkerError``; `SourceError` where the document cannot be read any more; and an error of its own when it
    ///   was cancelled.
    public func shrinking(
        _ trace: MigrationTrace, of request: WorkerRequest, isCancelled: @escaping () -> Bool = { false },
        progress: (Document, Int) -> Void = { _, _ in }
    ) throws -> (document: Document, runs: Int)? {
        guard try mayExperiment(with: trace), let document = trace.document, trace.failure != nil else { return nil }
        // What is left is to be found and to fail without a word about its chain.
        var runner = ExperimentRunner(
            self, trace, of: request, source: document, isRecognized: true, isCancelled: isCancelled)
        let first = try runner.outcome(of: document)
        guard try runner.outcome(of: document).isSameFailure(of: document, as: first, of: document) else { return nil }
        let shrunk = try DocumentShrinker.shrink(document) { smaller in
            let isSame = try runner.outcome(of: smaller).isSameFailure(of: smaller, as: first, of: document)
            if isSame { progress(smaller, runner.count) }
            return isSame
        }
        return (shrunk, runner.count)
    }

    /// Whether the migration of a document may be run again and again.
    ///
    /// - Throws: ``WorkerError``.
    public func mayExperiment(with trace: MigrationTrace) throws(WorkerError) -> Bool {
        guard inProcess == nil, let name = trace.chain else { return false }
        return try chains().contains { $0.name.isExactly(name) && $0.isRepeatable }
    }
}

extension Document {
    /// Whether a failure may be one of the document: a value that the steps made of another one, which may have been put
    /// there, is none of it.
    fileprivate func mayFail(at place: DocumentPath?, as kind: MigrationFailure.Kind) -> Bool {
        guard let place, [.thrown, .fieldNoLongerValid].contains(kind) else { return true }
        let (node, rest) = root.deepestDescendant(along: place)
        // A string or data may hold it.
        return rest.isEmpty || [.string, .data].contains(node.kind)
    }
}

/// A value that gets past a failure without mending it.
private struct PutIn {
    let edit: DocumentEdit
    /// Others that get past it as well, at the same place.
    let others: [DocumentEdit]

    init(_ edit: DocumentEdit, of passing: [Document]) {
        self.edit = edit
        others = passing.compactMap { value in
            switch edit {
            case .set(let path, let own) where !own.root.isEqual(to: value.root): .set(path, value)
            case .add(let path, let own) where !own.root.isEqual(to: value.root): .add(path, value)
            default: nil
            }
        }
    }
}

/// The steps that read a field which the newest type does not decode.
private struct FieldReaders {
    let path: DocumentPath
    /// Where it is before each step, and behind the last.
    var places: [[DocumentPath]]
    /// The numbers of the steps, from 0.
    var steps: [Int] = []
    /// Why it is not known of every step; nil where it is.
    var unknown: StepFinding.Left.Reason?

    /// Whether the last document still has it where it was.
    var stays: Bool { places.last?.contains { $0.foldingIndices == path } == true }
}

extension MigrationTrace {
    /// Tells fields that steps read from those that nothing reads. A field of which it is not known is neither.
    fileprivate mutating func apply(_ readers: [FieldReaders]) {
        guard leftOver == nil else { return }
        leftOver = readers.filter { !$0.steps.isEmpty && $0.stays }.map(\.path)
        dropped = readers.filter { $0.steps.isEmpty && $0.unknown == nil }.map(\.path)
    }

    /// Whether the newest type reads and writes the document in a way that no step shows.
    fileprivate func isWritten(by chain: ChainDescription) -> Bool {
        failure == nil && target == chain.newestVersion && (outcome == .current || outcome == .migrated)
            && (steps.isEmpty || chain.isOfPayloads) && !migratesByParts
    }

    /// Where the versions of the chain have their version.
    fileprivate var versionPaths: [DocumentPath] {
        Array(Set(detection.attempts.compactMap(\.path) + [detection.path].compactMap(\.self)))
    }
}
