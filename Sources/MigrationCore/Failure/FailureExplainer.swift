import DocumentModel
import Foundation

/// Turns a thrown error into a failure: what kind, which path, which field is behind it, and where that stands in the source.
struct FailureExplainer {
    let chain: StagedChain
    /// The document as it was read.
    let document: Document

    // MARK: - Before the first step

    /// A failure to find out the version.
    func explainDetection(_ detected: DetectedStage) -> MigrationFailure {
        let error = detected.error ?? VersionedDecodingError.unsupportedVersion(tried: NothingEarlier.self)
        if let error = error as? NoShapeFits { return explainShapes(error) }
        guard case VersionedDecodingError.unsupportedVersion = error else {
            var failure = explainDecoding(error, record: nil)
            let reason = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
            failure.message = "\(reason); no version could be made out, tried \(triedWords)"
            return failure
        }
        return MigrationFailure(
            kind: .unsupportedVersion, path: detected.path,
            culprit: detected.path.map { .init(path: $0, certain: true) },
            message: unsupportedMessage(detected.version),
            location: location(of: detected.path ?? .root), tried: triedVersions)
    }

    /// A document of no known shape. The shape whose type read most of it is the one whose complaint is worth following; of equal ones
    /// the newest, and attempts come newest first.
    private func explainShapes(_ error: NoShapeFits) -> MigrationFailure {
        var nearest: (attempt: ShapeAttempt?, fieldsRead: Int) = (nil, -1)
        for attempt in error.attempts {
            let record = ReadRecord()
            _ = try? attempt.shape.decode(document.root, chain.decoder, record)
            let fieldsRead = document.root.members.reduce(0) { $0 + (record.contains($1.value) ? 1 : 0) }
            if fieldsRead > nearest.fieldsRead { nearest = (attempt, fieldsRead) }
        }
        var failure = MigrationFailure(
            kind: .unsupportedVersion, path: nearest.attempt?.path, message: error.message, tried: triedVersions)
        guard let path = failure.path else { return failure }
        let spelled = document.root.spelled(path, by: chain.decoder.strategies)
        if failure.isAbout(spelled, in: document.root) { failure.culprit = .init(path: spelled, certain: false) }
        failure.location = location(of: spelled)
        return failure
    }

    /// A failure to decode the document; `record` knows which fields were read until then.
    func explainDecoding(_ error: any Error, record: ReadRecord?) -> MigrationFailure {
        var failure = MigrationFailure(classifying: error)
        if failure.kind == .unsupportedVersion { failure.tried = triedVersions }
        guard let path = failure.path else { return failure }
        let spelled = document.root.spelled(path, by: chain.decoder.strategies)
        if failure.kind == .keyNotFound {
            let finder = CulpritFinder(root: document.root) { record?.contains($0) == false }
            failure.culprit = finder.misspelling(of: spelled) { chain.decoder.strategies.fieldName(ofKey: $0) }
        } else if failure.isAbout(spelled, in: document.root) {
            failure.culprit = .init(path: spelled, certain: true)
        }
        failure.location = location(of: failure.culprit?.path ?? spelled)
        return failure
    }

    // MARK: - In a step

    /// A failure of the last of `steps`; `record` knows which fields of the document the first type read.
    func explainStep(_ error: any Error, steps: [MigrationStep], record: ReadRecord) -> MigrationFailure {
        var failure = MigrationFailure(classifying: error)
        if failure.kind == .unsupportedVersion { failure.tried = triedVersions }
        guard let step = steps.last else { return failure }
        failure.step = .init(from: step.from, to: step.to)
        let before = step.before.root
        let spelled = failure.path.map { before.spelled($0, by: chain.decoder.strategies) }
        if let spelled, failure.isAbout(spelled, in: before) {
            failure.culprit = .init(path: spelled, certain: true)
        } else {
            let versionPath = chain.stages.first { $0.version == step.from }?.versionPath
            let version = versionPath.flatMap { before.descendant(at: $0) }?.index
            // Only of the document itself is it known what was read.
            let isDocument = steps.count == 1
            let finder = CulpritFinder(root: before) { node in
                node.index != version && (!isDocument || record.contains(node))
            }
            failure.culprit = finder.likeliest(path: spelled, message: failure.message)
        }
        if let target = failure.culprit?.path ?? spelled {
            failure.location = location(of: steps.dropLast().reversed().reduce(target) { $1.origin(of: $0) })
        }
        return failure
    }

    // MARK: - Words and places

    private var triedVersions: [DocumentVersion] { chain.stages.reversed().map(\.version) }

    private var triedWords: String {
        chain.stages.reversed().map { "\($0.version) (\($0.type))" }.joined(separator: ", ")
    }

    private func unsupportedMessage(_ version: DocumentVersion?) -> String {
        switch version {
        case .number(let number):
            let numbers = chain.stages.compactMap { stage in
                if case .number(let number) = stage.version { number } else { nil }
            }
            if let newest = numbers.max(), number > newest {
                return "Version \(number) is newer than the newest that \(chain.name) knows, \(newest);"
                    + " tried \(triedWords)"
            }
            return "\(chain.name) has no version \(number); tried \(triedWords)"
        case .name(let name): return "\(chain.name) has no version \(name); tried \(triedWords)"
        case .unversioned, nil:
            return "The document has no version, and every version of \(chain.name) wants one; tried \(triedWords)"
        }
    }

    /// Where the value at `path` begins, or the innermost container that exists on the way there.
    private func location(of path: DocumentPath) -> SourceLocation? {
        document.root.deepestDescendant(along: path).node.location
    }
}

extension MigrationFailure {
    /// Whether the error names the value at `path`, and there is one. The whole document is named only by an error about its kind; the
    /// others that give an empty path name nothing.
    fileprivate func isAbout(_ path: DocumentPath, in root: DocumentNode) -> Bool {
        if path.isRoot { return kind == .typeMismatch || kind == .valueNotFound }
        return root.descendant(at: path) != nil
    }
}
