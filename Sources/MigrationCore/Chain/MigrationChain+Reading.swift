import DocumentModel

extension MigrationChain {
    /// For each version, oldest first, what makes a document say that it is of that version: the values that a spec or a
    /// `version` key reads, each to be set. Nothing for a version of which the documents say nothing, and where it cannot
    /// be told.
    package var versionStatements: [[DocumentEdit]] {
        (system as? StagedChain)?.stages.map(\.statement) ?? versions.map { _ in [] }
    }

    /// Whether ``reading(as:)`` gives a chain for each of the versions.
    package var readsAsAnyVersion: Bool { system is StagedChain }

    /// The same chain, which takes every document to be of one version, whatever that says of itself: what is asked of a
    /// document of a shape, which has nothing to say it with.
    ///
    /// - Returns: nil where the chain has no such version, or its type finds out by itself what it reads.
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

/// Detection of a version that a person has named.
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
