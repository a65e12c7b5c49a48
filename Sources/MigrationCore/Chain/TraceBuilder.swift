import DocumentModel

/// Assembles a trace, whatever the kind of the chain. Where only the outcome is asked for, steps have no documents.
struct TraceBuilder {
    var trace: MigrationTrace
    private let detail: RunDetail
    /// Whether the document was carried forward, or something in it.
    var isMigrated: Bool { trace.rewriting != nil || trace.steps.contains { $0.failure == nil } }

    /// Begins the trace of a document, or of a part of one.
    init(
        source: String, document: Document?, chain: String, versions: [ChainVersion], target: DocumentVersion?,
        detail: RunDetail
    ) {
        self.detail = detail
        trace = MigrationTrace(
            source: source, format: document?.format, chain: chain, versions: detail.keepsSteps ? versions : [],
            target: target ?? versions.last?.version, warnings: document?.textWarnings() ?? [], document: document)
    }

    /// Begins the trace of a document in a chain.
    init(
        _ chain: any ChainSystem, _ document: Document?, source: String, target: DocumentVersion?, detail: RunDetail
    ) {
        self.init(
            source: source, document: document, chain: chain.name, versions: chain.versions, target: target,
            detail: detail)
    }

    /// Which version the document is. The attempts are made only for a trace.
    mutating func detect(
        _ version: DocumentVersion?, at path: DocumentPath? = nil, attempts: () -> [VersionDetection.Attempt] = { [] }
    ) {
        trace.detection = VersionDetection(version: version, path: path, attempts: detail.keepsSteps ? attempts() : [])
    }

    /// The trace as it is now. The builder has an empty one afterwards. A copy would count every reference in the trace.
    mutating func takeTrace() -> MigrationTrace {
        var taken = MigrationTrace(source: "")
        swap(&taken, &trace)
        return taken
    }

    /// How many steps will come at most.
    mutating func expect(steps count: Int) { trace.steps.reserveCapacity(count) }

    /// Notes that of several values under one name steps are handed the last, where a decoder of the format reads the
    /// first.
    ///
    /// - Parameter path: Where a decoder reads the version.
    mutating func noteLastRead(but path: DocumentPath?) {
        trace.warnings = trace.warnings.map { warning in
            guard case .field(let place, .duplicateName(false, let spellings, let string)) = warning, place != path
            else { return warning }
            return .field(
                path: place, problem: .duplicateName(isLastRead: true, spellings: spellings, string: string))
        }
    }

    mutating func warn(_ warnings: [Reason]) {
        // To append nothing costs more than to look whether there is anything.
        if !warnings.isEmpty { trace.warnings += warnings }
    }

    /// The document could not be read as a version.
    mutating func fail(_ failure: MigrationFailure) { trace.opening = .failed(failure) }

    /// The document before the next step; nil where there is none.
    var before: Document? { trace.steps.isEmpty ? trace.document : trace.steps.last?.after }

    /// A step was taken, or failed.
    mutating func step(
        _ from: ChainVersion, _ to: ChainVersion, note: String? = nil, seconds: Double, _ ending: MigrationStep.Ending
    ) {
        trace.steps.append(
            MigrationStep(
                from: from.version, to: to.version, fromType: from.type, toType: to.type, note: note, seconds: seconds,
                before: before, ending: ending))
    }

    /// What the last step made is of no use.
    mutating func failLastStep(_ failure: MigrationFailure) {
        trace.steps[trace.steps.count - 1].ending = .failed(failure)
    }

    /// Parts of the document migrated, so that the app would write it anew.
    mutating func rewrite(_ ending: MigrationStep.Ending) { trace.rewriting = ending }

    /// What the recorder has to say of parts; `record` knows what was read of the document that they are parts of.
    mutating func note(_ recorder: PartRecorder, _ record: ReadRecord) {
        let (warnings, parts) = recorder.findings
        warn(warnings)
        if detail.keepsSteps { trace.parts = parts.map { $0.trace(inside: .root, record) } }
    }

    /// The document is itself the part that `part` tells of.
    mutating func adopt(_ part: RecordedPart, _ record: ReadRecord) {
        let told = part.trace(inside: .root, record)
        trace.detection = told.detection
        trace.opening = told.opening
        trace.steps = told.steps
        if !trace.steps.isEmpty { trace.steps[0].before = trace.document }
        trace.rewriting = told.rewriting
        trace.decodingSeconds = told.decodingSeconds
        trace.parts = told.parts
    }

    /// The document stays as it was.
    mutating func takeBackSteps() {
        trace.steps = []
        trace.rewriting = nil
    }

    /// Finds out where in the source the failure is.
    mutating func locate(_ place: (DocumentPath) -> SourceLocation?) {
        guard var failure = trace.failure else { return }
        failure.location = (failure.culprit?.path ?? failure.path).flatMap(place)
        if case .failed = trace.opening { fail(failure) } else { failLastStep(failure) }
    }
}
