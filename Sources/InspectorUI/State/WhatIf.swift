import DocumentModel

/// What a person has changed in a document, in memory alone, to see what would become of it.
struct WhatIf: Sendable {
    /// What was done at once, and is taken back at once.
    struct Change: Sendable {
        var edits: [DocumentEdit]
        /// The chain that was chosen with it; nil where it stays what it was.
        var chain: ChosenChain?
    }

    /// The changes, in the order in which they were made.
    private var changes: [Change]
    /// Those that were undone, the latest at the end; the next change forgets them.
    private var undone: [Change] = []
    /// The document without the changes; nil where it was never looked at.
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
