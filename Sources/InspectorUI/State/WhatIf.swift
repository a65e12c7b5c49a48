import DocumentModel

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
