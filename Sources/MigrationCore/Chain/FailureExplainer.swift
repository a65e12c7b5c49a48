import DocumentModel

/// Turns a thrown error into a failure: the reason, the field that caused it, and its location in the source.
struct FailureExplainer {
    let chain: StagedChain
    /// The document as it was read.
    let document: Document

    // MARK: - Before the first step

    /// Returns the failure of a document whose version could not be determined.
    func detection(_ detected: DetectedStage) -> MigrationFailure {
        var because: Reason?
        if case .noVersion(_, let reason)? = detected.misfit { because = reason }
        let reason = Reason.unsupportedVersion(
            chain: chain.name, version: detected.version, path: detected.path,
            tried: Array(chain.versions.inTrialOrder),
            because: because)
        var culprit =
            detected.path.map { MigrationFailure.Culprit(path: $0, certain: true) }
            ?? detected.misstatement.map { MigrationFailure.Culprit(path: $0, certain: false) } ?? misspeltVersionKey
        if let because { culprit = self.culprit(of: because, in: document.root) { _ in true } ?? culprit }
        return MigrationFailure(reason, culprit: culprit, location: location(of: culprit?.path ?? reason.path ?? .root))
    }

    /// The field whose name is most like that of the version key, in the newest version that has one. Nil if there is
    /// none.
    private var misspeltVersionKey: MigrationFailure.Culprit? {
        guard let path = chain.stages.inTrialOrder.lazy.compactMap(\.versionPath).first else { return nil }
        return CulpritFinder(root: document.root).misspelling(of: path)
    }

    /// Returns the failure of a document that matches no known shape. The attempts are newest first.
    func shapes(_ attempts: [StageAttempt], nearest: Int) -> MigrationFailure {
        let reason = Reason.noShapeFits(attempts: attempts.compactMap(\.failure), nearest: nearest)
        guard let path = reason.path.map({ spelled($0, in: document.root) }) else { return MigrationFailure(reason) }
        let culprit = isAbout(reason, path, in: document.root)
        return MigrationFailure(
            reason, culprit: culprit ? .init(path: path, certain: false) : nil, location: location(of: path))
    }

    /// Returns the failure of decoding the document. `part` is the part that threw the error, if any. `record` is the
    /// record of values read before the error, if it isn't that of the reading.
    func decoding(
        _ error: any Error, _ reading: Reading, _ part: RecordedPart?, _ record: ReadRecord? = nil
    ) -> MigrationFailure {
        var failure = decoding(error, of: document.root, record ?? reading.record, part)
        failure.location = place(of: failure, in: document.root, part).flatMap { location(of: $0) }
        return failure
    }

    /// Returns the path of a decoding failure. A part gives it in the names used by the document; if the part's error
    /// names no path, it is that of the part.
    private func place(of failure: MigrationFailure, in root: DocumentNode, _ part: RecordedPart?) -> DocumentPath? {
        failure.culprit?.path ?? failure.path.map { part == nil ? spelled($0, in: root) : $0 } ?? part?.base
    }

    /// Returns the failure of decoding any document, without its source location.
    private func decoding(
        _ error: any Error, of root: DocumentNode, _ record: ReadRecord, _ part: RecordedPart?
    ) -> MigrationFailure {
        let readCount = record.count
        var failure: MigrationFailure
        if let whole = part?.failureOfWhole {
            failure = whole
        } else {
            let reason = reason(error, in: root, record)
            failure = MigrationFailure(reason, culprit: culprit(of: reason, in: root) { !record.contains($0) })
        }
        failure.readCount = readCount
        return failure
    }

    /// Returns the field that a decoding error is about: the value it names, or a key with nearly the same spelling as
    /// a missing one.
    private func culprit(
        of reason: Reason, in root: DocumentNode, _ isUnread: @escaping (DocumentNode) -> Bool
    ) -> MigrationFailure.Culprit? {
        guard let path = reason.path.map({ spelled($0, in: root) }) else { return nil }
        if reason.kind == .keyNotFound {
            // The key that contains the version is spelled correctly, even if it resembles the missing one.
            let versions = chain.stages.compactMap { $0.versionPath.flatMap(root.descendant)?.id }
            return CulpritFinder(root: root) { isUnread($0) && !versions.contains($0.id) }
                .misspelling(of: path) { chain.decoder.strategies.fieldName(ofKey: $0) }
        }
        return isAbout(reason, path, in: root) ? .init(path: path, certain: true) : nil
    }

    // MARK: - In a step

    /// Returns the failure of the step after `steps`. `record` is the record of fields that the first type read.
    func step(
        _ error: any Error, _ step: MigrationFailure.Step, before: DocumentNode?, behind steps: [MigrationStep],
        record: ReadRecord
    ) -> MigrationFailure {
        let thrown = (error as? StepError)?.thrown ?? error
        guard let before else { return MigrationFailure(reason(thrown, in: nil, nil), step: step) }
        let reason = reason(thrown, in: before, nil)
        let path = reason.path.map { spelled($0, in: before) }
        var culprit: MigrationFailure.Culprit?
        // It is known only for the original document which values were read.
        let isCandidate: (DocumentNode) -> Bool = { !steps.isEmpty || record.contains($0) }
        // For a value inside a string, the candidate is the string.
        if let path, isAbout(reason, path, in: before), isCandidate(before.deepestDescendant(along: path).node) {
            culprit = .init(path: path, certain: !reason.isOfAuthor)
        } else {
            culprit =
                likeliestCulprit(of: step, before, reason, path: path, isCandidate)
                ?? (error as? StepError)?.field.map { .init(path: $0, certain: false) }
        }
        return MigrationFailure(
            reason, step: step, culprit: culprit,
            location: (culprit?.path ?? path).flatMap { location(of: $0, behind: steps) })
    }

