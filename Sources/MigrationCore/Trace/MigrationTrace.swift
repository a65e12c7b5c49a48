import DocumentModel

/// Everything that happened to one document on its way to the newest version: the X-ray of a migration.
///
/// A trace is a value. It can be made by the inspector or by an app in production (``MigrationChain/trace(_:source:to:)``), written to a
/// file and read again; whoever shows it needs nothing else.
public struct MigrationTrace: Sendable {
    /// The name of the document, as whoever opened it calls it.
    public var source: String
    /// The form in which the document is stored; nil if it was not even that far.
    public var format: DocumentFormat?
    /// The name of the chain; nil if none claims the document.
    public var chain: String?
    /// The versions of that chain, oldest first.
    public var versions: [ChainVersion]
    /// The version that was to be reached.
    public var target: DocumentVersion?
    /// Which version the document is, and how that was found out.
    public var detection: VersionDetection
    /// The steps that were taken, the failed one included.
    public var steps: [MigrationStep]
    /// For a part of a document that migrated on its own: where it is.
    public var path: DocumentPath?
    /// The parts of the document that migrated on their own.
    public var parts: [MigrationTrace]
    /// The topmost fields of the document that nothing read, elements of arrays folded to `[*]`.
    public var dropped: [DocumentPath]
    /// What a person should know though nothing failed.
    public var warnings: [String]
    /// What came of it.
    public var outcome: MigrationOutcome
    /// Why it failed, if it did.
    public var failure: MigrationFailure?
    /// The document as it was read; nil when it could not be parsed.
    public var document: Document?
    /// The document in its newest version; nil when it was not reached.
    public var result: Document?
    /// How long detection and the first decoding took, in seconds.
    public var decodingSeconds: Double

    /// Makes a trace from its parts.
    public init(
        source: String, format: DocumentFormat? = nil, chain: String? = nil, versions: [ChainVersion] = [],
        target: DocumentVersion? = nil, detection: VersionDetection = VersionDetection(), steps: [MigrationStep] = [],
        path: DocumentPath? = nil, parts: [MigrationTrace] = [], dropped: [DocumentPath] = [], warnings: [String] = [],
        outcome: MigrationOutcome, failure: MigrationFailure? = nil, document: Document? = nil, result: Document? = nil,
        decodingSeconds: Double = 0
    ) {
        self.source = source
        self.format = format
        self.chain = chain
        self.versions = versions
        self.target = target
        self.detection = detection
        self.steps = steps
        self.path = path
        self.parts = parts
        self.dropped = dropped
        self.warnings = warnings
        self.outcome = outcome
        self.failure = failure
        self.document = document
        self.result = result
        self.decodingSeconds = decodingSeconds
    }
}
