import DocumentModel

/// The run of one document through a chain.
///
/// Checking, migrating, and tracing are the same run. To migrate, the run encodes the result of the last step. A trace
/// encodes every value as soon as it is made, because a later step may modify a value of class type.
struct ChainRun {
    private let chain: StagedChain
    private let document: Document
    private let target: DocumentVersion?
    private let detail: RunDetail
    /// What observes the run. Nothing observes the runs of parts.
    private let observer: (any RunObserver)?
    private var reading: Reading

    private(set) var builder: TraceBuilder
    /// Whether the failure came after the first step. A check has not made the documents that are needed to explain it.
    private(set) var needsTrace = false
    /// The error that was thrown, if any.
    private(set) var error: (any Error)?
    /// The value of the final decoding, in a chain that decodes at the end.
    private(set) var finished: Any?
    /// The record of what the final decoding read, in such a chain.
    private var finalRecord: ReadRecord?
    private var watch = Stopwatch(runs: false)

    init(
        chain: StagedChain, document: Document, source: String, target: DocumentVersion?, detail: RunDetail,
        for observer: (any RunObserver)? = nil
    ) {
        self.chain = chain
        self.observer = observer
        self.document = document
        self.target = target
        self.detail = detail
        reading = Reading(document, chain.decoder, chain.encoder, detail: detail)
        builder = TraceBuilder(chain, document, source: source, target: target, detail: detail)
    }

    /// Runs the document to the target, starting from an earlier detection if there is one.
    mutating func run(from found: DetectedStage? = nil) {
        watch = Stopwatch(runs: detail.keepsSteps)
        observer?.enter(chain.name, .detecting)
        let detected = found ?? chain.detector.detect(reading)
        if let decoded = detected.decoded { reading = decoded.reading }
        builder.detect(detected.version, at: detected.path, attempts: detected.attempts)
        builder.warn(detected.warnings)
        guard let first = detected.stage else { return fail(detecting: detected) }
        let goal = target.map { target in chain.stages.firstIndex { $0.version == target } } ?? chain.stages.count - 1
        guard let goal, first <= goal else {
            return builder.fail(chain.unreachable(target ?? .unversioned, from: chain.stages[first].version))
        }
        if chain.finish != nil, first < goal, !document.format.isPropertyList {
            // The payload that closures edit is read with JSONSerialization.
            if let problem = document.json5Problem { return builder.fail(MigrationFailure(parsing: problem)) }
            builder.noteLastRead(but: detected.path)
        }
        builder.expect(steps: goal - first)
        walk(detected, first, goal)
        // The findings on parts are complete only after the parts were decoded, at the start or at the end.
        builder.note(reading.recorder, finalRecord ?? reading.record)
    }

    /// Returns the trace of the run, and leaves the run without one.
    mutating func takeTrace() -> MigrationTrace { builder.takeTrace() }

    /// Decodes the document, and runs the steps from one stage to another.
    private mutating func walk(_ detected: DetectedStage, _ first: Int, _ goal: Int) {
        note(.decoding, first)
        var value: Any = ()
        guard open(detected, first, as: &value) else { return }
        builder.trace.decodingSeconds = watch.lap()
        for index in first..<goal {
            guard step(&value, to: index + 1, isLast: index + 1 == goal) else { return }
        }
        if goal == chain.stages.count - 1, let finish = chain.finish, let payload = value as? Document {
            let record = ReadRecord()
            finalRecord = record
            note(.finishing, goal)
            guard let decoded = self.finish(payload, record, isStepped: first < goal, finish) else { return }
            finished = decoded
        }
        guard first == goal || finished != nil, detail == .writing || reading.recorder.hasMigratedParts else { return }
        note(.encoding, goal)
        let stage = chain.stages[goal]
        var code = stage.code
        if let finished, let finish = chain.finish { (value, code) = (finished, finish) }
        builder.rewrite(written(&value, of: stage.type, by: code, isResult: true, isLast: true))
    }

