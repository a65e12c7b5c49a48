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
        guard let first = detected.stage else {
            trace.failure = explainer.explainDetection(detected)
            return
        }
        guard let targetIndex, first <= targetIndex else {
            trace.failure = chain.unreachableTarget(trace.target ?? .unversioned, from: chain.stages[first].version)
            return
        }
        let record = ReadRecord()
        let recorder = PartRecorder()
        let decoder = isTracing ? chain.decoder.reporting(to: recorder) : chain.decoder
        defer { trace.parts = recorder.traces }
        var value: Any
        do {
            value = try chain.stages[first].decode(document.root, decoder, record)
        } catch {
            // What was not read by then might have been read after it, so nothing is known to be dropped.
            warnOfHiddenField(at: detected.path, record, type: chain.stages[first].type)
            trace.failure = explainer.explainDecoding(error, record: record)
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
        if targetIndex == chain.stages.count - 1, let finish = chain.finish {
            do {
                try finishDecoding(value, finish, decoder)
            } catch {
                fail(finishing: error, record)
                return
            }
        }
        trace.outcome = first == targetIndex ? .current : .migrated
        if isTracing { trace.result = trace.steps.isEmpty ? document : trace.steps.last?.after }
    }

    /// Decodes what the steps made of the document, and finds out what of the document is in it that nothing read.
    private mutating func finishDecoding(
        _ value: Any, _ finish: (Any, DocumentDecoder, ReadRecord) throws -> Document, _ decoder: DocumentDecoder
    ) throws {
        let record = ReadRecord()
        let decoded = try finish(value, decoder, record)
        if let versionPath = chain.stages.last?.versionPath { record.insert(versionPath, in: decoded.root) }
        var dropped: [DocumentPath] = []
        for path in record.droppedNodes(in: decoded.root).lazy.map(\.path)
        where document.root.descendant(at: path) != nil && !dropped.contains(path.foldingIndices) {
            dropped.append(path.foldingIndices)
        }
        trace.dropped = dropped
    }

    /// A final decoding that fails belongs to the last step, if there was one.
    private mutating func fail(finishing error: any Error, _ record: ReadRecord) {
        guard !trace.steps.isEmpty else {
            trace.failure = explainer.explainDecoding(error, record: record)
            return
        }
        failedStep = trace.steps.count - 1
        trace.steps[trace.steps.count - 1].after = nil
        trace.failure = explainer.explainStep(error, steps: trace.steps, record: record)
    }

    /// The document that the app would write for `value`.
    private mutating func snapshot(_ value: Any, of stage: ChainStage) -> Document? {
        do {
            return try stage.encode(value, chain.encoder, document.format)
        } catch {
            trace.warnings.append("\(stage.type) was made, but does not encode: \(MigrationFailure.words(for: error))")
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

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
