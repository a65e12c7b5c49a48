import DocumentModel
import MigrationCore

/// Everything that is needed to show the text of a document.
struct SourceRequest: Sendable {
    /// The document; nil if it did not parse, in which case `bytes` is what was read.
    let document: Document?
    let bytes: SourceBytes?
    let failure: MigrationFailure?
    /// The path of the version key, which is marked if nothing failed.
    let versionPath: DocumentPath?
    /// The path of the part to mark instead, while the part is shown.
    var part: DocumentPath?
    /// The number of the text's first line in its file.
    var firstLine = 1

    /// The value to mark if the failure has no location.
    var node: DocumentNode? {
        guard let failure else { return (part ?? versionPath).flatMap { document?.value(at: $0) } }
        // The location refers to the document as it was read. In a later step, the culprit may be elsewhere.
        return failure.location == nil ? failure.culprit.flatMap { document?.value(at: $0.path) } : nil
    }

    /// The label below the mark: the kind of error and the path that it names.
    var label: String {
        guard let failure else {
            return part.map { "the part at \($0)" } ?? versionPath.map { "version at \($0)" } ?? ""
        }
        return failure.kind.rawValue + (failure.path.map { " at \($0)" } ?? "")
    }
}
