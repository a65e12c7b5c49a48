import DocumentModel

/// One step of a migration: the document before and after, and what the step changed.
public struct MigrationStep: Sendable {
    /// How a step ended. It is exactly one of these.
    public enum Ending: Sendable {
        /// The step made this document, as `encode(versioned:)` writes it.
        case made(Document)
        /// The step made a value that its type does not encode. The app opens the document, and cannot write it.
        case madeUnencodable(Reason)
        /// The step failed.
        case failed(MigrationFailure)
    }

    /// The version before.
    public var from: DocumentVersion
    /// The version after.
    public var to: DocumentVersion
    /// The name of the type of the version before.
    public var fromType: String
    /// The name of the type of the version after.
    public var toType: String
    /// What the author of the chain says about the step.
    public var note: String?
    /// How long the step took, in seconds, without the encoding of its snapshot.
    public var seconds: Double
    /// The document before: for the first step as it was read, for each later one what the step before it made; nil where that
    /// does not encode.
    public var before: Document?
    /// How the step ended.
    public var ending: Ending

    /// Makes a step from its parts.
    public init(
        from: DocumentVersion, to: DocumentVersion, fromType: String, toType: String, note: String? = nil,
        seconds: Double, before: Document?, ending: Ending
    ) {
        self.from = from
        self.to = to
        self.fromType = fromType
        self.toType = toType
        self.note = note
        self.seconds = seconds
        self.before = before
        self.ending = ending
    }

    /// The document that the step made; nil if it made none.
    public var after: Document? { ending.document }

    /// Why the step failed; nil if it did not.
    public var failure: MigrationFailure? { if case .failed(let failure) = ending { failure } else { nil } }
}

extension MigrationStep.Ending {
    /// The document that was made; nil if none was.
    public var document: Document? { if case .made(let document) = self { document } else { nil } }

    /// Encodes a value of a type, or says why that is not possible.
    init(encoding type: String, _ encode: () throws -> Document) {
        do { self = .made(try encode()) } catch {
            self = .madeUnencodable(.notEncodable(type: type, because: Reason(error)))
        }
    }
}
