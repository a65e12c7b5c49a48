import DocumentModel

/// Detection by which type decodes, tried newest first.
struct ShapeDetector: ChainDetector {
    /// Oldest first, which is the order of the stages.
    let shapes: [Shape]

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        // All of them, because a document that more than one fits may be older than it seems.
        let attempts = shapes.map { ShapeAttempt($0, root, decoder) }
        guard let match = attempts.lastIndex(where: { $0.error == nil }) else {
            return DetectedStage(error: NoShapeFits(attempts: attempts.reversed()))
        }
        return DetectedStage(
            stage: match, version: .number(match + 1),
            warnings: ambiguity(attempts[...match], root, decoder).map { [$0] } ?? [])
    }

    /// A warning, if more than the last of `attempts`, oldest first, fits.
    private func ambiguity(
        _ attempts: ArraySlice<ShapeAttempt>, _ root: DocumentNode, _ decoder: DocumentDecoder
    ) -> String? {
        let fitting = attempts.reversed().filter { $0.error == nil }.map(\.shape)
        guard let taken = fitting.first, fitting.count > 1 else { return nil }
        // Nearly every document fits one shape only, so what the shapes read is found out only now.
        var ambiguity = ShapeAmbiguity(taken: taken.typeName, unread: taken.unreadPaths(of: root, decoder))
        for shape in fitting.dropFirst() { ambiguity.add(shape.typeName, unread: shape.unreadPaths(of: root, decoder)) }
        return ambiguity.warning.map { "The document \($0)" }
    }

    func attempts(
        in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage
    ) -> [VersionDetection.Attempt] {
        let oldestTried = detected.stage ?? 0
        return shapes.indices.reversed().filter { $0 >= oldestTried }.map { index in
            VersionDetection.Attempt(
                version: .number(index + 1), type: shapes[index].typeName, path: nil, found: nil,
                reason: ShapeAttempt(shapes[index], root, decoder).reason)
        }
    }
}

extension Shape {
    /// What of a document that has this shape nothing reads.
    fileprivate func unreadPaths(of root: DocumentNode, _ decoder: DocumentDecoder) -> [DocumentPath] {
        let record = ReadRecord()
        // It did decode; if now it does not, what it read until then is all there is to say.
        _ = try? decode(root, decoder, record)
        return record.droppedPaths(in: root)
    }
}

/// A document is of no shape that its chain knows.
struct NoShapeFits: Error {
    /// What was tried, newest first.
    var attempts: [ShapeAttempt]

    /// Every shape, and why the document is not of it.
    var message: String {
        "No shape fits: " + attempts.map { "\($0.shape.typeName): \($0.reason ?? "")" }.joined(separator: "; ")
    }
}
