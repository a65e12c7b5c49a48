import DocumentModel

/// Detection by which type decodes, tried newest first.
struct ShapeDetector: ChainDetector {
    /// Oldest first, which is the order of the stages.
    let shapes: [Shape]

    /// What comes of decoding the document as each shape, newest first; as those that are older than the first that fits
    /// only if `goesOn`.
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
        // All of them, because a document that more than one fits may be older than it seems.
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
    /// What to know where more than one shape fits a value, which may be older than the one that was taken; nothing
    /// where only one fits.
    ///
    /// - Parameter fitting: The shapes that fit, the one that was taken first, with what each does not read.
    static func ambiguity(of fitting: [(type: String, unread: [DocumentPath])], ofWhole isWhole: Bool) -> [Reason] {
        let older = fitting.dropFirst()
        guard let taken = fitting.first, !older.isEmpty else { return [] }
        let lost = taken.unread.filter { path in older.contains { !$0.unread.contains(path) } }
        return [.ambiguousShape(isWhole: isWhole, taken: taken.type, others: older.map(\.type), lost: lost)]
    }
}
