import DocumentModel

/// The outcome of one document: the part of a trace that a check keeps.
public struct CheckResult: Sendable, Hashable, Codable {
    /// The name of the document.
    public var source: String
    /// The format of the document, or nil if it could not be determined.
    public var format: DocumentFormat?
    /// The container of the document, or nil if the document is a whole file.
    public var container: DocumentContainer?
    /// The commit that contains the document, if a check covers the history of a file.
    public var revision: DocumentRevision?
    /// The name of the chain, or nil if no chain claims the document.
    public var chain: String?
    /// The version that was found. It is `unversioned` (null) also for a document without a version key. It is nil
    /// (null) if no version could be determined, and in a decoded result.
    public var version: DocumentVersion?
    /// Where the version was found.
    public var versionPath: DocumentPath?
    /// The version that was only observed in a document of no chain, by comparison with other documents. Nil if there is
    /// none.
    public var observed: ObservedVersion?
    /// The values of a document of no chain that may be its version. JSON reports leave them out.
    package var versionCandidates: [ObservedVersion] = []
    /// The version to migrate to.
    public var target: DocumentVersion?
    /// The outcome.
    public var outcome: MigrationOutcome
    /// The reason for the failure, if the document failed.
    public var failure: MigrationFailure?
    /// The values that steps read and did not carry over, or nil if losses were not examined.
    public var lost: [ValueLoss]?
    /// The values that steps carried over only partly, or nil if losses were not examined.
    public var narrowed: [ValueNarrowing]?
    /// How far experiments examined the document, or nil if none were run.
    public var examined: Examination?
    /// The topmost fields of the document that nothing read, with elements of arrays folded to `[*]`. If ``leftOver``
    /// is nil, a step may have read some of them.
    public var dropped: [DocumentPath] = []
    /// The fields that closures read and leave in the payload, and that the newest type does not decode. Nil if the
    /// reads of closures were not examined.
    public var leftOver: [DocumentPath]? = []
    /// The meaning of the folded paths in ``dropped``, ``leftOver``, ``lost``, and ``narrowed``.
    public var folds = PathFolds()
    /// Whether the migrated document opens again, or nil if that was not tried.
    public var reopens: Reopening?
    /// Things the user should know although nothing failed.
    public var warnings: [Reason] = []

    /// How long the app's code ran for the document, in seconds, or nil if that was not requested. JSON reports leave
    /// it out.
    public var seconds: Double?

    // Missing values are written as null, and warnings as sentences.
    private enum CodingKeys: String, NullableCodingKey {
        case source, format, container, revision, chain, version, versionPath, observed, target, outcome, failure,
            lost, narrowed, dropped, leftOver
        case folds = "folded"
        case examined, reopens, warnings
    }

    /// Whether the document opens as the target version.
    public var isPassed: Bool { outcome == .current || outcome == .migrated }

    /// Whether the document is known to lose something during migration.
    public var isLossy: Bool {
        !dropped.isEmpty && leftOver != nil || lost?.isEmpty == false
            || narrowed?.contains { !$0.how.isSpelling } == true
    }

    /// Whether the document loses something, something that is gone could not be examined, or the migrated document
    /// does not open again.
    public var isDoubtful: Bool { isLossy || examined?.isWhole == false || reopens?.failure != nil }

    /// Creates a result with only the outcome of a document and its failure.
    public init(source: String, outcome: MigrationOutcome, failure: MigrationFailure? = nil) {
        self.source = source
        self.outcome = outcome
        self.failure = failure
    }

    /// Creates the result that a check keeps of `trace`.
    public init(_ trace: MigrationTrace) {
        let failure = trace.failure
        outcome = trace.outcome(failingBecause: failure)
        self.failure = outcome == .deleted ? nil : failure
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
        warnings = trace.reportedWarnings
    }

    /// Creates the result that a check keeps of `trace`, with the values that may be the version of a document of no
    /// chain.
    ///
    /// - Parameter versionKey: The path of the version, if a person named it.
    public init(_ trace: MigrationTrace, versionKey: DocumentPath?) {
        self.init(trace)
        if case .unrecognized = trace.opening {
            versionCandidates = trace.document?.root.versionCandidates(at: versionKey) ?? []
        }
    }
}

extension MigrationTrace {
    /// The maximum number of documents that lend their values to experiments with another document.
    package static let mostLenders = 20

    /// Returns whether a document lends its values to experiments with this one: it opens, and has the same chain and
    /// version.
    package func borrows(from result: CheckResult) -> Bool {
        guard let chain, let other = result.chain else { return false }
        return result.isPassed && result.version == detection.version && chain.isExactly(other)
    }
}

/// The outcome of opening a document.
public enum MigrationOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The document already had the newest version.
    case current
    /// The document was migrated to the newest version.
    case migrated
    /// The document could not be parsed, decoded, or migrated.
    case failed
    /// No chain claims the document, or more than one does.
    case unrecognized
    /// The document could not be read at all.
    case unreadable
    /// The document is not there in this state of its history. Such a state is listed, but is not counted as a document.
    case deleted

    /// The outcomes that documents are counted by.
    package static let counted = allCases.filter { $0 != .deleted }

    /// Whether the document needs attention, so that a check exits with 1.
    package var isProblem: Bool {
        switch self {
        case .current, .migrated, .deleted: false
        case .failed, .unrecognized, .unreadable: true
        }
    }
}
