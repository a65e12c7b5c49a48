import DocumentModel

/// A part of a document, and what happened to it.
struct RecordedPart: Sendable {
    /// Where it is in the document that was decoded.
    let path: DocumentPath
    /// The value there; nil where the part is stored in a form of its own.
    let node: DocumentNode?
    /// What happened to it, told as of a document of its own.
    var trace: MigrationTrace
    /// What the part's error says by itself, if the part failed.
    let thrown: Reason?
    /// Whether the part was carried forward.
    let isMigrated: Bool
    /// The parts inside it.
    var parts: [RecordedPart] = []

    init(path: DocumentPath, node: DocumentNode?, _ builder: TraceBuilder, thrown: (any Error)?) {
        self.path = path
        self.node = node
        trace = builder.trace
        self.thrown = thrown.map { Reason($0) }
        isMigrated = builder.isMigrated && thrown == nil
    }

    /// What a person who looks at the whole document should know of this part.
    var warningsForWhole: [Reason] {
        // What is inside the document is found to be dropped there.
        guard node == nil, !trace.dropped.isEmpty else { return trace.warnings }
        return trace.warnings + [.droppedInside(paths: trace.dropped, type: trace.chain ?? "part")]
    }

    /// The failure of a document that failed because of this part.
    var failureOfWhole: MigrationFailure? { failure(inside: .root) }

    /// The failure of what is at `base` and failed because of this part.
    func failure(inside base: DocumentPath) -> MigrationFailure? {
        let path = path.inside(base)
        guard let failure = trace.failure else { return nil }
        guard node != nil else {
            // A path inside a part that is stored in a form of its own leads nowhere in the document. That of a key
            // which is not there leads nowhere anyway, and says which one it is.
            let isMissing = if case .field(_, .missingKey) = failure.reason { true } else { false }
            let reason = failure.reason.changingPaths { isMissing ? path.appending($0) : path }
            return MigrationFailure(reason, culprit: .init(path: path, certain: true))
        }
        let whole = failure.told(ofWholeWithPartAt: path)
        return MigrationFailure(whole.reason, culprit: whole.culprit)
    }

    /// The trace as a part of the trace of what is at `base`; `record` knows what was read of the document.
    func trace(inside base: DocumentPath, _ record: ReadRecord) -> MigrationTrace {
        var trace = trace
        trace.path = path.inside(base)
        // What a failed part left unread it might have read later.
        if let node, trace.outcome != .failed { trace.dropped = record.droppedPaths(in: node) }
        trace.parts += parts.map { $0.trace(inside: path, record) }
        return trace
    }
}
