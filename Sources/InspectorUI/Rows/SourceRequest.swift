import DocumentModel
import MigrationCore

/// What is needed to show the text of a document.
struct SourceRequest: Sendable {
    /// The document; nil when it did not parse, and `bytes` is what was read.
    let document: Document?
    let bytes: SourceBytes?
    let failure: MigrationFailure?
    /// The version key, to point at where nothing failed.
    let versionPath: DocumentPath?
    /// The part of the document to point at instead, where that is looked at.
    var part: DocumentPath?
    /// The number of the text's first line in its file.
    var firstLine = 1

    /// The value to point at, where the failure does not say a place.
    var node: DocumentNode? {
        guard let failure else { return (part ?? versionPath).flatMap { document?.value(at: $0) } }
        // The location counts in the document as it was read; the culprit of a later step may be elsewhere in it.
        return failure.location == nil ? failure.culprit.flatMap { document?.value(at: $0.path) } : nil
    }

    /// What stands under the place: the kind of error, and the path that it names.
    var label: String {
        guard let failure else {
            return part.map { "the part at \($0)" } ?? versionPath.map { "version at \($0)" } ?? ""
        }
        return failure.kind.rawValue + (failure.path.map { " at \($0)" } ?? "")
    }
}
