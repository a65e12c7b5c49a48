import DocumentModel

/// One document on its way through a chain.
///
/// Checking, migrating and tracing are the same run. To migrate, what the last step made is encoded; a trace encodes each
/// value the moment it is made, because a later step may change a value of class type.
struct ChainRun {
    private let chain: StagedChain
    private let document: Document
    private let target: DocumentVersion?
    private let detail: RunDetail
    /// Whether the run leaves its marks in ``RunPlace``; those of parts do not.
    private let isWatched: Bool
    private var reading: Reading

    private(set) var builder: TraceBuilder
    /// Whether what failed lies behind the first step, where a check has not made the documents that explain it.
    private(set) var needsTrace = false
    /// What was thrown, if something was.
    private(set) var error: (any Error)?
    /// What the document was decoded as in the end, in a chain that decodes in the end.
    private(set) var finished: Any?
    /// What was read in the end, in such a chain.
    private var finalRecord: ReadRecord?
    private var watch = Stopwatch(runs: false)

    init(
        chain: StagedChain, document: Document, source: String, target: DocumentVersion?, detail: RunDetail,
        isWatched: Bool = false
    ) {
        self.chain = chain
        self.isWatched = isWatched
        self.document = document
        self.target = target
        self.detail = detail
        reading = Reading(document, chain.decoder, chain.encoder, detail: detail)
        builder = TraceBuilder(chain, document, source: source, target: target, detail: detail)
    }

    /// Runs the document from what was found out about it, if that is known, to the target.
    mutating func run(from found: DetectedStage? = nil) {
        watch = Stopwatch(runs: detail.keepsSteps)
        if isWatched { RunPlace.enter(chain.name, .detecting) }
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
            // What the closures edit is read with JSONSerialization.
            if let problem = document.json5Problem { return builder.fail(MigrationFailure(parsing: problem)) }
            builder.noteLastRead(but: detected.path)
        }
        builder.expect(steps: goal - first)
        walk(detected, first, goal)
        // What parts have to say follows when they have been decoded: at first, or in the end.
        builder.note(reading.recorder, finalRecord ?? reading.record)
    }

    /// The trace of the run, which has none afterwards.
    mutating func takeTrace() -> MigrationTrace { builder.takeTrace() }

    /// Decodes the document, and takes the steps from one stage to another.
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

    /// What the app writes for a value of a type, where more than the outcome is asked for.
    ///
    /// It is `mutating` because the compiler copies the run to call a function that is not.
    ///
    /// - Parameter isLast: Whether no further step needs the value.
    private mutating func written(
        _ value: inout Any, of type: String, by code: any StageCode, isResult: Bool, isLast: Bool
    ) -> MigrationStep.Ending {
        guard detail.encodes(isResult: isResult) else { return .checked }
        let ending = MigrationStep.Ending(encoding: type) {
            try code.encode(value, chain.encoder, document.format.written)
        }
        // A large document is about to be in memory twice. By then the value that no step needs is gone.
        if isLast { value = () }
        guard isWatched, detail.keepsSteps, case .made(let made) = ending else { return ending }
        return .made(RunPlace.onMade(made))
    }

    /// Notes what the app's code is about to do, if another process watches. The time this takes is not counted as the
    /// app's.
    private mutating func note(_ phase: RunPlace.Phase, _ stage: Int) {
        guard isWatched, RunPlace.current != nil else { return }
        var watch = watch
        watch.leaveOut {
            if detail.keepsSteps, phase == .decoding || phase == .stepping { RunPlace.onKnown(builder.trace) }
            RunPlace.note(phase, stage: stage)
        }
        self.watch = watch
    }

    /// Decodes the document as the version that it is.
    ///
    /// - Returns: Whether the type could decode it.
    private mutating func open(_ detected: DetectedStage, _ first: Int, as value: inout Any) -> Bool {
        let (stage, reading, record) = (chain.stages[first], reading, reading.record)
        do {
            value = try detected.decoded?.value ?? stage.code.decode(reading.root, reading.decoder, record)
            // A version key that is null is read as no version, so it too was read.
            if let versionPath = detected.path ?? stage.versionPath {
                let isField = record.insert(versionPath, in: reading.root)
                // What is decoded at the end has the version among its own fields.
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
            // What was not read by then might have been read after it, so nothing is known to be dropped.
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

    /// The stage that decodes the document and leaves nothing unread, though the document says that it is of another,
    /// whose type read less of it. A type from before there were versions is none: it may ask for nothing at all.
    private func otherFittingStage(than claimed: Int, _ detected: DetectedStage) -> ChainStage? {
        guard detected.isStated, chain.finish == nil else { return nil }
        let values = detected.versionValues(of: chain.stages[claimed])
        guard !reading.isWhole(but: values) else { return nil }
        return chain.stages.enumerated().last { index, stage in
            guard index != claimed, stage.version != .unversioned else { return false }
            let reading = reading.again()
            guard (try? stage.code.decode(reading.root, reading.decoder, reading.record)) != nil else { return false }
            // A document may have the version keys of both.
            for value in stage.versionValues { reading.record.insert(value, in: reading.root) }
            return reading.isWhole(but: values)
        }?.element
    }

    /// Takes the step to the stage at `index`. The value before is gone when the one that was made of it is encoded.
    ///
    /// - Returns: Whether the step succeeded.
    private mutating func step(_ value: inout Any, to index: Int, isLast: Bool) -> Bool {
        let (stage, next) = (chain.stages[index - 1], chain.stages[index])
        note(.stepping, index)
        do {
            value = try next.code.migrate(value)
            let seconds = watch.lap()
            note(.encoding, index)
            // A finishing decoding still needs the last value.
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

    /// Decodes what the steps made of the document.
    private mutating func finish(
        _ payload: Document, _ record: ReadRecord, isStepped: Bool,
        _ finish: any StageCode
    ) -> Any? {
        do {
            let value = try finish.decode(payload.root, reading.decoder, record)
            if let versionPath = chain.stages.last?.versionPath { record.insert(versionPath, in: payload.root) }
            // What the steps made and nothing reads was never in the document.
            builder.trace.dropped = placesBefore(of: record.droppedPaths(in: payload.root), in: payload)
            // Closures may have read what they leave there.
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
            // A final decoding that fails belongs to the last step.
            builder.failLastStep(
                explainer.finish(error, payload, steps: builder.trace.steps, record: record, part: part))
            return nil
        }
    }

    /// No stage fits. Where stages fit by shape, the one that comes nearest may have failed because of a part.
    private mutating func fail(detecting detected: DetectedStage) {
        guard case .noShape(let attempts)? = detected.misfit, let nearest = StageAttempt.nearest(of: attempts) else {
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

    /// Warns of a field of the type that stands where the version does.
    private mutating func warnOfHiddenField(at versionPath: DocumentPath, type: String) {
        builder.warn([.field(path: versionPath, problem: .hiddenField(type: type))])
    }

    /// Where the values at places of what the steps made were in the document; nothing of those that the steps made.
    private func placesBefore(of paths: [DocumentPath], in payload: Document) -> [DocumentPath] {
        // Elements may have other positions than they had.
        guard paths.contains(where: { $0.foldingIndices != $0 || $0.components.contains(.everyElement) }) else {
            return paths.filter { document.root.descendant(at: $0) != nil }
        }
        let difference = DocumentDifference(old: document.root, new: payload.root)
        return document.root.folding(difference.oldPaths(of: paths.flatMap(payload.root.values)))
    }

    private var explainer: FailureExplainer { FailureExplainer(chain: chain, document: document) }
}
