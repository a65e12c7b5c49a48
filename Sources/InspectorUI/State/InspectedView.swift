import DocumentModel

/// The view on the screen, for a new build of the program that takes over from the old one.
public struct InspectedView: Codable, Sendable, Equatable {
    /// The path opened on the screen in place of the one on the command line; nil if that one is still open.
    public var opened: String?
    /// The title of the document.
    public var title: String
    /// The stop: 0 is the overview, followed by the steps.
    public var stop: Int
    /// The selected row of the stop.
    public var row: Int
    /// The supposition made about the document.
    public var supposition: Supposition

    /// Creates a view of a document.
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