    /// Returns the document that the app writes for a value of a type, if the run needs more than the outcome.
    ///
    /// The function is `mutating` because the compiler copies the run to call a function that isn't.
    ///
    /// - Parameter isLast: Whether no later step needs the value.
    private mutating func written(
        _ value: inout Any, of type: String, by code: any StageCode, isResult: Bool, isLast: Bool
    ) -> MigrationStep.Ending {
        guard detail.encodes(isResult: isResult) else { return .checked }
        let ending = MigrationStep.Ending(encoding: type) {
            try code.encode(value, chain.encoder, document.format.written)
        }
        // A large document is about to be in memory twice. Release the value first if no step needs it.
        if isLast { value = () }
        guard let observer, detail.keepsSteps, case .made(let made) = ending else { return ending }
        return .made(observer.made(made))
    }

    /// Records what the app's code is about to do, for the observer. The time this takes does not count as the app's.
    private mutating func note(_ phase: RunPlace.Phase, _ stage: Int) {
        guard let observer else { return }
        var watch = watch
        watch.leaveOut {
            if detail.keepsSteps, phase == .decoding || phase == .stepping { observer.knows(builder.trace) }
            observer.note(phase, stage: stage)
        }
        self.watch = watch
    }

    /// Decodes the document as its own version.
    ///
    /// - Returns: Whether the type could decode it.
    private mutating func open(_ detected: DetectedStage, _ first: Int, as value: inout Any) -> Bool {
        let (stage, reading, record) = (chain.stages[first], reading, reading.record)
        do {
            value = try detected.decoded?.value ?? stage.code.decode(reading.root, reading.decoder, record)
            // A null version key counts as no version, so it was read too.
            if let versionPath = detected.path ?? stage.versionPath {
                let isField = record.insert(versionPath, in: reading.root)
                // A type that is decoded at the end has the version among its own fields.
                if isField, detected.path != nil, chain.finish == nil {
                    warnOfHiddenField(at: versionPath, type: stage.type)
                }
            }
            if let versionRecord = detected.versionRecord { record.formUnion(versionRecord) }
            builder.trace.dropped = reading.dropped
            builder.warn(reading.caught)
            return true
        } catch {
            self.error = error
            // Values not read before the error might have been read after it, so none are known to be dropped.
            if let path = detected.path, let node = reading.root.descendant(at: path), record.contains(node) {
                warnOfHiddenField(at: path, type: stage.type)
            }
            if let other = otherFittingStage(than: first, detected) {
                builder.warn([.fitsOtherVersion(claimed: stage.version, fitting: other.version)])
            }
            let part = reading.recorder.part(throwing: error)
            builder.fail(explainer.decoding(error, reading, part))
            return false
        }
    }

    /// Returns another stage that decodes the document and reads all of it, although the document states a version
    /// whose type read less. An unversioned type doesn't qualify, because it may require nothing at all.
    private func otherFittingStage(than claimed: Int, _ detected: DetectedStage) -> ChainStage? {
        guard detected.isStated, chain.finish == nil else { return nil }
        let values = detected.versionValues(of: chain.stages[claimed])
        guard !reading.isWhole(but: values) else { return nil }
        return chain.stages.enumerated().last { index, stage in
            guard index != claimed, stage.version != .unversioned else { return false }
            let reading = reading.again()
            guard (try? stage.code.decode(reading.root, reading.decoder, reading.record)) != nil else { return false }
            // A document may have the version keys of both types.
            for value in stage.versionValues { reading.record.insert(value, in: reading.root) }
            return reading.isWhole(but: values)
        }?.element
    }

