import DocumentModel

/// What kind of system is behind a chain: how documents are recognized, checked and traced.
protocol ChainSystem: AnyObject, Sendable {
    /// What the chain is called.
    var name: String { get }
    /// The versions, oldest first.
    var versions: [ChainVersion] { get }
    /// What the author says about the step to each version; nil where nothing is said.
    var notes: [String?] { get }

    /// What is wrong with the declaration of the chain; nil if nothing is.
    var declarationError: ChainDeclarationError? { get }

    /// Whether some version says which it is under a key of the document.
    var hasVersionKey: Bool { get }

    /// What the document says of its version, where the chain has version keys; nil where it has none. A document that
    /// is of a version of the chain is decoded.
    func claim(_ reading: Reading) -> DetectedStage?

    /// How well a document fits, judged without running steps.
    ///
    /// - Parameter claim: What ``claim(_:)`` found.
    /// - Returns: The fit, and what is known of the document by then.
    func fit(
        of reading: Reading, claim: DetectedStage?
    ) -> (fit: ChainFit, found: DetectedStage?)

    /// What a document says of its version, found out without running a step; nil where the chain has to run for that.
    func detection(of reading: Reading) -> DetectedStage?

    /// How the app decodes.
    var decoder: DocumentDecoder { get }
    /// How the app encodes.
    var encoder: DocumentEncoder { get }

    /// The fields of the version at an index, at every depth, with their types.
    func outline(ofVersion index: Int) -> VersionOutline

    /// What happens to a document.
    ///
    /// - Parameters:
    ///   - found: What is known of the document already.
    ///   - detail: What is kept of it. Where that is not every step, no snapshots are made and nothing is compared,
    ///     unless a failure needs it to be explained.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail
    ) -> MigrationTrace
}

extension ChainSystem {
    /// The newest version.
    var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    var notes: [String?] { versions.map { _ in nil } }

    var declarationError: ChainDeclarationError? { nil }

    var hasVersionKey: Bool { false }

    func detection(of reading: Reading) -> DetectedStage? { nil }

    func claim(_ reading: Reading) -> DetectedStage? { nil }

    /// A reading of a document, with the chain's coders.
    ///
    /// - Parameter answers: What the document has answered to other chains.
    func reading(_ document: Document, detail: RunDetail, sharing answers: VersionAnswers? = nil) -> Reading {
        Reading(
            document, decoder, encoder, detail: detail, sharing: decoder.strategies.areUsual ? answers : nil)
    }

    /// The failure of a document that is of a version later than the one asked for, or of a chain without that version.
    func unreachable(
        _ target: DocumentVersion, from version: DocumentVersion, isStraight: Bool = false
    ) -> MigrationFailure {
        MigrationFailure(
            .unreachableTarget(
                target: target, version: version, chain: name, versions: versions.map(\.version),
                isStraight: isStraight))
    }
}
