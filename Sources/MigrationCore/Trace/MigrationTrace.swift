import DocumentModel

/// Everything that happened to one document on its way to the newest version: the X-ray of a migration.
///
/// A trace is a value. It can be made by the inspector or by an app in production
/// (``MigrationChain/trace(_:source:to:)``), written to a file and read again; a screen needs nothing else.
///
/// It cannot contradict itself: ``outcome``, ``failure`` and ``result`` follow from how the document was opened and how
/// its steps and its parts ended.
public struct MigrationTrace: Sendable {
    /// What came of reading the document as the version that it is.
    public enum Opening: Sendable {
        /// It was decoded.
        case opened
        /// It was not.
        indirect case failed(MigrationFailure)
        /// Each of its ``MigrationTrace/parts`` was opened by itself, and some failed. The failure is that of the first
        /// of them; the steps carried the others forward, if there are others.
        case failedInParts
        /// No chain, or more than one, claims the document; the reasons.
        case unrecognized([Reason])
    }

    /// What experiments show of the newest type reading a document and writing it again.
    public struct Writing: Sendable, Equatable {
        /// What is lost and narrowed; nil where that was not found out.
        public var finding: StepFinding?
        /// Why it was not found out; nil where it was.
        public var notExamined: StepFinding.Left.Reason?

        /// Makes it from its parts.
        public init(finding: StepFinding? = nil, notExamined: StepFinding.Left.Reason? = nil) {
            (self.finding, self.notExamined) = (finding, notExamined)
        }

        /// How far it was looked at.
        package var examination: Examination? {
            finding?.examination ?? notExamined.map(Examination.init(notExamined:))
        }
    }

    /// The name of the document, as the caller calls it.
    public var source: String
    /// The form in which the document is stored; nil where it could not be read.
    public var format: DocumentFormat?
    /// The name of the chain; nil if none claims the document.
    public var chain: String?
    /// The versions of that chain, oldest first.
    public var versions: [ChainVersion]
    /// The version that was to be reached.
    public var target: DocumentVersion?
    /// Which version the document is, and how that was found out.
    public var detection: VersionDetection
    /// What came of reading the document as that version.
    public var opening: Opening
    /// The steps that were taken, the failed one included.
    public var steps: [MigrationStep]
    /// For a part of a document that migrated on its own: where it is.
    public var path: DocumentPath?
    /// The parts of the document that migrated on their own.
    public var parts: [MigrationTrace]
    /// The topmost fields of the document that nothing read, elements of arrays folded to `[*]`. Where ``leftOver`` is not
    /// known, a step may have read some of them.
    public var dropped: [DocumentPath]
    /// What a person should know though nothing failed.
    public var warnings: [Reason]
    /// The document as it was read; nil when it could not be parsed.
    public var document: Document?
    /// What the app writes for a document whose parts migrated; nil where none did.
    public var rewriting: MigrationStep.Ending?
    /// How long detection and the first decoding took, in seconds.
    public var decodingSeconds: Double
    /// The failures that come behind the first one, each once that before it is repaired as experiments show; none where
    /// that was not looked for.
    public var furtherFailures: [MigrationFailure] = []
    /// The fields that the steps of closures read, that stay in the payload behind them, and that the newest type does not
    /// decode; nil where it was not looked for what the closures read.
    public var leftOver: [DocumentPath]? = []
    /// What experiments show of the next time that the app saves the document; nil where that was not looked for, or where
    /// the last step writes it.
    public var writing: Writing?
    /// What comes of opening the ``result`` again; nil where that was not tried.
    public var reopens: Reopening?
    /// What the app's code printed meanwhile, where it ran in a process of its own.
    public var output: [PrintedOutput] = []
    /// What folded paths stand for, in a trace as reports tell it; see ``folding()``.
    public var folds = PathFolds()
}

extension MigrationTrace {
    /// Makes a trace from its parts.
    public init(
        source: String, format: DocumentFormat? = nil, chain: String? = nil, versions: [ChainVersion] = [],
        target: DocumentVersion? = nil, detection: VersionDetection = VersionDetection(), opening: Opening = .opened,
        steps: [MigrationStep] = [], path: DocumentPath? = nil, parts: [MigrationTrace] = [],
        dropped: [DocumentPath] = [], warnings: [Reason] = [], document: Document? = nil,
        rewriting: MigrationStep.Ending? = nil, decodingSeconds: Double = 0
    ) {
        // The memberwise initializer makes the value in one go. An initializer that sets its many properties one by one
        // ends with a copy of the value, and counts every reference in it twice.
        self.init(
            source: source, format: format, chain: chain, versions: versions, target: target, detection: detection,
            opening: opening, steps: steps, path: path, parts: parts, dropped: dropped, warnings: warnings,
            document: document, rewriting: rewriting, decodingSeconds: decodingSeconds, furtherFailures: [],
            leftOver: [], writing: nil, reopens: nil, output: [], folds: PathFolds())
    }

    /// What came of it.
    public var outcome: MigrationOutcome { outcome(failingBecause: failure) }

    /// What came of it, where ``failure`` is known.
    func outcome(failingBecause failure: MigrationFailure?) -> MigrationOutcome {
        if case .unrecognized = opening { return .unrecognized }
        if let failure { return failure.kind == .unreadable ? .unreadable : .failed }
        return steps.isEmpty && rewriting == nil ? .current : .migrated
    }

    /// Why it failed; nil if it did not.
    public var failure: MigrationFailure? {
        switch opening {
        case .failed(let failure): failure
        case .failedInParts: steps.last?.failure ?? parts.lazy.compactMap(\.failureOfWhole).first
        case .opened, .unrecognized: steps.last?.failure
        }
    }

    /// The failure of a part, as it is told of the whole document.
    package var failureOfWhole: MigrationFailure? { failure?.told(ofWholeWithPartAt: path ?? .root) }

    /// Whether the document got past its steps, and only parts of it did not.
    package var isMigratedButForParts: Bool {
        if case .failedInParts = opening { !steps.isEmpty && steps.last?.failure == nil } else { false }
    }

    /// The document in its newest version; nil where that was not reached, or does not encode. Of preferences some keys
    /// of which failed, the document with the others migrated.
    public var result: Document? {
        if let rewriting { return rewriting.document }
        if let last = steps.last { return last.after }
        if case .opened = opening { return document }
        return nil
    }

    /// Why there is no ``result`` though nothing failed: the value was made, and does not encode.
    public var notEncodable: Reason? {
        if case .madeUnencodable(let reason)? = rewriting ?? steps.last?.ending { reason } else { nil }
    }
}
