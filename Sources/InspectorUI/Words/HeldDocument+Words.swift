import DocumentModel

extension HeldDocument.Form {
    /// What holds the document.
    var words: String {
        switch self {
        case .text: "in a string"
        case .data: "in data"
        case .base64: "in base64"
        }
    }
}
