import DocumentModel

/// One document on its way through a chain.
///
/// Checking and tracing are the same run; a trace also encodes each value the moment it is made, because a later step may change a value
/// of class type.
struct ChainRun {
    private let chain: StagedChain
    private let document: Document
    private let targetIndex: Int?
    private let isTracing: Bool

    /// What has come of it so far.
    private(set) var trace: MigrationTrace
    /// The number of steps that were taken before the one that failed; nil if none failed.
    private(set) var failedStep: Int?
    /// What was thrown, if something was.
    private(set) var error: (any Error)?
    /// What the document was decoded as in the end, in a chain that decodes in the end.
    private(set) var finished: (any Codable)?

    init(chain: StagedChain, document: Document, source: String, target: DocumentVersion?, isTracing: Bool) {
        self.chain = chain
        self.document = document
        self.isTracing = isTracing
        targetIndex =
            target.map { target in chain.stages.firstIndex { $0.version == target } } ?? chain.stages.count - 1
        trace = MigrationTrace(
            source: source, format: document.format, chain: chain.name, versions: isTracing ? chain.versions : [],
            target: target ?? chain.newestVersion, outcome: .failed, document: document)
    }

    mutating func run() {
        let clock = ContinuousClock()
        let start = clock.now
        trace.warnings = document.root.duplicateNameWarnings
        let detected = chain.detector.detect(in: document.root, decoder: chain.decoder)
        trace.detection = VersionDetection(version: detected.version, path: detected.path)
        trace.warnings += detected.warnings
        if isTracing {
            trace.detection.attempts = chain.detector.attempts(
                in: document.root, decoder: chain.decoder, detected: detected)
        }
        let record = ReadRecord()
        let recorder = PartRecorder(
            isTracing: isTracing, decoding: chain.decoder.strategies, encoder: chain.encoder)
        let decoder = chain.decoder.reporting(to: recorder)
        // What parts have to say follows when they have been decoded: at first, or in the end.
        var partRecord = record
        defer {
            trace.warnings += recorder.warnings
            if isTracing { trace.parts = recorder.parts.map { $0.trace(inside: .root, partRecord) } }
        }
        guard let first = detected.stage else {
            fail(detecting: detected, decoder, recorder, record)
            return
        }
        guard let targetIndex, first <= targetIndex else {
            trace.failure = chain.unreachableTarget(trace.target ?? .unversioned, from: chain.stages[first].version)
            return
        }
        var value: Any
        do {
            value = try chain.stages[first].decode(document.root, decoder, record)
        } catch {
            self.error = error
            // What was not read by then might have been read after it, so nothing is known to be dropped.
            warnOfHiddenField(at: detected.path, record, type: chain.stages[first].type)
            trace.failure = explainer.explainDecoding(error, record: record, part: recorder.part(throwing: error))
            return
        }
        // What is decoded at the end has the version among its own fields.
        if chain.finish == nil { warnOfHiddenField(at: detected.path, record, type: chain.stages[first].type) }
        // A version key that is null is read as no version, so it too was read.
        if let versionPath = detected.path ?? chain.stages[first].versionPath {
            record.insert(versionPath, in: document.root)
        }
        trace.dropped = record.droppedPaths(in: document.root)
        trace.decodingSeconds = (clock.now - start).inSeconds

        var before = document
        for index in first..<targetIndex {
            let (stage, next) = (chain.stages[index], chain.stages[index + 1])
            let stepStart = clock.now
            var step = MigrationStep(
                from: stage.version, to: next.version, fromType: stage.type, toType: next.type, note: next.note,
                seconds: 0,
                before: before, after: nil)
            do {
                value = try next.migrate?(value) ?? value
                step.seconds = (clock.now - stepStart).inSeconds
            } catch {
                self.error = error
                step.seconds = (clock.now - stepStart).inSeconds
                trace.steps.append(step)
                failedStep = index - first
                trace.failure = explainer.explainStep(error, steps: trace.steps, record: record)
                return
            }
            if isTracing {
                step.after = snapshot(value, of: next)
                before = step.after ?? before
            }
            trace.steps.append(step)
        }
        if targetIndex == chain.stages.count - 1, let finish = chain.finish, let payload = value as? Document {
            partRecord = ReadRecord()
            do {
                finished = try finish(payload, decoder, partRecord)
                noteDropped(of: payload, partRecord)
            } catch {
                self.error = error
                fail(finishing: error, payload, partRecord, part: recorder.part(throwing: error))
                return
            }
        }
        trace.outcome = first == targetIndex && !recorder.hasMigratedParts ? .current : .migrated
        if isTracing { trace.result = result(of: value, at: targetIndex, hasMigratedParts: recorder.hasMigratedParts) }
    }

