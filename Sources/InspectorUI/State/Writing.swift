import DocumentModel
import MigrationCore

/// A request to write a file.
public struct Writing: Sendable {
    /// The content of the file.
    public enum Product: Sendable {
        /// A document as it is, in its own format and layout.
        case document(Document)
        /// The document of a trace, migrated to its newest version.
        case migrated(MigrationTrace)
        /// A JSON Patch.
        case patch(DocumentDifference)
        case trace(MigrationTrace)
        /// The story of the migration, in Markdown for people.
        case story(MigrationTrace)
        /// A picture of the screen, as SVG.
        case picture(Canvas)

        /// The trace that the content is made from, if any.
        public var trace: MigrationTrace? {
            switch self {
            case .migrated(let trace), .trace(let trace), .story(let trace): trace
            case .document, .patch, .picture: nil
            }
        }

        /// Returns the same kind of content made from another trace.
        public func made(of trace: MigrationTrace) -> Product {
            switch self {
            case .migrated: .migrated(trace)
            case .trace: .trace(trace)
            case .story: .story(trace)
            case .document, .patch, .picture: self
            }
        }
    }

    /// The outcome of writing a file.
    public enum Outcome: Sendable {
        /// The file was written, possibly replacing the document itself. The note holds any further information.
        case done(note: String?, isDocument: Bool = false)
        /// Nothing was written, because a file of this name exists or the name is that of the document itself.
        case exists(isDocument: Bool)
        /// The file could not be written, for this reason.
        case failed(String)
    }

    /// The document that the file is about.
    public let document: FoundDocument.ID
    /// The user's supposition about the document.
    public let supposition: Supposition
    public let product: Product
    /// The name of the file, as the user typed it.
    public let name: String
    /// Whether an existing file may be replaced. It is then kept as a backup.
    public let replaces: Bool
}
