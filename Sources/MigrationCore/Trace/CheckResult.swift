import DocumentModel

/// The outcome of one document: what a check keeps of a trace.
public struct CheckResult: Sendable, Hashable, Codable {
    /// The name of the document.
    public var source: String
    /// The form of the document; nil if that could not be made out.
    public var format: DocumentFormat?
    /// What the document lies in; nil for one that is a file of its own.
    public var container: DocumentContainer?
    /// The commit that the document lies in, where the history of a file was asked for.
    public var revision: DocumentRevision?
    /// The name of the chain; nil if none claims the document.
    public var chain: String?
    /// The version as it was found; `unversioned` (null) also where the document has no version key, nil (null) where
    /// none was found out, and in a result that is read back.
    public var version: DocumentVersion?
    /// Where the version was found.
    public var versionPath: DocumentPath?
    /// The version that was to be reached.
    public var target: DocumentVersion?
    /// What came of it.
    public var outcome: MigrationOutcome
    /// Why it failed, if it did.
    public var failure: MigrationFailure?
    /// The values that steps read and did not carry on; nil where that was not looked for.
    public var lost: [ValueLoss]?
    /// The values of which steps carried on less than there was; nil where that was not looked for.
    public var narrowed: [ValueNarrowing]?
    /// How far experiments looked at the document; nil where none was made.
    public var examined: Examination?
    /// The topmost fields of the document that nothing read, elements of arrays folded to `[*]`. Where ``leftOver`` is not
    /// known, a step may have read some of them.
    public var dropped: [DocumentPath] = []
    /// The fields that closures read and leave, and that the newest type does not decode; nil where it was not looked for
    /// what the closures read.
    public var leftOver: [DocumentPath]? = []
    /// What folded paths stand for in ``dropped``, ``leftOver``, ``lost`` and ``narrowed``.
    public var folds = PathFolds()
    /// What comes of opening again what was made; nil where that was not tried.
    public var reopens: Reopening?
    /// What a person should know though nothing failed.
    public var warnings: [Reason] = []

    /// How long its code was at work, in seconds; nil where that was not asked for. Reports of JSON do not say it.
    public var seconds: Double?

    // Null is written for what is not there, and the sentences for the warnings.
    private enum CodingKeys: String, NullableCodingKey {
        case source, format, container, revision, chain, version, versionPath, target, outcome, failure, lost,
            narrowed, dropped, leftOver
        case folds = "folded"
        case examined, reopens, warnings
    }

    /// Whether the document opens as the version that was to be reached.
    public var isPassed: Bool { outcome == .current || outcome == .migrated }

    /// Whether the document loses something on its way, as far as is known.
    public var isLossy: Bool {
        !dropped.isEmpty && leftOver != nil || lost?.isEmpty == false
            || narrowed?.contains { !$0.how.isSpelling } == true
    }

    /// Whether the document loses something, something that is gone could not be looked at, or what was made does not open
    /// again.
    public var isDoubtful: Bool { isLossy || examined?.isWhole == false || reopens?.failure != nil }

    /// A result that says no more than what came of a document.
    public init(source: String, outcome: MigrationOutcome, failure: MigrationFailure? = nil) {
        self.source = source
        self.outcome = outcome
        self.failure = failure
    }

    /// What a check would have kept of `trace`.
    public init(_ trace: MigrationTrace) {
        failure = trace.failure
        outcome = trace.outcome(failingBecause: failure)
        source = trace.source
        format = trace.format
        chain = trace.chain
        version = trace.detection.version
        versionPath = trace.detection.path
        target = trace.target
        (dropped, leftOver, folds) = trace.foldedFields
        lost = trace.folding(trace.losses, at: \.path, step: \.step, part: \.part, into: &folds)
        narrowed = trace.folding(trace.narrowings, at: \.path, step: \.step, part: \.part, into: &folds)
        examined = trace.examined
        reopens = trace.reopens
        warnings = trace.toldWarnings
    }
}

extension MigrationTrace {
    /// How many documents lend their values to experiments with another.
    package static let mostLenders = 20

    /// Whether a document lends its values to experiments with this one: it migrates, and is of the same chain and
    /// version.
    package func borrows(from result: CheckResult) -> Bool {
        guard let chain, let other = result.chain else { return false }
        return result.isPassed && result.version == detection.version && chain.isExactly(other)
    }
}

/// What came of opening a document.
public enum MigrationOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The document was of the newest version already.
    case current
    /// The document was carried forward to the newest version.
    case migrated
    /// The document could not be parsed, decoded or carried forward.
    case failed
    /// No chain, or more than one, claims the document.
    case unrecognized
    /// The document could not be read at all.
    case unreadable
}
