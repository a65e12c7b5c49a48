import DocumentModel

// The sentences about impossible changes of documents.

extension DocumentEdit {
    /// A short description of the change.
    package var words: String {
        switch self {
        case .set(let path, let value): "\(path) is \(value.root.briefText)"
        case .rename(let path, let name): "\(path) is named \(name)"
        case .remove(let path): "without \(path)"
        case .add(let path, let value): "\(path) is there, \(value.root.briefText)"
        }
    }
}

extension DocumentEditError: CustomStringConvertible {
    /// The problem, and where it is.
    public var description: String {
        switch problem {
        case .missing: "\(path) leads to nothing in the document that can be changed"
        case .exists: "there is a value at \(path) already; a change can set it, or remove it first"
        case .isRoot: "the whole document can be set, but not added, removed or renamed"
        case .notInPropertyList: "the value at \(path) is inside a property list, which cannot hold it"
        case .tooDeep:
            "with the value at \(path) the document would be nested deeper than \(Document.deepestNesting) levels"
        }
    }
}
