import DocumentModel

/// Detection by which type decodes, tried newest first.
struct ShapeDetector: ChainDetector {
    /// Oldest first, which is the order of the stages.
    let shapes: [Shape]

    func detect(_ reading: Reading) -> DetectedStage {
        // All of them, because a document that more than one fits may be older than it seems.
        let attempts = shapes.reversed().map { StageAttempt($0, reading.again()) }
        let match = attempts.firstIndex { $0.error == nil }
        let tried = attempts.prefix(through: match ?? attempts.count - 1)
        let shown = {
            tried.enumerated().map { index, attempt in
                VersionDetection.Attempt(
                    version: .number(shapes.count - index), type: attempt.type, reason: attempt.failure?.reason)
            }
        }
        guard let match else { return DetectedStage(misfit: .noShape(attempts), attempts: shown) }
        let fitting = attempts[match...].filter { $0.error == nil }
        return DetectedStage(
            stage: shapes.count - 1 - match, version: .number(shapes.count - match),
            warnings: ShapeAmbiguity(fitting.map { ($0.type, $0.reading.dropped) })?.warning(ofWhole: true)
                ?? [],
            decoded: attempts[match].value.map { ($0, attempts[match].reading) }, attempts: shown)
    }
}

extension StageAttempt {
    fileprivate init(_ shape: Shape, _ reading: Reading) {
        self.init(type: shape.typeName, reading) {
            try shape.decode(reading.root, reading.decoder, reading.record)
        }
    }
}

/// More than one shape fits a value, and may be older than the one that was taken.
struct ShapeAmbiguity {
    private let shapes: [(type: String, unread: [DocumentPath])]

    /// - Parameter fitting: The shapes that fit, the one that was taken first, with what each does not read. Nil if
    ///   there is only one.
    init?(_ fitting: [(type: String, unread: [DocumentPath])]) {
        guard fitting.count > 1 else { return nil }
        shapes = fitting
    }

    /// What a person should know.
    func warning(ofWhole isWhole: Bool) -> [Reason] {
        let older = shapes.dropFirst()
        let lost = shapes[0].unread.filter { path in older.contains { !$0.unread.contains(path) } }
        return [.ambiguousShape(isWhole: isWhole, taken: shapes[0].type, others: older.map(\.type), lost: lost)]
    }
}