    /// Runs the step to the stage at `index`. The old value is released before the new one is encoded.
    ///
    /// - Returns: Whether the step succeeded.
    private mutating func step(_ value: inout Any, to index: Int, isLast: Bool) -> Bool {
        let (stage, next) = (chain.stages[index - 1], chain.stages[index])
        note(.stepping, index)
        do {
            value = try next.code.migrate(value)
            let seconds = watch.lap()
            note(.encoding, index)
            // A final decoding still needs the last value.
            let ending = written(
                &value, of: next.type, by: next.code, isResult: isLast, isLast: isLast && chain.finish == nil)
            builder.step(stage.chainVersion, next.chainVersion, note: next.note, seconds: seconds, ending)
            if !isLast { watch.restart() }
            return true
        } catch {
            self.error = (error as? StepError)?.thrown ?? error
            needsTrace = !detail.keepsSteps && builder.isMigrated
            let failure = explainer.step(
                error, .init(from: stage.version, to: next.version), before: builder.before?.root,
                behind: builder.trace.steps, record: reading.record)
            builder.step(
                stage.chainVersion, next.chainVersion, note: next.note, seconds: watch.seconds,
                .failed(failure))
            return false
        }
    }

    /// Decodes the result of the steps.
    private mutating func finish(
        _ payload: Document, _ record: ReadRecord, isStepped: Bool,
        _ finish: any StageCode
    ) -> Any? {
        do {
            let value = try finish.decode(payload.root, reading.decoder, record)
            if let versionPath = chain.stages.last?.versionPath { record.insert(versionPath, in: payload.root) }
            // A value that the steps created and nothing reads was never in the document.
            builder.trace.dropped = placesBefore(of: record.droppedPaths(in: payload.root), in: payload)
            // Closures may have read the fields that they leave there.
            if isStepped, !builder.trace.dropped.isEmpty { builder.trace.leftOver = nil }
            return value
        } catch {
            self.error = error
            let part = reading.recorder.part(throwing: error)
            guard isStepped else {
                builder.fail(explainer.decoding(error, reading, part, record))
                return nil
            }
            needsTrace = !detail.keepsSteps
            guard detail.keepsSteps else { return nil }
            // A failure of the final decoding belongs to the last step.
            builder.failLastStep(
                explainer.finish(error, payload, steps: builder.trace.steps, record: record, part: part))
            return nil
        }
    }

    /// Fails because no stage fits. If stages are matched by shape, the nearest one may have failed because of a part.
    private mutating func fail(detecting detected: DetectedStage) {
        guard case .noShape(let attempts)? = detected.misfit,
            let nearest = StageAttempt.nearest(of: attempts, fits: fits)
        else {
            if case .noVersion(let error, _)? = detected.misfit { self.error = error }
            return builder.fail(explainer.detection(detected))
        }
        reading = attempts[nearest].reading
        let error = attempts[nearest].error
        self.error = error
        builder.note(reading.recorder, reading.record)
        if let error, let part = reading.recorder.part(throwing: error) {
            builder.fail(explainer.decoding(error, reading, part))
        } else {
            builder.fail(explainer.shapes(attempts, nearest: nearest))
        }
    }

    /// How the fields of each stage fit the document, newest first. Nil if nothing observes the run: in an app, types see
    /// no made-up values.
    private var fits: [ShapeFit]? {
        observer.map { observer in
            ShapeFit.all(
                of: chain.stages.map(\.fields), chain: chain.name, document.root, chain.decoder.strategies,
                for: observer)
        }
    }

    /// Warns about a field of the type at the path of the version.
    private mutating func warnOfHiddenField(at versionPath: DocumentPath, type: String) {
        builder.warn([.field(path: versionPath, problem: .hiddenField(type: type))])
    }

    /// Returns the paths in the original document of values in the payload. Values that the steps created are left out.
    private func placesBefore(of paths: [DocumentPath], in payload: Document) -> [DocumentPath] {
        // Elements may have other indices than before.
        guard paths.contains(where: { $0.foldingIndices != $0 || $0.components.contains(.everyElement) }) else {
            return paths.filter { document.root.descendant(at: $0) != nil }
        }
        let difference = DocumentDifference(old: document.root, new: payload.root)
        return document.root.folding(difference.oldPaths(of: paths.flatMap(payload.root.values)))
    }

    private var explainer: FailureExplainer { FailureExplainer(chain: chain, document: document) }
}
