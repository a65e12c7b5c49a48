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
    let thrown: MigrationFailure?
    /// The parts inside it.
    var parts: [RecordedPart] = []

    /// What the person who looks at the whole document should know of this part.
    var warningsForWhole: [String] {
        // What is inside the document is found to be dropped there.
        let dropped = node == nil && !trace.dropped.isEmpty ? trace.dropped : []
        let names = dropped.map(\.description).joined(separator: ", ")
        return trace.warnings + (dropped.isEmpty ? [] : ["\(names) of the \(trace.chain ?? "part") inside is dropped"])
    }

    /// The failure of a document that failed because of this part.
    var failureOfWhole: MigrationFailure? {
        guard let failure = trace.failure else { return nil }
        // A path inside a part that is stored in a form of its own leads nowhere in the document.
        func place(_ inner: DocumentPath?) -> DocumentPath {
            node == nil ? path : path.appending(inner ?? .root)
        }
        let culprit =
            node == nil
            ? MigrationFailure.Culprit(path: path, certain: true)
            : failure.culprit.map {
                .init(path: place($0.path), certain: $0.certain)
            }
        return MigrationFailure(
            kind: failure.kind, path: place(failure.path), culprit: culprit, message: failure.message)
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
