import DocumentModel

extension Decoder {
    /// A value from the first of several shapes that fits: for an `init(from:)` that does its own fallback.
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         self = try decoder.decodeFirst(
    ///             FallbackShape(UserV2.self) { User(name: $0.name, id: $0.id) },
    ///             FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) })
    ///     }
    ///
    /// With any decoder this is the same as to try one shape after the other with `do` and `catch`. While a chain
    /// checks or traces a document, what was tried is recorded besides.
    ///
    /// - Parameters:
    ///   - newest: The shape that is tried first.
    ///   - older: The others, newest first.
    /// - Throws: What the oldest shape throws, when none fits.
    public func decodeFirst<Value>(
        _ newest: FallbackShape<Value>, _ older: FallbackShape<Value>...
    ) throws -> Value {
        try decodeFirst(of: [newest] + older)
    }

    /// A value from the first of `shapes` that fits.
    ///
    /// - Parameter shapes: The shapes, newest first.
    /// - Throws: What the oldest shape throws, when none fits; `DecodingError.dataCorrupted` when there are no shapes.
    public func decodeFirst<Value>(of shapes: [FallbackShape<Value>]) throws -> Value {
        // A super decoder may stand where there is no value, so that there is no part either.
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
        // A value that no shape fits because of a part inside it is shown with that.
        if let inside = part.failureInside { recorder.restore(attempts.failures[inside.attempt].parts) }
        recorder.record(part.recorded(readRecord), since: mark)
        return try value(of: attempts)
    }

    /// Tries the shapes until one fits.
    ///
    /// - Parameter forget: Called after every attempt that failed, with what it threw; gives the parts that were recorded
    ///   until then if one of them threw that.
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
                // The record knows what the error is about until it is forgotten.
                let reason = Reason(error, in: node?.document.root, reads)
                // What was read in vain is not what the value was made from.
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

/// What came of trying shapes one after the other, newest first.
struct FallbackAttempts<Value> {
    /// The value; nil if no shape fits.
    var value: Value?
    /// Why the shapes before the one that fits do not.
    var failures: [Failure] = []

    struct Failure {
        let error: any Error
        let reason: Reason
        /// Whether the shape was decoded, and no value could be made of it.
        let isDecoded: Bool
        /// The number of values that were read until it failed.
        let readCount: Int
        /// The parts up to the one whose error it is; none where it is that of no part.
        let parts: [RecordedPart]
    }
}
