import DocumentModel

/// One step of a migration: the document before and after, and what the step changed.
public struct MigrationStep: Sendable {
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
    /// The document before: for the first step as it was read, for each later one the ``after`` before it.
    public var before: Document
    /// The document after, as `encode(versioned:)` writes it; nil for the step that failed.
    public var after: Document?

    /// Makes a step from its parts.
    public init(
        from: DocumentVersion, to: DocumentVersion, fromType: String, toType: String, note: String? = nil,
        seconds: Double, before: Document, after: Document?
    ) {
        self.from = from
        self.to = to
        self.fromType = fromType
        self.toType = toType
        self.note = note
        self.seconds = seconds
        self.before = before
        self.after = after
    }
}
