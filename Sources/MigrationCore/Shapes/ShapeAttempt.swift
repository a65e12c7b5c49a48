import DocumentModel

/// What came of trying to decode a document as one shape.
struct ShapeAttempt {
    let shape: Shape
    /// Why the document is not of the shape; nil if it is.
    let error: (any Error)?

    init(_ shape: Shape, _ root: DocumentNode, _ decoder: DocumentDecoder) {
        self.shape = shape
        do {
            _ = try shape.decode(root, decoder, nil)
            error = nil
        } catch {
            self.error = error
        }
    }

    /// Why, in a few words: `no value for id at $.id`.
    var reason: String? { error.map { Self.reason($0) } }

    /// The place that the error names.
    var path: DocumentPath? {
        switch error {
        case let mismatch as ShapeMismatch: mismatch.path
        case let error?: MigrationFailure(classifying: error).path
        case nil: nil
        }
    }

    /// Why an error says that a value is not of a shape.
    ///
    /// - Parameter place: The path as it is to be told.
    static func reason(_ error: any Error, place: (DocumentPath) -> DocumentPath = { $0 }) -> String {
        if let mismatch = error as? ShapeMismatch { return mismatch.message }
        let failure = MigrationFailure(classifying: error)
        guard let path = failure.path.map(place) else { return failure.message }
        switch failure.kind {
        case .keyNotFound: return "no value for \(path.lastKey ?? "it") at \(path)"
        case .valueNotFound: return "null at \(path)"
        default:
            return "\(failure.message.hasSuffix(".") ? failure.message.dropLast() : failure.message[...]) at \(path)"
        }
    }
}

extension DocumentPath {
    /// The way as from `base`, if it leads through there.
    func inside(_ base: DocumentPath) -> DocumentPath {
        hasPrefix(base) ? DocumentPath(Array(components.dropFirst(base.components.count))) : self
    }
}
