import DocumentModel

extension Decoder {
    /// Decodes a value from the first of several shapes that fits, for an `init(from:)` that implements its own
    /// fallback.
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         self = try decoder.decodeFirst(
    ///             FallbackShape(UserV2.self) { User(name: $0.name, id: $0.id) },
    ///             FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) })
    ///     }
    ///
    /// With any decoder, this is the same as trying one shape after another with `do` and `catch`. While a chain checks
    /// or traces a document, the attempts are also recorded.
    ///
    /// - Parameters:
    ///   - newest: The shape to try first.
    ///   - older: The other shapes, newest first.
    /// - Throws: The error of the oldest shape, if none fits.
    public func decodeFirst<Value>(
        _ newest: FallbackShape<Value>, _ older: FallbackShape<Value>...
    ) throws -> Value {
        try decodeFirst(of: [newest] + older)
    }

    /// Decodes a value from the first of `shapes` that fits.
    ///
    /// - Parameter shapes: The shapes, newest first.
    /// - Throws: The error of the oldest shape, if none fits, or `DecodingError.dataCorrupted` if there are no shapes.
    public func decodeFirst<Value>(of shapes: [FallbackShape<Value>]) throws -> Value {
        // A super decoder may have no value, and then there is no part either.
        guard let recorder = partRecorder, let node = documentNode else {
            let attempts = attempt(shapes) { _ in [] }
            return try value(of: attempts)
        }
        let mark = recorder.mark
        let watch = Stopwatch(runs: recorder.detail.keepsSteps)
        let attempts = attempt(shapes) { error in
            let parts = recorder.parts(since: mark, throwing: error)
            recorder.forget(since: mark)
            return parts
        }
        let part = FallbackPart(
            shapes: shapes, attempts: attempts, node: node, codingPath: DocumentPath(codingPath: codingPath),
            path: documentPath(recorder.decoding), recorder: recorder,
            hasMigratedParts: recorder.hasMigratedParts(since: mark), seconds: watch.seconds)
        // If no shape fits because of a part inside the value, the value is shown with that part.
        if let inside = part.failureInside { recorder.restore(attempts.failures[inside.attempt].parts) }
        recorder.record(part.recorded(readRecord), since: mark)
        return try value(of: attempts)
    }

    /// Tries the shapes until one fits.
    ///
    /// - Parameter forget: Called with the error of every failed attempt. It returns the parts recorded so far, if one
    ///   of them threw that error.
    private func attempt<Value>(
        _ shapes: [FallbackShape<Value>], forget: (any Error) -> [RecordedPart]
    ) -> FallbackAttempts<Value> {
        let (reads, node) = (readRecord, documentNode)
        let mark = node.flatMap { reads?.mark(in: $0) }
        var attempts = FallbackAttempts<Value>()
        for shape in shapes {
            var isDecoded = false
            do {
                let decoded = try shape.code.decode(from: self)
                isDecoded = true
                attempts.value = try shape.code.value(from: decoded)
                break
            } catch {
                // Only until it forgets the attempt, the record can say what the error is about.
                let reason = Reason(error, in: isDecoded ? node : node?.document.root, reads)
                // The value was not made from what a failed attempt read.
                let readCount = mark.flatMap { reads?.count(since: $0) } ?? 0
                if let mark { reads?.forget(since: mark) }
                attempts.failures.append(
                    .init(
                        error: error, reason: reason, isDecoded: isDecoded, readCount: readCount, parts: forget(error)))
            }
        }
        return attempts
    }

    private func value<Value>(of attempts: FallbackAttempts<Value>) throws -> Value {
        if let value = attempts.value { return value }
        throw attempts.failures.last?.error
            ?? DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "\(Value.self) has no shapes to decode."))
    }
}

/// The results of trying shapes one after another, newest first.
struct FallbackAttempts<Value> {
    /// The value, or nil if no shape fits.
    var value: Value?
    /// The failures of the shapes before the one that fits.
    var failures: [Failure] = []

    struct Failure {
        let error: any Error
        let reason: Reason
        /// Whether the shape was decoded, but no value could be made from it.
        let isDecoded: Bool
        /// The number of values that were read until it failed.
        let readCount: Int
        /// The parts up to the one that threw the error, or none if no part did.
        let parts: [RecordedPart]
    }
}
