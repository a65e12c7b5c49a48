import DocumentModel

/// What a person looks at, for a program that takes over where another one was.
public struct InspectedView: Codable, Sendable, Equatable {
    /// What was opened on the screen, in place of what the command line names; nil where that is open still.
    public var opened: String?
    /// The title of the document.
    public var title: String
    /// The stop: 0 is the overview, then come the steps.
    public var stop: Int
    /// The selected row there.
    public var row: Int
    /// What was supposed of the document.
    public var supposition: Supposition

    /// A view of a document.
    public init(
        title: String, stop: Int = 0, row: Int = 0, supposing supposition: Supposition = Supposition(),
        opened: String? = nil
    ) {
        self.opened = opened
        self.title = title
        self.stop = stop
        self.row = row
        self.supposition = supposition
    }
}
