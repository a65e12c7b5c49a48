import DocumentModel
import MigrationCore

extension WorkerHost {
    /// Searches by experiment for the value that causes the failure of a trace. Then assumes that each proved repair
    /// has been made, and searches for the causes of the failures that follow.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - lenders: Other documents of the chain, whose values are tried.
    ///   - isCancelled: Called now and then. If it returns true, the work ends at once.
    ///   - progress: Called with the number of runs so far.
    /// - Returns: The trace with the findings; nil if no experiment is possible, the document can no longer be read, or
    ///   the search was cancelled.
    /// - Throws: ``WorkerError``.
    public func proving(
        _ trace: MigrationTrace, of request: WorkerRequest, lenders: [Document] = [],
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        guard try mayExperiment(with: trace), var failure = trace.failure else { return nil }
        var (current, proved, count) = (trace, trace, 0)
        var repaired = request
        repaired.chain = trace.chain
        // The parts that fail independently and aren't repaired. Other parts may fail as well.
        var left: [DocumentPath] = []
        // Values that only get past a failure. A value that doesn't agree with them fails for that reason.
        var putIn: [PutIn] = []
        // Other versions that would work as well as the one that was put in.
        var versions: [DocumentEdit] = []
        for number in 0...Self.mostFurtherFailures {
            var (culprit, summary) = try search(
                for: failure, in: current, repaired, source: trace.document, lenders, &count, isCancelled, progress)
            if number == 0, summary == nil { return nil }
            if let edit = culprit?.proof?.change, culprit?.proof?.isOfVersion == true,
                current.detection.version != nil,
                try !keepsValues(of: current, repaired, with: edit, isCancelled)
            {
                let other = try search(
                    for: failure, in: current, repaired, source: trace.document, lenders, triesVersions: false, &count,
                    isCancelled, progress)
                culprit = other.culprit
                summary?.changes += other.summary?.changes ?? 0
                // The document also opens as another version, so a repair that doesn't open it completely is uncertain,
                // and so is a change of the version.
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
            // A failure at a value that was put in isn't a mistake in the document.
            let place = failure.culprit?.path ?? failure.path
            let isOfPutIn = number > 0 ? try isOfPutIn(failure, repaired, putIn, isCancelled) : false
            let isOfVersion = number > 0 ? try isOfVersion(failure, repaired, versions, isCancelled) : false
            let isOwn =
                number == 0
                || !isOfVersion && !isOfPutIn && !repaired.edits.contains { place?.hasPrefix($0.place) == true }
                    && (trace.document?.mayFail(at: place, as: failure.kind) ?? false)
            if number > 0, isOwn {
                // The repaired document has no source locations, but the value was read from one.
                failure.location = place.flatMap { path in
                    trace.document?.root.deepestDescendant(along: path).node.location
                }
                proved.furtherFailures.append(failure)
                // It's already known that other parts fail independently, but not why.
                let isKnown = trace.failures.dropFirst().contains { $0.reason == failure.reason }
                if isKnown, failure.reason != trace.failure?.reason { proved.replace(failure) }
            } else if number == 0 {
                if let culprit { proved = trace.proving(culprit) } else { proved.replace(failure) }
            }
            // What fails after a change of a value that need not be at fault is no failure of the document.
            if let culprit, culprit.others.isEmpty, !culprit.certain, culprit.proof?.isOnlyRemoval == false { break }
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

    /// Whether a failure occurs only with the version that was put in, and not with other versions that would work as
    /// well.
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

    /// Whether a failure occurs only because of the values that were put in: the error names one of them, the failing
    /// value has to agree with one of them, or an equally good value in its place makes the failure disappear or
    /// changes its message.
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

    /// Returns the failures of the same kind at the same path, whatever their messages.
    private func failures(
        of request: WorkerRequest, like failure: MigrationFailure, _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> [MigrationFailure] {
        let answer = try reply(to: request, wanting: .trace, isCancelled: isCancelled)?.answer
        return (answer?.failures ?? []).filter { $0.kind == failure.kind && $0.path == failure.path }
    }

    /// The maximum number of failures to search for after the first.
    public static var mostFurtherFailures: Int { 20 }

    /// Searches for the value that causes one of the failures of a trace. Returns the value if it's proved, and a
    /// summary of the search; returns neither if no run is possible or the search was cancelled.
    ///
    /// - Parameters:
    ///   - source: The document without the edits of the request.
    ///   - count: The number of runs so far. The runs of this search are added.
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

    /// Whether a change of the version keeps every value of a document somewhere in the result of its migration, and
    /// the steps use what that version has. With a wrong version, a document may open just because a step removes what
    /// fails, or adds what is missing.
    private func keepsValues(
        of trace: MigrationTrace, _ request: WorkerRequest, with edit: DocumentEdit,
        _ isCancelled: @escaping () -> Bool
    ) throws(WorkerError) -> Bool {
        var changed = request
        changed.edits.append(edit)
        if let container = edit.place.parent, let part = trace.document.flatMap({ $0.container(at: container) }) {
            let made = try reply(to: changed, wanting: .trace, isCancelled: isCancelled)?.answer
            guard made?.mayBeOfVersion(part, inContainerAt: container, insteadOf: trace) == true else { return false }
            let place = container.appending(key: "instance")
            return try keepsValues(of: part, at: place, [DocumentPath([.key("version")])], changed, isCancelled) {
                $0.part(inContainerAt: container)?.result
            }
        }
        // In other chains, it's known which values a type doesn't read. A document that decoded as its own version, and
        // then failed in a step, is of another version only if it has a field that only that version knows.
        let chain = try chains().first { $0.name.isExactly(trace.chain ?? "") }
        guard let chain, chain.isOfPayloads else {
            guard trace.failure?.step != nil, trace.failure?.isOfShape == false else { return true }
            let made = try reply(to: changed, wanting: .trace, isCancelled: isCancelled)?.answer
            guard
                try outline(of: trace.detection.version ?? .unversioned, in: trace.chain ?? "", isCancelled)?
                    .isComplete == true
            else { return false }
            return try knowsMore(of: trace, made?.detection.version, isCancelled)
        }
        let versionPaths = trace.versionPaths(in: chain)
        let made = try reply(to: changed, wanting: .trace, isCancelled: isCancelled)?.answer
        guard let made, let document = trace.document,
            try keepsValues(of: document, at: .root, versionPaths, changed, isCancelled, in: \.result)
        else { return false }
        // If the steps that lead to its own version only add values, the document may just as well lack them.
        let own = trace.versions.firstIndex { $0.version == trace.detection.version } ?? 0
        let earlier = made.steps.filter { step in trace.versions[...own].contains { $0.version == step.to } }
        if !earlier.isEmpty {
            return earlier.contains { step in
                step.difference?.changes.contains { $0.kind != .added && !versionPaths.contains($0.path) }
                    ?? false
            }
        }
        // With a later version the steps that fail don't run. Only fields that the document has show that it is of that
        // version.
        return try knowsMore(of: trace, made.detection.version, isCancelled)
    }

    /// Whether a document has a field that another version of its chain knows, and the version that it states does not.
    private func knowsMore(
        of trace: MigrationTrace, _ other: DocumentVersion?, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> Bool {
        guard let chain = trace.chain, let root = trace.document?.root, let stated = trace.detection.version,
            let other, let old = try outline(of: stated, in: chain, isCancelled)?.spelled(in: trace.format),
            let new = try outline(of: other, in: chain, isCancelled)?.spelled(in: trace.format)
        else { return false }
        let known = Set(old.fields.map(\.path))
        return new.fields.contains { !known.contains($0.path) && root.hasValue(at: $0.path.components[...]) }
    }

    /// Whether the result of a migration has every value of a document, or changes with each value that it lacks.
    ///
    /// - Parameters:
    ///   - place: The path of the document in that of the request.
    ///   - versionPaths: The values to leave out.
    ///   - result: Returns the result from a trace.
    private func keepsValues(
        of document: Document, at place: DocumentPath, _ versionPaths: [DocumentPath], _ request: WorkerRequest,
        _ isCancelled: @escaping () -> Bool, in result: (MigrationTrace) -> Document?
    ) throws(WorkerError) -> Bool {
        guard let trace = try reply(to: request, wanting: .trace, isCancelled: isCancelled)?.answer,
            let made = result(trace)
        else { return false }
        let missing = document.values(notIn: made, except: versionPaths)
        guard missing.count <= Self.mostMissing else { return false }
        for node in missing {
            let trials = TrialValues(for: node)
            var isCarried = false
            for number in 0..<TrialValues.enough where !isCarried {
                guard let value = trials[number] else { break }
                var changed = request
                changed.edits.append(.set(place.appending(node.path), value))
                let other = try reply(to: changed, wanting: .trace, isCancelled: isCancelled)?.answer
                isCarried = other.flatMap(result).map { !$0.root.isEqual(to: made.root) } ?? false
            }
            if !isCarried { return false }
        }
        return true
    }

    /// The number of values that a result may have in another form. Each takes a few runs.
    private static var mostMissing: Int { 32 }

    /// Finds out by experiment which values the steps of a migration depend on, and which values they lose.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - lenders: Other documents of the chain, whose values are tried.
    ///   - findsOrigins: Whether to find out where the values that the steps made come from.
    ///   - isCancelled: Called now and then. If it returns true, the work ends at once.
    ///   - progress: Called with the number of runs so far.
    /// - Returns: The trace with the findings; nil if no experiment is possible, the document can no longer be read, or
    ///   the work was cancelled.
    /// - Throws: ``WorkerError``.
    public func examining(
        _ trace: MigrationTrace, of request: WorkerRequest, lenders: [Document] = [], findsOrigins: Bool = true,
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        let ofParts = PartSteps.all(of: trace)
        guard try mayExperiment(with: trace) else { return nil }
        let chain = try chains().first { $0.name.isExactly(trace.chain ?? "") }
        let versionPaths = trace.versionPaths(in: chain)
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
                // After the last step that reads a field, its remains aren't part of the newest type.
                let left = readers.filter { $0.steps.last == index }.flatMap { $0.places[index + 1] }
                let unread = readers.filter { !$0.steps.contains { $0 >= index } }.flatMap { $0.places[index] }
                let search = StepSearch(
                    before: step.before, after: step.after?.removing(allOf: left),
                    versions: versionPaths + containers.take(step.before, step.after, step.difference),
                    dropped: (index == 0 && trace.leftOver != nil ? trace.dropped : []) + unread,
                    lenders: index == 0 ? lenders : [],
                    outline: try outline(of: step.from, in: trace.chain ?? "", isCancelled)?
                        .spelled(in: trace.format),
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
                if let made = trace.steps.last?.after, let lost = examined.writing?.finding?.lost, !lost.isEmpty {
                    let own = try ownLosses(of: examined, among: lost, made, lenders, budget, &runner)
                    examined.writing?.finding?.lost = own
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

    /// Opens the result of a migration again, with its chain. Returns nil if there is no result, part of the document
    /// failed, or the work was cancelled.
    ///
    /// - Parameter request: The request that the trace answers.
    /// - Throws: ``WorkerError``.
    public func reopening(
        _ trace: MigrationTrace, of request: WorkerRequest, isCancelled: @escaping () -> Bool = { false }
    ) throws(WorkerError) -> Reopening? {
        guard trace.outcome == .migrated, trace.failure == nil, let data = try? trace.resultData() else { return nil }
        var again = request
        (again.bytes, again.edits, again.chain) = (SourceBytes(data), [], trace.chain)
        (again.opensTraces, again.sendsSteps, again.version) = (false, false, nil)
        guard let result = try reply(to: again, wanting: .outcome, isCancelled: isCancelled)?.answer else { return nil }
        return Reopening(result.failure)
    }

    /// Finds out what the app loses from a document of the newest version on its next save.
    ///
    /// - Parameter unread: The values that the newest type doesn't read.
    private func writing(
        _ trace: MigrationTrace, by chain: ChainDescription, unread: [DocumentPath], lenders: [Document],
        _ budget: ExperimentBudget, _ run: @escaping (Document) throws -> StepSearch.Outcome
    ) throws -> MigrationTrace.Writing {
        guard let before = trace.steps.isEmpty ? trace.document : trace.result, case .made(let after) = try run(before)
        else {
            return MigrationTrace.Writing(notExamined: .notEncodable)
        }
        // Parts that migrate on their own are examined separately.
        let parts = trace.parts.filter { !$0.steps.isEmpty }.compactMap(\.path)
        var containers = PartContainers(of: trace)
        let difference = DocumentDifference(old: before.root, new: after.root)
        let versions = trace.steps.isEmpty ? containers.take(before, after, difference) : []
        let search = StepSearch(
            before: before, after: after, versions: trace.versionPaths(in: chain) + versions,
            dropped: unread + parts, lenders: lenders,
            outline: try outline(of: chain.newestVersion, in: chain.name) { false },
            findsOrigins: false, budget: budget, run: run)
        guard var search else { return MigrationTrace.Writing(notExamined: .budget) }
        let finding = try search.finding()?.intending(chain.intendedLosses.last ?? [])
        return MigrationTrace.Writing(finding: finding, notExamined: finding == nil ? search.notExamined : nil)
    }

    /// Returns those values of the last document that the next save loses with a value of the original document. What
    /// the steps made themselves, or what is also kept elsewhere, is no loss.
    ///
    /// - Parameters:
    ///   - lost: The values of the last document that are not in what is written.
    ///   - made: The last document.
    private func ownLosses(
        of trace: MigrationTrace, among lost: [DocumentPath], _ made: Document, _ lenders: [Document],
        _ budget: ExperimentBudget, _ runner: inout ExperimentRunner
    ) throws -> [DocumentPath] {
        let version = trace.detection.version
        guard let document = trace.document,
            case .made(let written) = try runner.writing(of: document, ofVersion: version)
        else { return lost }
        let chain = try chains().first { $0.name.isExactly(trace.chain ?? "") }
        var own = runner
        let search = StepSearch(
            before: document, after: written, versions: trace.versionPaths(in: chain), dropped: trace.dropped,
            lenders: lenders, findsOrigins: false, budget: budget
        ) { try own.writing(of: $0, ofVersion: version) }
        // Nothing is known about values of the document about which the search found out nothing.
        guard var search, let finding = try search.finding(), finding.left.isEmpty else { return lost }
        var gone = finding.lost.flatMap(document.root.values).flatMap(\.nodes).filter {
            !$0.kind.isContainer && $0.kind != .key && !$0.isNull
        }
        for (index, step) in trace.steps.enumerated() {
            guard let before = step.before else { return lost }
            // What a step lost by itself is reported for that step.
            for path in step.finding?.lost ?? [] {
                let places = trace.steps[..<index].reversed().reduce(before.root.values(along: path).map(\.path)) {
                    paths, step in
                    step.difference.map { difference in
                        difference.oldPaths(of: paths.compactMap { step.after?.root.descendant(at: $0) })
                    } ?? paths
                }
                gone.removeAll { node in places.contains { node.path.hasPrefix($0) } }
            }
        }
        if gone.isEmpty { return [] }
        /// Returns the paths that values of the last document had in the original, as far as they were not made.
        func origins(of path: DocumentPath) -> [DocumentPath] {
            trace.steps.reversed().reduce(made.root.values(along: path).map(\.path)) { paths, step in
                let nodes = paths.compactMap { step.after?.root.descendant(at: $0) }
                return step.difference?.oldPaths(of: nodes) ?? []
            }
        }
        let traced = lost.map { (path: $0, origins: origins(of: $0)) }
        func isGone(_ path: DocumentPath) -> Bool {
            gone.contains { $0.path.hasPrefix(path) }
        }
        // A value that was converted has no counterpart in the document. It depends on a value that is gone if it
        // changes with those.
        var converted: Set<DocumentPath> = []
        let trials = gone.map { ($0.id, TrialValues(for: $0)) }
        for round in 0..<TrialValues.enough where traced.contains(where: \.origins.isEmpty) {
            let values = trials.compactMap { id, trial in trial[round].map { (id, Document?.some($0)) } }
            let changed = document.replacing(Dictionary(values) { first, _ in first })
            guard let result = try runner.trace(of: changed)?.steps.last?.after else { continue }
            for (path, _) in traced {
                let (old, new) = (made.root.values(along: path), result.root.values(along: path))
                if old.count != new.count || !zip(old, new).allSatisfy({ $0.isEqual(to: $1) }) {
                    converted.insert(path)
                }
            }
        }
        return traced.filter { path, origins in
            origins.isEmpty ? converted.contains(path) : origins.contains(where: isGone)
        }
        .map(\.path)
    }

    /// Finds out which steps read the fields that the newest type doesn't decode. Returns an empty array if that's
    /// known without experiments.
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

    /// Returns the smallest document that fails in the same way as a traced document, and the number of runs it took to
    /// find it; nil if the migration may not be repeated, or fails in a different way each time.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - isCancelled: Called now and then. If it returns true, the work ends at once.
    ///   - progress: Called with each smaller document and the number of runs so far.
    /// - Throws: ``WorkerError``; `SourceError` if the document can no longer be read; another error if the work was
    ///   cancelled.
    public func shrinking(
        _ trace: MigrationTrace, of request: WorkerRequest, isCancelled: @escaping () -> Bool = { false },
        progress: (Document, Int) -> Void = { _, _ in }
    ) throws -> (document: Document, runs: Int)? {
        guard try mayExperiment(with: trace), let document = trace.document, trace.failure != nil else { return nil }
        // The smaller document must be recognized and fail without a chain being specified.
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

    /// Whether the migration of a document may be repeated.
    ///
    /// - Throws: ``WorkerError``.
    public func mayExperiment(with trace: MigrationTrace) throws(WorkerError) -> Bool {
        guard inProcess == nil, let name = trace.chain else { return false }
        return try chains().contains { $0.name.isExactly(name) && $0.isRepeatable }
    }
}

extension Document {
    /// Whether a failure may be due to the document itself. It isn't if the failing value was made by a step from
    /// another value, which may have been put in.
    fileprivate func mayFail(at place: DocumentPath?, as kind: MigrationFailure.Kind) -> Bool {
        guard let place, [.thrown, .fieldNoLongerValid].contains(kind) else { return true }
        let (node, rest) = root.deepestDescendant(along: place)
        // A string or data may contain the value.
        return rest.isEmpty || [.string, .data].contains(node.kind)
    }
}

extension Document {
    /// Returns the document in the container at a path, which states a version next to it, or nil if there is none.
    fileprivate func container(at path: DocumentPath) -> Document? {
        root.descendant(at: path)?["instance"]?.held.flatMap { $0.form == .text ? nil : $0.document }
    }
}

extension MigrationTrace {
    /// Whether a document in a container may be of the version that the container states in this trace.
    ///
    /// - Parameters:
    ///   - own: The document.
    ///   - other: The trace with the container's own version.
    fileprivate func mayBeOfVersion(
        _ own: Document, inContainerAt path: DocumentPath, insteadOf other: MigrationTrace
    ) -> Bool {
        guard let part = part(inContainerAt: path) else { return false }
        let version = DocumentPath([.key("version")])
        let stated = own.root["version"].flatMap { $0.numberText ?? $0.string }
        if let found = part.detection.version, stated == "\(found)" { return true }
        guard let before = other.part(inContainerAt: path)?.detection.version,
            let old = part.versions.firstIndex(where: { $0.version == before }),
            let new = part.versions.firstIndex(where: { $0.version == part.detection.version })
        else { return true }
        // With a later version, the steps that fail don't run, and nothing shows that the document is of that version.
        // If the steps that lead to its own version only add values, the document may just as well lack them.
        let earlier = part.steps.filter { step in part.versions[...old].contains { $0.version == step.to } }
        return new < old
            && earlier.contains { step in
                step.difference?.changes.contains { $0.kind != .added && $0.path != version } ?? false
            }
    }

    /// Returns the part in the container at a path.
    fileprivate func part(inContainerAt path: DocumentPath) -> MigrationTrace? {
        for part in parts {
            if part.instance != nil, part.path == path { return part }
            if path.hasPrefix(part.base), let found = part.part(inContainerAt: path.inside(part.base)) { return found }
        }
        return nil
    }
}

/// A value that gets past a failure without repairing it.
private struct PutIn {
    let edit: DocumentEdit
    /// Other values at the same path that also get past it.
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

/// The steps that read a field that the newest type doesn't decode.
private struct FieldReaders {
    let path: DocumentPath
    /// The paths of the field before each step, and after the last step.
    var places: [[DocumentPath]]
    /// The indices of the steps, from 0.
    var steps: [Int] = []
    /// Why it isn't known for every step; nil if it is.
    var unknown: StepFinding.Left.Reason?

    /// Whether the last document still has the field at its original path.
    var stays: Bool { places.last?.contains { $0.foldingIndices == path } == true }
}

extension MigrationTrace {
    /// Separates fields that steps read from fields that nothing reads. A field for which this isn't known is in
    /// neither list.
    fileprivate mutating func apply(_ readers: [FieldReaders]) {
        guard leftOver == nil else { return }
        leftOver = readers.filter { !$0.steps.isEmpty && $0.stays }.map(\.path)
        dropped = readers.filter { $0.steps.isEmpty && $0.unknown == nil }.map(\.path)
    }

    /// Whether the newest type decodes and encodes the document in a way that no step shows.
    fileprivate func isWritten(by chain: ChainDescription) -> Bool {
        failure == nil && target == chain.newestVersion && (outcome == .current || outcome == .migrated)
            && (steps.isEmpty || chain.isOfPayloads) && !migratesByParts
    }

    /// The paths at which the versions of the chain store their version, all of them if a version is read from several
    /// values.
    fileprivate func versionPaths(in chain: ChainDescription?) -> [DocumentPath] {
        let stated = chain?.statements.joined().map(\.path) ?? []
        return Array(Set(detection.attempts.compactMap(\.path) + [detection.path].compactMap(\.self) + stated))
    }
}

extension DocumentNode {
    /// Whether there is a value at a path in which `[*]` stands for any position and `.*` for any member.
    fileprivate func hasValue(at path: ArraySlice<DocumentPath.Component>) -> Bool {
        guard let first = path.first else { return true }
        let rest = path.dropFirst()
        return switch first {
        case .key(let name): self[name]?.hasValue(at: rest) ?? false
        case .everyElement: elements.contains { $0.hasValue(at: rest) }
        case .everyMember: members.contains { $0.value.hasValue(at: rest) }
        default: false
        }
    }
}
