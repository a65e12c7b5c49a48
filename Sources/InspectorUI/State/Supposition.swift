import DocumentModel
import MigrationCore

/// A supposition that the user makes about a document to see how it would migrate: that its content differs, or that
/// it is read in another way.
public struct Supposition: Sendable, Codable, Equatable {
    /// The changes to the document, only made in memory.
    public var edits: [DocumentEdit]
    /// The chain to read the document with; nil for the one that its content indicates.
    public var chain: ChosenChain?

    /// Creates a supposition from changes and a chain.
    public init(_ edits: [DocumentEdit] = [], chain: ChosenChain? = nil) {
        self.edits = edits
        self.chain = chain
    }

    /// Whether nothing is supposed and the document is used as it is.
    public var isEmpty: Bool { edits.isEmpty && chain == nil }

    /// The supposition in one line of words.
    var words: String { (edits.map(\.words) + (chain.map { ["read as \($0.words)"] } ?? [])).joined(separator: ", ") }
}

/// The chain that the user chose to read a document with.
public struct ChosenChain: Sendable, Codable, Equatable {
    /// The name of the chain.
    public var name: String
    /// The version to read the document as, whatever its content says; nil to let the chain detect it.
    public var version: DocumentVersion?

    /// Creates a choice of a chain and one of its versions.
    public init(_ name: String, version: DocumentVersion? = nil) {
        self.name = name
        self.version = version
    }

    var words: String { name + (version.map { " \($0)" } ?? "") }
}

/// The changes that the user has made to a document, only in memory, to see their effect.
struct WhatIf: Sendable {
    /// Changes that are made and undone together.
    struct Change: Sendable {
        var edits: [DocumentEdit]
        /// The chain that was chosen with the changes; nil to keep the current one.
        var chain: ChosenChain?
    }

    /// The changes, in the order in which they were made.
    private var changes: [Change]
    /// The changes that were undone, latest last. The next change clears them.
    private var undone: [Change] = []
    /// The document without the changes; nil if it has not been traced.
    let original: Document?

    init(_ supposition: Supposition = Supposition(), original: Document?) {
        changes = supposition.edits.map { Change(edits: [$0]) }
        if let chain = supposition.chain { changes.append(Change(edits: [], chain: chain)) }
        self.original = original
    }

    init(_ edits: [DocumentEdit], original: Document?) { self.init(Supposition(edits), original: original) }

    var edits: [DocumentEdit] { changes.flatMap(\.edits) }
    var supposition: Supposition { Supposition(edits, chain: changes.last { $0.chain != nil }?.chain) }
    var isEmpty: Bool { changes.isEmpty }
    var canRedo: Bool { !undone.isEmpty }

    mutating func make(_ change: Change) {
        changes.append(change)
        undone = []
    }

    mutating func undo() { if let change = changes.popLast() { undone.append(change) } }

    mutating func redo() { if let change = undone.popLast() { changes.append(change) } }
}
