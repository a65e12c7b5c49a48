import DocumentModel

/// Assembles a trace for any kind of chain. If only the outcome is needed, steps have no documents.
struct TraceBuilder {
    var trace: MigrationTrace
    private let detail: RunDetail
    /// Whether the document, or something in it, was migrated.
    var isMigrated: Bool { trace.rewriting != nil || trace.steps.contains { $0.failure == nil } }

    /// Starts the trace of a document, or of a part of one.
    init(
        source: String, document: Document?, chain: String, versions: [ChainVersion], target: DocumentVersion?,
        detail: RunDetail
    ) {
        self.detail = detail
        trace = MigrationTrace(
            source: source, format: document?.format, chain: chain, versions: detail.keepsSteps ? versions : [],
            target: target ?? versions.last?.version, warnings: document?.textWarnings() ?? [], document: document)
    }

    /// Starts the trace of a document in a chain.
    init(
        _ chain: any ChainSystem, _ document: Document?, source: String, target: DocumentVersion?, detail: RunDetail
    ) {
        self.init(
            source: source, document: document, chain: chain.name, versions: chain.versions, target: target,
            detail: detail)
    }

    /// Sets the version of the document. The attempts are made only for a trace.
    mutating func detect(
        _ version: DocumentVersion?, at path: DocumentPath? = nil, attempts: () -> [VersionDetection.Attempt] = { [] }
    ) {
        trace.detection = VersionDetection(version: version, path: path, attempts: detail.keepsSteps ? attempts() : [])
    }

    /// Returns the trace and leaves the builder with an empty one. A copy would retain every reference in the trace.
    ///
    /// A current document is not written again, so it keeps its comments.
    mutating func takeTrace() -> MigrationTrace {
        if trace.format == .json5, trace.outcome == .current {
            trace.warnings.removeAll { if case .commentsLost = $0 { true } else { false } }
        }
        var taken = MigrationTrace(source: "")
        swap(&taken, &trace)
        return taken
    }

    /// Reserves room for the maximum number of steps.
    mutating func expect(steps count: Int) { trace.steps.reserveCapacity(count) }

    /// Notes that if a name is duplicated, steps get the last value, while a decoder of the format reads the first.
    ///
    /// - Parameter path: The path where a decoder reads the version, for which the warning stays the same.
    mutating func noteLastRead(but path: DocumentPath?) {
        trace.warnings = trace.warnings.map { warning in
            guard case .field(let place, .duplicateName(false, let spellings, let string)) = warning, place != path
            else { return warning }
            return .field(
                path: place, problem: .duplicateName(isLastRead: true, spellings: spellings, string: string))
        }
    }

    mutating func warn(_ warnings: [Reason]) {
        // Appending an empty array costs more than checking for one.
        if !warnings.isEmpty { trace.warnings += warnings }
    }

    /// Records that the document could not be read as a version.
    mutating func fail(_ failure: MigrationFailure) { trace.opening = .failed(failure) }

    /// The document before the next step, or nil if there is none.
    var before: Document? { trace.steps.isEmpty ? trace.document : trace.steps.last?.after }

    /// Records a step that was taken or failed.
    mutating func step(
        _ from: ChainVersion, _ to: ChainVersion, note: String? = nil, seconds: Double, _ ending: MigrationStep.Ending
    ) {
        trace.steps.append(
            MigrationStep(
                from: from.version, to: to.version, fromType: from.type, toType: to.type, note: note, seconds: seconds,
                before: before, ending: ending))
    }

    /// Turns the last step, whose result is unusable, into a failure.
    mutating func failLastStep(_ failure: MigrationFailure) {
        trace.steps[trace.steps.count - 1].ending = .failed(failure)
    }

    /// Records that parts of the document migrated, so that the app would rewrite it.
    mutating func rewrite(_ ending: MigrationStep.Ending) { trace.rewriting = ending }

    /// Adds the recorder's findings on parts. `record` is the record of what was read from the document that contains
    /// them.
    mutating func note(_ recorder: PartRecorder, _ record: ReadRecord) {
        let (warnings, parts) = recorder.findings
        warn(warnings)
        if detail.keepsSteps { trace.parts = parts.map { $0.trace(inside: .root, record) } }
    }

    /// Takes over the trace of `part`, which is the document itself.
    mutating func adopt(_ part: RecordedPart, _ record: ReadRecord) {
        let reported = part.trace(inside: .root, record)
        trace.detection = reported.detection
        trace.opening = reported.opening
        trace.steps = reported.steps
        if !trace.steps.isEmpty { trace.steps[0].before = trace.document }
        trace.rewriting = reported.rewriting
        trace.decodingSeconds = reported.decodingSeconds
        trace.parts = reported.parts
    }

    /// Removes all steps, because the document stays as it was.
    mutating func takeBackSteps() {
        trace.steps = []
        trace.rewriting = nil
    }

    /// Determines the source location of the failure.
    mutating func locate(_ place: (DocumentPath) -> SourceLocation?) {
        guard var failure = trace.failure else { return }
        failure.location = (failure.culprit?.path ?? failure.path).flatMap(place)
        if case .failed = trace.opening { fail(failure) } else { failLastStep(failure) }
    }
}
