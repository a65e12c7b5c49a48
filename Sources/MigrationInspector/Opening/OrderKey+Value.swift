import DocumentModel
import DocumentSources

extension OrderKey {
    /// Returns the value that puts a document in order; nil if it has none, or cannot be read.
    func value(of document: DocumentReference) -> DocumentNode? {
        switch self {
        case .value(let path):
            (try? Document(parsing: document.read(), allowsJSON5: true)).flatMap {
                $0.root.descendant(at: $0.root.withPositions(path))
            }
        case .column(let name): (try? document.value(inColumn: name))?.root
        }
    }
}
