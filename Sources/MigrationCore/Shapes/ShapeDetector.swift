import DocumentModel

/// Detection by which type decodes, tried newest first.
struct ShapeDetector: ChainDetector {
    /// Oldest first, which is the order of the stages.
    let shapes: [Shape]

    func detect(_ reading: Reading) -> DetectedStage {
        // All of them, because a document that more than one fits may be older than it seems.
        let attempts = shapes.reversed().map { ShapeAttempt($0, reading.again()) }
        let match = attempts.firstIndex { $0.error == nil }
        let tried = attempts.prefix(through: match ?? attempts.count - 1)
        let shown = {
            tried.enumerated().map { index, attempt in
                VersionDetection.Attempt(
                    version: .number(shapes.count - index), type: attempt.shape.typeName, path: nil, found: nil,
                    reason: attempt.failure?.reason)
            }
        }
        guard let match else { return DetectedStage(misfit: .noShape(attempts), attempts: shown) }
        let fitting = attempts[match...].filter { $0.error == nil }
        return DetectedStage(
            stage: shapes.count - 1 - match, version: .number(shapes.count - match),
            warnings: ShapeAmbiguity(fitting.map { ($0.shape.typeName, $0.reading.dropped) })?.warning(ofWhole: true)
                ?? [],
            decoded: attempts[match].value.map { ($0, attempts[match].reading) }, attempts: shown)
    }
}

/// What came of trying to decode a document as one shape.
struct ShapeAttempt {
    let shape: Shape
    let reading: Reading
    /// The value, if the document is of the shape.
    private(set) var value: Any?
    /// Why the document is not of the shape; nil if it is.
    private(set) var error: (any Error)?

    init(_ shape: Shape, _ reading: Reading) {
        self.shape = shape
        self.reading = reading
        do { value = try shape.decode(reading.root, reading.decoder, reading.record) } catch { self.error = error }
    }

    var failure: ShapeFailure? { error.map { ShapeFailure(type: shape.typeName, reason: reading.reason($0)) } }

    /// The attempt that read most of the document; its complaint is the one worth following. Of equal ones the first, which is the newest.
    static func nearest(of attempts: [ShapeAttempt]) -> Int? {
        let read = attempts.map { attempt in
            attempt.reading.root.members.count { attempt.reading.record.contains($0.value) }
        }
        return read.max().flatMap(read.firstIndex)
    }
}

/// More than one shape fits a value, which may well be older than it was taken for.
struct ShapeAmbiguity {
    private let shapes: [(type: String, unread: [DocumentPath])]

    /// - Parameter fitting: The shapes that fit, the one that was taken first, with what each does not read. Nil if there is only one.
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

extension DocumentPath {
    /// The way as from `base`, if it leads through there.
    func inside(_ base: DocumentPath) -> DocumentPath {
        hasPrefix(base) ? DocumentPath(Array(components.dropFirst(base.components.count))) : self
    }
}
