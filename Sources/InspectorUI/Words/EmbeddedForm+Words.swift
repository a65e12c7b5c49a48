import DocumentModel
import MigrationCore

extension DocumentNode {
    /// A description of what holds this document inside another one; nil for any other value.
    var heldWords: String? {
        guard let form = heldForm else { return nil }
        return isKeyedArchive ? "\(form.words), \(Reason.archiveWords(type: archivedClass))" : form.words
    }
}

extension EmbeddedForm {
    fileprivate var words: String {
        switch self {
        case .text: "in a string"
        case .data: "in data"
        case .base64: "in base64"
        }
    }
}
