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
        let culprit = detected.path.map { MigrationFailure.Culprit(path: $0, certain: true) } ?? misspeltVersionKey
        return MigrationFailure(
            kind: .unsupportedVersion, path: detected.path, culprit: culprit,
            message: unsupportedMessage(detected.version),
            location: location(of: culprit?.path ?? .root), tried: triedVersions)
    }

    /// The field whose name is nearly that of the version key, in the newest version that has one; nil if there is none.
    private var misspeltVersionKey: MigrationFailure.Culprit? {
        guard let path = chain.stages.reversed().lazy.compactMap(\.versionPath).first else { return nil }
        return CulpritFinder(root: document.root) { _ in true }.misspelling(of: path) { $0 }
    }

    /// The stage of the shape whose type read most of a document of no known shape; its complaint is the one worth following. Of equal ones
    /// the newest, and attempts come newest first.
    func nearestStage(of error: NoShapeFits) -> Int? {
        var nearest: (index: Int?, fieldsRead: Int) = (nil, -1)
        for (index, attempt) in error.attempts.enumerated() {
            let record = ReadRecord()
            _ = try? attempt.shape.decode(document.root, chain.decoder, record)
            let fieldsRead = document.root.members.reduce(0) { $0 + (record.contains($1.value) ? 1 : 0) }
            if fieldsRead > nearest.fieldsRead { nearest = (index, fieldsRead) }
        }
        return nearest.index.map { error.attempts.count - 1 - $0 }
    }

    /// A document of no known shape.
    private func explainShapes(_ error: NoShapeFits) -> MigrationFailure {
        // Attempts come newest first.
        let nearest = nearestStage(of: error).map { error.attempts[error.attempts.count - 1 - $0] }
        var failure = MigrationFailure(
            kind: .unsupportedVersion, path: nearest?.path, message: error.message, tried: triedVersions)
        guard let path = failure.path else { return failure }
        let spelled = document.root.spelled(path, by: chain.decoder.strategies)
        if failure.isAbout(spelled, in: document.root) { failure.culprit = .init(path: spelled, certain: false) }
        failure.location = location(of: spelled)
        return failure
    }

    /// A failure to decode the document; `record` knows which fields were read until then, and `part` is the part whose error it was.
    func explainDecoding(_ error: any Error, record: ReadRecord?, part: RecordedPart? = nil) -> MigrationFailure {
        var failure = explainDecoding(of: document.root, error, record: record, part: part)
        if failure.kind == .unsupportedVersion, part == nil { failure.tried = triedVersions }
        failure.location = place(of: failure, in: document.root, part).flatMap { location(of: $0) }
        return failure
    }

    /// Where a failure to decode is. A part says that in the names of the document.
    private func place(of failure: MigrationFailure, in root: DocumentNode, _ part: RecordedPart?) -> DocumentPath? {
        failure.culprit?.path ?? failure.path.map { part == nil ? spelled($0, in: root) : $0 }
    }

    /// A failure to decode any document, without its place in the source.
    private func explainDecoding(
        of root: DocumentNode, _ error: any Error, record: ReadRecord?, part: RecordedPart?
    ) -> MigrationFailure {
        if let failure = part?.failureOfWhole { return failure }
        var failure = MigrationFailure(classifying: error)
        guard let path = failure.path else { return failure }
        let spelled = spelled(path, in: root)
        if failure.kind == .keyNotFound {
            let finder = CulpritFinder(root: root) { record?.contains($0) == false }
            failure.culprit = finder.misspelling(of: spelled) { chain.decoder.strategies.fieldName(ofKey: $0) }
        } else if failure.isAbout(spelled, in: root) {
            failure.culprit = .init(path: spelled, certain: true)
        }
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
        let spelled = failure.path.map { self.spelled($0, in: before) }
        // Only of the document itself is it known what was read.
        let isCandidate: (DocumentNode) -> Bool = { steps.count > 1 || record.contains($0) }
        if let spelled, failure.isAbout(spelled, in: before), before.descendant(at: spelled).map(isCandidate) == true {
            failure.culprit = .init(path: spelled, certain: true)
        } else {
            failure.culprit = likeliestCulprit(of: step, path: spelled, message: failure.message, isCandidate)
        }
        failure.location = (failure.culprit?.path ?? spelled).flatMap { location(of: $0, before: steps) }
        return failure
    }

    /// A failure to decode what the last of `steps` made of the document; `record` knows which fields of that were read until then.
    func explainFinish(
        _ error: any Error, _ payload: Document, steps: [MigrationStep], record: ReadRecord, part: RecordedPart?
    ) -> MigrationFailure {
        var failure = explainDecoding(of: payload.root, error, record: record, part: part)
        guard var step = steps.last else { return failure }
        failure.step = .init(from: step.from, to: step.to)
        step.after = payload
        let origin = place(of: failure, in: payload.root, part).map { step.origin(of: $0) }
        if let culprit = failure.culprit, let origin, step.before.root.descendant(at: origin) != nil {
            failure.culprit = .init(path: origin, certain: culprit.certain && origin == culprit.path)
        } else {
            failure.culprit = likeliestCulprit(of: step, path: failure.path, message: failure.message) { _ in true }
        }
        failure.location = (failure.culprit?.path ?? origin).flatMap { location(of: $0, before: steps) }
        return failure
    }

    /// The field that a step most likely failed over, among those that may be the one; the version key is not.
    private func likeliestCulprit(
        of step: MigrationStep, path: DocumentPath?, message: String, _ isCandidate: @escaping (DocumentNode) -> Bool
    ) -> MigrationFailure.Culprit? {
        let before = step.before.root
        let versionPath = chain.stages.first { $0.version == step.from }?.versionPath
        let version = versionPath.flatMap { before.descendant(at: $0) }?.index
        return CulpritFinder(root: before) { $0.index != version && isCandidate($0) }
            .likeliest(path: path, message: message)
    }

    /// Where the value stands that is at `path` of the document before the last of `steps`.
    private func location(of path: DocumentPath, before steps: [MigrationStep]) -> SourceLocation? {
        location(of: steps.dropLast().reversed().reduce(path) { $1.origin(of: $0) })
    }

    private func spelled(_ path: DocumentPath, in root: DocumentNode) -> DocumentPath {
        root.spelled(path, by: chain.decoder.strategies)
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
