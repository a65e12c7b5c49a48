import DocumentModel

/// Everything that happened to one document on its way to the newest version: an X-ray of the migration.
///
/// A trace is a value. The inspector can make one, or an app in production (``MigrationChain/trace(_:source:to:)``).
/// You can write it to a file and read it back, and it contains everything that the screens show.
///
/// A trace cannot contradict itself: ``outcome``, ``failure``, and ``result`` follow from how the document was opened
/// and how its steps and parts ended.
public struct MigrationTrace: Sendable {
    /// The result of reading the document as its own version.
    public enum Opening: Sendable, Codable {
        /// The document was decoded.
        case opened
        /// The document was not decoded.
        indirect case failed(MigrationFailure)
        /// Each of the ``MigrationTrace/parts`` was opened separately, and some failed. The failure is that of the
        /// first failed part. The steps migrated the other parts, if there are any.
        case failedInParts
        /// No chain claims the document, or more than one does, for these reasons.
        case unrecognized([Reason])
    }

    /// The conclusions from experiments in which the newest type reads the document and writes it again.
    public struct Writing: Sendable, Equatable {
        /// The values that are lost or narrowed, or nil if that was not examined.
        public var finding: StepFinding?
        /// Why it was not examined, or nil if it was.
        public var notExamined: StepFinding.Left.Reason?

        /// Creates a value from its parts.
        public init(finding: StepFinding? = nil, notExamined: StepFinding.Left.Reason? = nil) {
            (self.finding, self.notExamined) = (finding, notExamined)
        }

        /// How far the writing was examined.
        package var examination: Examination? {
            finding?.examination ?? notExamined.map(Examination.init(notExamined:))
        }
    }

    /// The name of the document, as given by the caller.
    public var source: String
    /// The format in which the document is stored, or nil if it could not be read.
    public var format: DocumentFormat?
    /// The name of the chain, or nil if no chain claims the document.
    public var chain: String?
    /// The versions of that chain, oldest first.
    public var versions: [ChainVersion]
    /// The version to migrate to.
    public var target: DocumentVersion?
    /// The version of the document, and how it was determined.
    public var detection: VersionDetection
    /// The result of reading the document as that version.
    public var opening: Opening
    /// The steps that were taken, including the failed one.
    public var steps: [MigrationStep]
    /// The path of the document if it is a part that migrated separately from its document.
    public var path: DocumentPath?
    /// The path of the bytes of a part that is in the ``VersionableContainer`` at ``path``. The paths in the trace of
    /// such a part begin there.
    public var instance: DocumentPath?
    /// The parts of the document that migrated separately.
    public var parts: [MigrationTrace]
    /// The topmost fields of the document that nothing read, with elements of arrays folded to `[*]`. If ``leftOver``
    /// is nil, a step may have read some of them.
    public var dropped: [DocumentPath]
    /// Things the user should know although nothing failed.
    public var warnings: [Reason]
    /// The document as it was read, or nil if it could not be parsed.
    public var document: Document?
    /// The document that the app writes after parts of it migrated, or nil if no parts did.
    public var rewriting: MigrationStep.Ending?
    /// How long detection and the first decoding took, in seconds.
    public var decodingSeconds: Double
    /// The failures that follow the first one, each found after the previous one was repaired in an experiment. Empty
    /// if they were not searched for.
    public var furtherFailures: [MigrationFailure] = []
    /// The fields that closures read, that remain in the payload afterward, and that the newest type does not decode.
    /// Nil if the reads of closures were not examined.
    public var leftOver: [DocumentPath]? = []
    /// The conclusions from experiments about the next time the app saves the document. Nil if that was not examined,
    /// or if the last step writes the document.
    public var writing: Writing?
    /// Whether the ``result`` opens again, or nil if that was not tried.
    public var reopens: Reopening?
    /// The output of the app's code during the migration, if it ran in a separate process.
    public var output: [PrintedOutput] = []
    /// The meaning of the folded paths, in a trace in the form that reports use. See ``folding()``.
    public var folds = PathFolds()
}

