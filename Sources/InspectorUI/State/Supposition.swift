import DocumentModel
import MigrationCore

/// What a person supposes of a document, to see what would become of it: that it is another one, or is read another way.
public struct Supposition: Sendable, Codable, Equatable {
    /// What is changed in the document, in memory alone.
    public var edits: [DocumentEdit]
    /// The chain that it is read with; nil for the one that its content says.
    public var chain: ChosenChain?

    /// Changes, and a chain.
    public init(_ edits: [DocumentEdit] = [], chain: ChosenChain? = nil) {
        self.edits = edits
        self.chain = chain
    }

    /// Whether the document is taken as it is.
    public var isEmpty: Bool { edits.isEmpty && chain == nil }

    /// One line of it for a person.
    var words: String { (edits.map(\.words) + (chain.map { ["read as \($0.words)"] } ?? [])).joined(separator: ", ") }
}

/// The chain that a person reads a document with.
public struct ChosenChain: Sendable, Codable, Equatable {
    /// What the chain is called.
    public var name: String
    /// The version that the document is taken to be of, whatever it says; nil where the chain finds that out.
    public var version: DocumentVersion?

    /// A chain, and a version of it.
    public init(_ name: String, version: DocumentVersion? = nil) {
        self.name = name
        self.version = version
    }

    var words: String { name + (version.map { " \($0)" } ?? "") }
}