    /// No stage fits. Where stages fit by shape, the one that comes nearest may have failed because of a part.
    private mutating func fail(
        detecting detected: DetectedStage, _ decoder: DocumentDecoder, _ recorder: PartRecorder, _ record: ReadRecord
    ) {
        error = detected.error
        trace.failure = explainer.explainDetection(detected)
        guard let nearest = (detected.error as? NoShapeFits).flatMap({ explainer.nearestStage(of: $0) }) else { return }
        do {
            _ = try chain.stages[nearest].decode(document.root, decoder, record)
        } catch {
            guard let part = recorder.part(throwing: error) else { return }
            self.error = error
            var failure = explainer.explainDecoding(error, record: record, part: part)
            failure.tried = trace.failure?.tried
            trace.failure = failure
        }
    }

    /// The document in its newest version. Parts are in theirs only in what the app would write.
    private mutating func result(of value: Any, at index: Int, hasMigratedParts: Bool) -> Document? {
        guard hasMigratedParts, trace.steps.isEmpty || finished != nil else {
            return trace.steps.isEmpty ? document : trace.steps.last?.after
        }
        let (encoder, format) = (chain.encoder, document.format)
        guard let finished else { return snapshot(value, of: chain.stages[index]) }
        return snapshot(chain.stages[index].type) { try encoder.encode(finished, as: format) }
    }

    /// Finds out what of the document is in the one that was decoded in the end, and nothing read there.
    private mutating func noteDropped(of payload: Document, _ record: ReadRecord) {
        if let versionPath = chain.stages.last?.versionPath { record.insert(versionPath, in: payload.root) }
        trace.dropped = record.droppedPaths(in: payload.root).filter {
            document.root.hasDescendant(along: $0.components[...])
        }
    }

    /// A final decoding that fails belongs to the last step, if there was one.
    private mutating func fail(
        finishing error: any Error, _ payload: Document, _ record: ReadRecord, part: RecordedPart?
    ) {
        guard !trace.steps.isEmpty else {
            trace.failure = explainer.explainDecoding(error, record: record, part: part)
            return
        }
        failedStep = trace.steps.count - 1
        trace.steps[trace.steps.count - 1].after = nil
        trace.failure = explainer.explainFinish(error, payload, steps: trace.steps, record: record, part: part)
    }

    /// The document that the app would write for `value`.
    private mutating func snapshot(_ value: Any, of stage: ChainStage) -> Document? {
        let (encoder, format) = (chain.encoder, document.format)
        return snapshot(stage.type) { try stage.encode(value, encoder, format) }
    }

    private mutating func snapshot(_ type: String, _ encode: () throws -> Document) -> Document? {
        do {
            return try encode()
        } catch {
            trace.warnings.append("\(type) was made, but does not encode: \(MigrationFailure.words(for: error))")
            return nil
        }
    }

    /// Warns of a field of the type that stands where the version does.
    private mutating func warnOfHiddenField(at versionPath: DocumentPath?, _ record: ReadRecord, type: String) {
        guard let versionPath, let node = document.root.descendant(at: versionPath), record.contains(node) else {
            return
        }
        trace.warnings.append(
            "\(type) has a field of its own at \(versionPath), where the version key is: "
                + "the version is read into it, and written over it")
    }

    private var explainer: FailureExplainer { FailureExplainer(chain: chain, document: document) }
}

extension DocumentNode {
    /// Whether there is a value along the way, whichever of an array's elements it leads through.
    fileprivate func hasDescendant(along components: ArraySlice<DocumentPath.Component>) -> Bool {
        switch components.first {
        case nil: true
        case .key(let name): self[name]?.hasDescendant(along: components.dropFirst()) ?? false
        case .index(let position): self[position]?.hasDescendant(along: components.dropFirst()) ?? false
        case .everyElement: elements.contains { $0.hasDescendant(along: components.dropFirst()) }
        }
    }
}
