import DocumentModel

/// What a person has changed in a document, in memory alone, to see what would become of it.
struct WhatIf: Sendable {
    /// The changes, in the order in which they were made.
    private(set) var edits: [DocumentEdit]
    /// Those that were undone, the latest at the end; the next change forgets them.
    private(set) var undone: [DocumentEdit] = []
    /// The document without the changes; nil where it was never looked at.
    let original: Document?

    init(_ edits: [DocumentEdit] = [], original: Document?) {
        self.edits = edits
        self.original = original
    }

    mutating func make(_ edit: DocumentEdit) {
        edits.append(edit)
        undone = []
    }

    mutating func undo() { if let edit = edits.popLast() { undone.append(edit) } }

    mutating func redo() { if let edit = undone.popLast() { edits.append(edit) } }
}
