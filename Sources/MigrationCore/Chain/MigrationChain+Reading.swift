import DocumentModel

extension MigrationChain {
    /// For each version, oldest first, the edits that make a document state that version: they set the values that a
    /// spec or a `version` key reads. Empty if documents don't state the version, or if the edits cannot be determined.
    package var versionStatements: [[DocumentEdit]] {
        (system as? StagedChain)?.stages.map(\.statement) ?? versions.map { _ in [] }
    }

    /// Whether ``reading(as:)`` returns a chain for each of the versions.
    package var readsAsAnyVersion: Bool { system is StagedChain }

    /// Returns the same chain, but with every document taken to be of the given version, regardless of the version that
    /// it states. Used for documents that are recognized by shape and cannot state a version.
    ///
    /// - Returns: The chain, or nil if it has no such version, or if its type detects the version itself.
    package func reading(as version: DocumentVersion) -> MigrationChain? {
        guard let staged = system as? StagedChain,
            let index = staged.stages.firstIndex(where: { $0.version == version })
        else { return nil }
        let fixed = StagedChain(
            name: staged.name, stages: staged.stages, detector: GivenVersion(index, staged.stages[index]),
            decoder: staged.decoder, encoder: staged.encoder, finish: staged.finish)
        return MigrationChain(fixed, like: self)
    }
}

/// Detection of a version that the user has named.
private struct GivenVersion: ChainDetector {
    private let index: Int
    private let stage: ChainStage

    init(_ index: Int, _ stage: ChainStage) { (self.index, self.stage) = (index, stage) }

    func detect(_ reading: Reading) -> DetectedStage {
        DetectedStage(stage: index, version: stage.version) { [stage] in
            [VersionDetection.Attempt(version: stage.version, type: stage.type, reason: nil)]
        }
    }
}
