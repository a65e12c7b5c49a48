import DocumentModel

/// Detects the version by decoding the document as each type, newest first.
struct ShapeDetector: ChainDetector {
    /// The shapes, oldest first, like the stages.
    let shapes: [Shape]

    /// Decodes the document as each shape, newest first, and returns the results. Shapes older than the first that fits
    /// are tried only if `goesOn` is true.
    func attempts(_ reading: Reading, goesOn: Bool) -> [StageAttempt] {
        var attempts: [StageAttempt] = []
        for shape in shapes.inTrialOrder where goesOn || attempts.last?.error != nil || attempts.isEmpty {
            let reading = reading.again()
            attempts.append(
                StageAttempt(
                    type: shape.typeName, reading: reading,
                    result: Result { try shape.decode(reading.root, reading.decoder, reading.record) }))
        }
        return attempts
    }

    func detect(_ reading: Reading) -> DetectedStage {
        // Try all shapes, because a document that fits more than one may be older than it seems.
        let attempts = attempts(reading, goesOn: true)
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
            warnings: Reason.ambiguity(of: fitting.map { ($0.type, $0.reading.dropped) }, ofWhole: true),
            decoded: (try? attempts[match].result.get()).map { .init($0, attempts[match].reading) }, attempts: shown)
    }
}

extension Reason {
    /// Returns a warning if more than one shape fits a value, because the value may be older than the shape that was
    /// used.
    ///
    /// - Parameter fitting: The shapes that fit, with the fields that each does not read. The first is the one that was
    ///   used.
    static func ambiguity(of fitting: [(type: String, unread: [DocumentPath])], ofWhole isWhole: Bool) -> [Reason] {
        let older = fitting.dropFirst()
        guard let taken = fitting.first, !older.isEmpty else { return [] }
        let lost = taken.unread.filter { path in older.contains { !$0.unread.contains(path) } }
        return [.ambiguousShape(isWhole: isWhole, taken: taken.type, others: older.map(\.type), lost: lost)]
    }
}
