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

    /// The text, with the place to point at; nil where there is none (a binary property list, a document that was
    /// made and not read).
    func text() -> SourceText? {
        if let path = failure?.location?.within, let string = document?.root.descendant(at: path)?.string {
            return SourceText(
                bytes: SourceBytes(string), document: nil, location: failure?.location, node: nil, label: label,
                isFailure: failure != nil)
        }
        guard let source = document?.source ?? bytes, document?.format != .plistBinary else { return nil }
        return SourceText(
            bytes: source, document: document, location: failure?.location, node: node, label: label,
            isFailure: failure != nil)
    }

    private var node: DocumentNode? {
        guard let failure else { return (part ?? versionPath).flatMap { document?.root.descendant(at: $0) } }
        // The location counts in the document as it was read; the culprit of a later step may be elsewhere in it.
        return failure.location == nil ? failure.culprit.flatMap { document?.root.descendant(at: $0.path) } : nil
    }

    /// What stands under the place: the kind of error, and the path that it names.
    private var label: String {
        guard let failure else {
            return part.map { "the part at \($0)" } ?? versionPath.map { "version at \($0)" } ?? ""
        }
        return failure.kind.rawValue + (failure.path.map { " at \($0)" } ?? "")
    }
}
