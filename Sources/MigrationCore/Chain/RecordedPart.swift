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
            // The part is in the data of its container.
            func inside(_ inner: DocumentPath) -> DocumentPath {
                inner.isRoot ? path : path.appending(key: DocumentNode.instanceName).appending(inner)
            }
            return MigrationFailure(
                failure.reason.changingPaths(inside),
                culprit: failure.culprit.map { .init(path: inside($0.path), certain: $0.certain) }
                    ?? .init(path: path, certain: true))
        }
        let whole = failure.told(ofWholeWithPartAt: path)
        return MigrationFailure(whole.reason, culprit: whole.culprit)
    }

    /// The trace as a part of the trace of what is at `base`; `record` knows what was read of the document.
    func trace(inside base: DocumentPath, _ record: ReadRecord) -> MigrationTrace {
        var trace = trace
        trace.path = path.inside(base)
        // What a failed part left unread it might have read later.
        if let node, trace.outcome != .failed {
            // Where nothing is recorded as read, the reading was one of an attempt that failed.
            trace.dropped = record.droppedPaths(in: node).filter { !$0.isRoot }
        }
        trace.parts += parts.map { $0.trace(inside: path, record) }
        return trace
    }
}
