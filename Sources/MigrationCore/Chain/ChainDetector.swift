import DocumentModel

/// Finds the stage of a chain that a document is of.
protocol ChainDetector: Sendable {
    /// What is found in `root`.
    func detect(in root: DocumentNode, decoder: DocumentDecoder) -> DetectedStage

    /// What was looked at to find it, newest first; made only when somebody will see it.
    func attempts(in root: DocumentNode, decoder: DocumentDecoder, detected: DetectedStage) -> [VersionDetection
        .Attempt]
}

/// What a ``ChainDetector`` found.
struct DetectedStage {
    /// The index of the stage, oldest first; nil if none fits.
    var stage: Int?
    /// The version as the document states it, whether or not a stage has it.
    var version: DocumentVersion?
    /// Where it states it.
    var path: DocumentPath?
    /// Why none fits.
    var error: (any Error)?
    /// What a person should know of the finding.
    var warnings: [String] = []
}
