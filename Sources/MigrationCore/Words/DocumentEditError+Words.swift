import DocumentModel

// All sentences about changes of documents that are not possible.

extension DocumentEditError: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        switch problem {
        case .missing: "\(path) leads to nothing in the document that can be changed"
        case .exists: "there is a value at \(path) already; a change can set it, or remove it first"
        case .isRoot: "the whole document can be set, but not added, removed or renamed"
        }
    }
}