    /// Returns the failure of decoding the result of `steps`. `record` is the record of fields that were read from it
    /// before the error.
    func finish(
        _ error: any Error, _ payload: Document, steps: [MigrationStep], record: ReadRecord, part: RecordedPart?
    ) -> MigrationFailure {
        var failure = decoding(error, of: payload.root, record, part)
        let step = steps[steps.count - 1]
        let failed = MigrationFailure.Step(from: step.from, to: step.to)
        failure.step = failed
        let origin = place(of: failure, in: payload.root, part).map { step.origin(of: $0) }
        if let culprit = failure.culprit, let origin, let before = step.before?.root,
            let old = before.descendant(at: origin)
        {
            let moved = before.place(of: culprit.path, behind: step, in: payload.root)
            let isKept = payload.root.descendant(at: culprit.path).map { old.isEqual(to: $0) } ?? false
            failure.culprit = .init(
                path: moved ?? origin, certain: culprit.certain && origin == culprit.path && isKept)
        } else {
            failure.culprit = step.before.flatMap {
                likeliestCulprit(of: failed, $0.root, failure.reason, path: failure.path) { _ in true }
            }
        }
        failure.location = (failure.culprit?.path ?? origin).flatMap { location(of: $0, behind: steps.dropLast()) }
        return failure
    }

    /// Returns the field that most likely made a step fail, among the candidates. The version key is not a candidate.
    private func likeliestCulprit(
        of step: MigrationFailure.Step, _ before: DocumentNode, _ reason: Reason, path: DocumentPath?,
        _ isCandidate: @escaping (DocumentNode) -> Bool
    ) -> MigrationFailure.Culprit? {
        let versionPath = chain.stages.first { $0.version == step.from }?.versionPath
        let version = versionPath.flatMap { before.descendant(at: $0) }?.id
        return CulpritFinder(root: before) { $0.id != version && isCandidate($0) }
            .likeliest(path: path, message: reason.authorsMessage ?? "")
    }

    // MARK: - Locations

    /// Returns the source location of the value at `path` of the document after `steps`.
    private func location(of path: DocumentPath, behind steps: some Collection<MigrationStep>) -> SourceLocation? {
        location(of: steps.reversed().reduce(path) { $1.before?.root.place(of: $0, behind: $1) ?? $1.origin(of: $0) })
    }

    /// Returns the location of the value at `path`, or of the innermost existing container on that path.
    private func location(of path: DocumentPath) -> SourceLocation? {
        document.location(along: path)
    }

    private func spelled(_ path: DocumentPath, in root: DocumentNode) -> DocumentPath {
        root.spelled(path, by: chain.decoder.strategies)
    }

    private func reason(_ error: any Error, in root: DocumentNode?, _ record: ReadRecord?) -> Reason {
        var reason = Reason(error, in: root, record, by: chain.decoder.strategies)
        if let foreign = root.flatMap({ ForeignError(error, in: $0, record) }) {
            reason = reason.changingPaths { _ in foreign.path }
        }
        guard case .unsupportedInside(let type, _) = reason else { return reason }
        return .unsupportedInside(type: type, tried: chain.versions.inTrialOrder.map(\.version))
    }

    /// Returns whether the reason names the value at `path`, and the value exists. An empty path stands for the whole
    /// document only in an error about its kind. In other errors, it names nothing.
    private func isAbout(_ reason: Reason, _ path: DocumentPath, in root: DocumentNode) -> Bool {
        if path.isRoot { return reason.kind == .typeMismatch || reason.kind == .valueNotFound }
        return root.document.value(at: path) != nil
    }
}

extension DocumentNode {
    /// Returns the path that a value had before a step that assigned it to another field, or nil if the step did not do
    /// that, or the path is not known.
    ///
    /// - Parameters:
    ///   - path: The path of the value after the step.
    ///   - after: The result of the step, if the step itself doesn't have it.
    fileprivate func place(
        of path: DocumentPath, behind step: MigrationStep, in after: DocumentNode? = nil
    ) -> DocumentPath? {
        guard let new = (after ?? step.after?.root)?.descendant(at: path),
            descendant(at: step.origin(of: path))?.isEqual(to: new) == false
        else { return nil }
        return onlyScalar(equalTo: new)?.path
    }

    /// Returns the only scalar inside this value that equals another one, or nil if there is none, or more than one.
    fileprivate func onlyScalar(equalTo other: DocumentNode) -> DocumentNode? {
        if other.kind.isContainer { return nil }
        let equal = nodes.filter { $0.kind == other.kind && $0.isEqual(to: other) }
        return equal.count == 1 ? equal.first : nil
    }
}
