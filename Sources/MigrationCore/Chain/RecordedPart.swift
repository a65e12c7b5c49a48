import DocumentModel

/// A part of a document, and what happened to it.
struct RecordedPart: Sendable {
    /// The path of the part in the document that was decoded.
    let path: DocumentPath
    /// The value at that path, or nil if the part is stored in its own form.
    let node: DocumentNode?
    /// The trace of the part, with paths that start at the part.
    var trace: MigrationTrace
    /// The reason for the part's error without its context, if the part failed.
    let thrown: Reason?
    /// Whether the part was migrated.
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

    /// The things that someone looking at the whole document should know about this part.
    var warningsForWhole: [Reason] {
        // Dropped fields of a part inside the document are reported for the document.
        guard node == nil, !trace.dropped.isEmpty else { return trace.warnings }
        return trace.warnings + [.droppedInside(paths: trace.dropped, type: trace.chain ?? "part")]
    }

    /// The failure of a document that failed because of this part.
    var failureOfWhole: MigrationFailure? { failure(inside: .root) }

    /// Returns the failure of the value at `base`, which failed because of this part.
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
        let whole = failure.relocated(toWholeWithPartAt: path)
        return MigrationFailure(whole.reason, culprit: whole.culprit)
    }

    /// Returns the trace for inclusion in the trace of the value at `base`. `record` is the record of what was read
    /// from the document.
    func trace(inside base: DocumentPath, _ record: ReadRecord) -> MigrationTrace {
        var trace = trace
        trace.path = path.inside(base)
        // A failed part might have read the remaining fields later.
        if let node, trace.outcome != .failed {
            // Where nothing is recorded as read, the reading was one of an attempt that failed.
            trace.dropped = record.droppedPaths(in: node).filter { !$0.isRoot }
        }
        trace.parts += parts.map { $0.trace(inside: path, record) }
        return trace
    }
}
