import DocumentModel
import Foundation

extension PartRecorder {
    /// Reads the bytes that a ``VersionableContainer`` at `path` holds, as its chain does, and records what happened.
    ///
    /// - Throws: What ``VersionableDecoder`` throws.
    func decode<Value: Versionable>(
        _ type: Value.Type, of stored: Value.Version, from data: Data, at path: DocumentPath
    ) throws -> Value {
        let mark = mark
        let chain = StagedChain(
            type, detector: ContainerDetector<Value>(stored: stored), decoding: DecodingStrategies())
        let run: ChainRun
        do {
            let document = try Document(payload: data)
            var started = ChainRun(
                chain: chain, document: document, source: "\(path)", target: nil, isTracing: isTracing)
            started.run()
            run = started
        } catch {
            let failure = MigrationFailure(classifying: error)
            var trace = MigrationTrace(
                source: "\(path)", chain: chain.name, versions: chain.versions, target: chain.newestVersion,
                outcome: .failed, failure: failure)
            trace.detection = VersionDetection(version: DocumentVersion(rawValue: stored.rawValue))
            record(RecordedPart(path: path, node: nil, trace: trace, thrown: failure), since: mark)
            throw error
        }
        let thrown = run.error.map(MigrationFailure.init(classifying:))
        record(RecordedPart(path: path, node: nil, trace: run.trace, thrown: thrown), since: mark)
        if let error = run.error { throw error }
        guard let value = run.finished as? Value else {
            throw StageMismatch(expected: "\(Value.self)", found: "nothing")
        }
        return value
    }
}

/// Detection where the container says the version, whatever the value inside says.
private struct ContainerDetector<Value: Versionable>: ChainDetector {
    /// The index of the version among the sorted ones.
    private let stage: Int?
    private let version: DocumentVersion

    init(stored: Value.Version) {
        stage = Value.sortedVersions.firstIndex(of: stored)
        version = DocumentVersion(rawValue: stored.rawValue)
    }

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        DetectedStage(stage: stage, version: version)
    }

    func attempts(
        in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage
    ) -> [VersionDetection.Attempt] {
        let versions = Value.sortedVersions
        return versions.indices.reversed().filter { $0 >= stage ?? 0 }.map { index in
            let version = DocumentVersion(rawValue: versions[index].rawValue)
            return VersionDetection.Attempt(
                version: version, type: Value.typeName(of: versions[index]), path: nil, found: nil,
                reason: index == stage ? nil : "the container says \(self.version), not \(version)")
        }
    }
}
