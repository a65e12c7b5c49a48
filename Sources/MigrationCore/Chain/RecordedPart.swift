import DocumentModel

/// A part of a document, and what happened to it.
struct RecordedPart: Sendable {
    /// The path of the part in the document that was decoded.
    let path: DocumentPath
    /// The value at that path, or nil if the part is in a container there.
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

    /// The things that someone looking at the whole document should know about this part. Elements of arrays have one
    /// path.
    var warningsForWhole: [Reason] {
        let place = base.foldingIndices
        let warnings = place.isRoot ? trace.warnings : trace.warnings.map { Reason.ofPart(path: place, $0) }
        // Dropped fields of a part inside the document are reported for the document.
        guard node == nil, !trace.dropped.isEmpty else { return warnings }
        return warnings + [.droppedInside(paths: trace.dropped.map(place.appending), type: trace.chain ?? "part")]
    }

    /// The failure of a document that failed because of this part.
    var failureOfWhole: MigrationFailure? { failure(inside: .root) }

    /// The path at which the paths of the part begin: inside its container, or its own.
    var base: DocumentPath { node == nil ? path.appending(key: DocumentNode.instanceName) : path }

    /// Returns the failure of the value at `outer`, which failed because of this part.
    func failure(inside outer: DocumentPath) -> MigrationFailure? {
        let base = base.inside(outer)
        return trace.failure.map { failure in
            let whole = failure.relocated(toWholeWithPartAt: base)
            // The bytes in a container are at fault as a whole if they hold no document, or one of another kind.
            let bytes = node == nil && failure.reason.isOfDecoder && failure.kind != .keyNotFound
            return MigrationFailure(
                whole.reason, culprit: whole.culprit ?? (bytes ? .init(path: base, certain: true) : nil))
        }
    }

    /// Returns the trace for inclusion in the trace of the value at `outer`. `record` is the record of what was read
    /// from the document.
    func trace(inside outer: DocumentPath, _ record: ReadRecord) -> MigrationTrace {
        var trace = trace
        trace.path = path.inside(outer)
        if node == nil { trace.instance = base.inside(outer) }
        // A failed part might have read the remaining fields later.
        if let node, trace.outcome != .failed {
            // Where nothing is recorded as read, the reading was one of an attempt that failed.
            trace.dropped = record.droppedPaths(in: node).filter { !$0.isRoot }
        }
        trace.parts += parts.map { $0.trace(inside: path, record) }
        return trace
    }
}