extension MigrationTrace {
    /// Creates a trace from its parts.
    public init(
        source: String, format: DocumentFormat? = nil, chain: String? = nil, versions: [ChainVersion] = [],
        target: DocumentVersion? = nil, detection: VersionDetection = VersionDetection(), opening: Opening = .opened,
        steps: [MigrationStep] = [], path: DocumentPath? = nil, parts: [MigrationTrace] = [],
        dropped: [DocumentPath] = [], warnings: [Reason] = [], document: Document? = nil,
        rewriting: MigrationStep.Ending? = nil, decodingSeconds: Double = 0
    ) {
        // The memberwise initializer creates the value in one go. An initializer that sets the properties one by one
        // ends by copying the value, which counts every reference in it twice.
        self.init(
            source: source, format: format, chain: chain, versions: versions, target: target, detection: detection,
            opening: opening, steps: steps, path: path, parts: parts, dropped: dropped, warnings: warnings,
            document: document, rewriting: rewriting, decodingSeconds: decodingSeconds, furtherFailures: [],
            leftOver: [], writing: nil, reopens: nil, output: [], folds: PathFolds())
    }

    /// The outcome of the migration.
    public var outcome: MigrationOutcome { outcome(failingBecause: failure) }

    /// Returns the outcome, given that ``failure`` is already known.
    func outcome(failingBecause failure: MigrationFailure?) -> MigrationOutcome {
        if case .unrecognized = opening { return .unrecognized }
        if let failure {
            if case .unreadable(problem: .git(.absent)) = failure.reason { return .deleted }
            return failure.kind == .unreadable ? .unreadable : .failed
        }
        return steps.isEmpty && rewriting == nil ? .current : .migrated
    }

    /// The reason for the failure, or nil if the document did not fail.
    public var failure: MigrationFailure? {
        switch opening {
        case .failed(let failure): failure
        case .failedInParts: steps.last?.failure ?? parts.lazy.compactMap(\.failureOfWhole).first
        case .opened, .unrecognized: steps.last?.failure
        }
    }

    /// The failure of this part as seen from the whole document.
    package var failureOfWhole: MigrationFailure? { failure?.relocated(toWholeWithPartAt: base) }

    /// The path of the part's own document in the document around it, where the paths in the trace begin.
    package var base: DocumentPath { instance ?? path ?? .root }

    /// Whether the document got past all its steps, and only parts of it failed.
    package var isMigratedButForParts: Bool {
        if case .failedInParts = opening { !steps.isEmpty && steps.last?.failure == nil } else { false }
    }

    /// The document in its newest version. Nil if that version was not reached, or if the value could not be encoded.
    /// For preferences of which some keys failed, the document with the other keys migrated.
    public var result: Document? {
        if let rewriting { return rewriting.document }
        if let last = steps.last { return last.after }
        if case .opened = opening { return document }
        return nil
    }

    /// Why there is no ``result`` although nothing failed: the value was made, but could not be encoded.
    public var notEncodable: Reason? {
        if case .madeUnencodable(let reason)? = rewriting ?? steps.last?.ending { reason } else { nil }
    }
}

extension MigrationTrace {
    /// The failures. If the parts of a document migrate separately, those of each part.
    package var failures: [MigrationFailure] {
        let parts = parts.compactMap(\.failureOfWhole)
        if case .failedInParts = opening, !parts.isEmpty { return parts }
        return failure.map { [$0] } ?? []
    }

    /// Returns the part that failed in a document whose parts migrate separately, or nil for any other document.
    package func failingPart(of failure: MigrationFailure) -> DocumentPath? {
        guard case .failedInParts = opening else { return nil }
        // An app's own error names no path, regardless of the part that threw it.
        return failure.path?.components.first.map { DocumentPath([$0]) }
            ?? parts.first { $0.failureOfWhole?.reason == failure.reason }?.path
    }
}
