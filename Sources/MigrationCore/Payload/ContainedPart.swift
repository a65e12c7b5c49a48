import DocumentModel
import Foundation

extension PartRecorder {
    /// Decodes the bytes in a ``VersionableContainer`` at `path`, as its chain does, and records what happened.
    ///
    /// - Throws: Any error that ``VersionableDecoder`` throws.
    func decode<Value: Versionable>(
        _ type: Value.Type, of stored: Value.Version, from data: Data, at path: DocumentPath
    ) throws -> Value {
        let mark = mark
        let chain = StagedChain(
            type, detector: ContainerDetector<Value>(stored: stored), decoding: DecodingStrategies())
        let document: Document
        do {
            document = try Document(payload: data)
        } catch {
            var builder = TraceBuilder(chain, nil, source: "\(path)", target: nil, detail: detail)
            builder.detect(DocumentVersion(rawValue: stored.rawValue))
            builder.fail(MigrationFailure(Reason(error)))
            record(RecordedPart(path: path, node: nil, builder, thrown: error), since: mark)
            throw error
        }
        // The result for a part is contained in the result for the whole document.
        var run = ChainRun(
            chain: chain, document: document, source: "\(path)", target: nil,
            detail: detail.keepsSteps ? .trace : .outcome)
        run.run()
        if run.needsTrace {
            run = ChainRun(chain: chain, document: document, source: "\(path)", target: nil, detail: .trace)
            run.run()
        }
        record(RecordedPart(path: path, node: nil, run.builder, thrown: run.error), since: mark)
        if let error = run.error { throw error }
        guard let value = run.finished as? Value else {
            throw StageMismatch(expected: typeName(Value.self), found: "nothing")
        }
        return value
    }
}

/// Detection by the version of the container, regardless of the version that the value inside states.
private struct ContainerDetector<Value: Versionable>: ChainDetector {
    /// The index of the version among the sorted versions.
    private let stage: Int?
    private let version: DocumentVersion

    init(stored: Value.Version) {
        stage = Value.sortedVersions.firstIndex(of: stored)
        version = DocumentVersion(rawValue: stored.rawValue)
    }

    func detect(_ reading: Reading) -> DetectedStage {
        DetectedStage(stage: stage, version: version) {
            Value.attempts(stage) { expected, _ in .otherVersionOfContainer(found: version, expected: expected) }
        }
    }
}
