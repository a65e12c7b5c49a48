import DocumentModel
import MigrationCore

/// A file that a person asks for.
public struct Writing: Sendable {
    /// What is to be in it.
    public enum Product: Sendable {
        /// A document as it is, in the format and the layout that it has.
        case document(Document)
        /// The document of a trace in its newest version.
        case migrated(MigrationTrace)
        /// A JSON Patch.
        case patch(DocumentDifference)
        case trace(MigrationTrace)
        /// What happened to the document, in Markdown for people.
        case story(MigrationTrace)

        /// The trace that it is made of, if it is made of one.
        public var trace: MigrationTrace? {
            switch self {
            case .migrated(let trace), .trace(let trace), .story(let trace): trace
            case .document, .patch: nil
            }
        }

        /// The same, made of another trace.
        public func made(of trace: MigrationTrace) -> Product {
            switch self {
            case .migrated: .migrated(trace)
            case .trace: .trace(trace)
            case .story: .story(trace)
            case .document, .patch: self
            }
        }
    }

    /// What came of it.
    public enum Outcome: Sendable {
        /// The file is written, in place of the document itself or not; what there is to say of it besides.
        case done(note: String?, isDocument: Bool = false)
        /// There is a file of that name, or the document itself lies there, and nothing was written.
        case exists(isDocument: Bool)
        /// It could not be written, and why.
        case failed(String)
    }

    /// The document that it is about.
    public let document: FoundDocument.ID
    /// What a person supposes of it.
    public let supposition: Supposition
    public let product: Product
    /// Where to, as a person typed it.
    public let name: String
    /// Whether a file of that name may be replaced, which is then kept as a backup.
    public let replaces: Bool
}
