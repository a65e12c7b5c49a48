import DocumentModel

/// The kind of system that a chain uses, which recognizes, checks, and traces documents.
protocol ChainSystem: AnyObject, Sendable {
    /// The name of the chain.
    var name: String { get }
    /// The versions, oldest first.
    var versions: [ChainVersion] { get }
    /// The author's note about the step to each version, or nil if there is none.
    var notes: [String?] { get }

    /// The mistake in the declaration of the chain, or nil if there is none.
    var declarationError: ChainDeclarationError? { get }

    /// Returns the version that the document states, or nil if the chain has no version keys. If the chain has the
    /// version, the document is decoded.
    func claim(_ reading: Reading) -> DetectedStage?

    /// Rates how well a document fits, without running steps.
    ///
    /// - Parameter claim: The result of ``claim(_:)``.
    /// - Returns: The fit, and the detection so far.
    func fit(
        of reading: Reading, claim: DetectedStage?
    ) -> (fit: ChainFit, found: DetectedStage?)

    /// Returns the version that a document states without running a step, or nil if that takes a run.
    func detection(of reading: Reading) -> DetectedStage?

    /// The decoder that decodes as the app does.
    var decoder: DocumentDecoder { get }
    /// The encoder that encodes as the app does.
    var encoder: DocumentEncoder { get }

    /// Returns the fields of the version at an index, at every depth, with their types.
    func outline(ofVersion index: Int) -> VersionOutline

    /// Runs a document through the chain.
    ///
    /// - Parameters:
    ///   - found: The detection so far.
    ///   - detail: The parts of the run to keep. If that isn't every step, no snapshots are made and nothing is
    ///     compared, unless it takes that to explain a failure.
    ///   - observer: What observes the run.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail,
        for observer: (any RunObserver)?
    ) -> MigrationTrace
}

extension ChainSystem {
    /// The newest version.
    var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    var notes: [String?] { versions.map { _ in nil } }

    var declarationError: ChainDeclarationError? { nil }

    func detection(of reading: Reading) -> DetectedStage? { nil }

    func claim(_ reading: Reading) -> DetectedStage? { nil }

    /// Returns a reading of a document with the chain's coders.
    ///
    /// - Parameters:
    ///   - answers: The answers that the document gave to other chains.
    ///   - observer: What observes the reading.
    func reading(
        _ document: Document, detail: RunDetail, sharing answers: VersionAnswers? = nil,
        for observer: (any RunObserver)? = nil
    ) -> Reading {
        Reading(
            document, decoder, encoder, detail: detail, sharing: decoder.strategies.areUsual ? answers : nil,
            for: observer)
    }

    /// Returns the failure of a document whose version is later than the target, or whose chain lacks the target.
    func unreachable(
        _ target: DocumentVersion, from version: DocumentVersion, isStraight: Bool = false
    ) -> MigrationFailure {
        MigrationFailure(
            .unreachableTarget(
                target: target, version: version, chain: name, versions: versions.map(\.version),
                isStraight: isStraight))
    }
}
