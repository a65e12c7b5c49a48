import DocumentModel

/// Detection by which type decodes, tried newest first.
struct ShapeDetector: ChainDetector {
    /// Oldest first, which is the order of the stages.
    let shapes: [Shape]

    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage {
        let attempts = shapes.map { ShapeAttempt($0, root, decoder) }
        guard let match = attempts.lastIndex(where: { $0.error == nil }) else {
            return DetectedStage(error: NoShapeFits(attempts: attempts.reversed()))
        }
        let others = attempts[..<match].filter { $0.error == nil }.map(\.shape.typeName)
        var detected = DetectedStage(stage: match, version: .number(match + 1))
        if !others.isEmpty {
            detected.warnings = [
                "The document also decodes as \(others.joined(separator: " and ")). It was taken for \(shapes[match].typeName); "
                    + "if it is older than that, what only the older shape reads is lost without a word"
            ]
        }
        return detected
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

/// A document is of no shape that its chain knows.
struct NoShapeFits: Error {
    /// What was tried, newest first.
    var attempts: [ShapeAttempt]

    /// Every shape, and why the document is not of it.
    var message: String {
        "No shape fits: " + attempts.map { "\($0.shape.typeName): \($0.reason ?? "")" }.joined(separator: "; ")
    }
}
