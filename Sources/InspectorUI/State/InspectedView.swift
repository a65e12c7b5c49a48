import DocumentModel

/// What a person looks at, for a program that takes over where another one was.
public struct InspectedView: Codable, Sendable, Equatable {
    /// The title of the document.
    public var title: String
    /// The stop: 0 is the overview, then come the steps.
    public var stop: Int
    /// The selected row there.
    public var row: Int
    /// What was changed in the document in memory.
    public var edits: [DocumentEdit]

    /// A view of a document.
    public init(title: String, stop: Int = 0, row: Int = 0, edits: [DocumentEdit] = []) {
        self.title = title
        self.stop = stop
        self.row = row
        self.edits = edits
    }
}
