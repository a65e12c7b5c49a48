import DocumentModel

/// A chain as seen by the process that doesn't run its code.
public struct ChainDescription: Sendable, Codable, Equatable {
    /// The name of the chain.
    public let name: String
    /// The versions, oldest first.
    public let versions: [ChainVersion]
    /// The author's note on the step to each version; nil if there is none.
    public let notes: [String?]
    /// The values of the previous version that the step to each version drops on purpose.
    public let intendedLosses: [[DocumentPath]]
    /// Whether the chain may be run repeatedly with the same document.
    public let isRepeatable: Bool
    /// For each version, the edits that make a document state that version; empty if they aren't known.
    public let statements: [[DocumentEdit]]
    /// Whether a document may be read as any version, regardless of the version it states.
    public let readsAsAnyVersion: Bool
    /// Whether the documents between the steps are payloads, which the newest type finally decodes and encodes again.
    package let isOfPayloads: Bool

    /// Describes a chain.
    public init(_ chain: MigrationChain) {
        name = chain.name
        versions = chain.versions
        notes = chain.notes
        intendedLosses = chain.intendedLosses
        isRepeatable = chain.isRepeatable
        statements = chain.versionStatements
        readsAsAnyVersion = chain.readsAsAnyVersion
        isOfPayloads = chain.isOfPayloads
    }

    /// Creates a description from its components.
    package init(
        name: String, versions: [ChainVersion], notes: [String?] = [], statements: [[DocumentEdit]]? = nil,
        readsAsAnyVersion: Bool = false
    ) {
        self.name = name
        self.versions = versions
        self.notes = notes
        intendedLosses = []
        isRepeatable = true
        self.statements = statements ?? versions.map { _ in [] }
        self.readsAsAnyVersion = readsAsAnyVersion
        isOfPayloads = false
    }

    /// The newest version of the chain.
    public var newestVersion: DocumentVersion { versions.last?.version ?? .unversioned }

    /// Returns the author's note on the step to the version at an index, if any.
    package func note(onStepTo index: Int) -> String? { notes.indices.contains(index) ? notes[index] : nil }

    /// Whether there is a note, a list of losses and a statement for each version.
    package var isWhole: Bool {
        [notes.count, intendedLosses.count, statements.count].allSatisfy { $0 == versions.count }
    }
}
