import DocumentModel
import TestSupport
import Testing

/// The changes between two documents, in a readable form.
enum Changes {
    /// Returns the changes in one line each. Expects the patch to give the new document.
    static func between(_ old: String, _ new: String) throws -> [String] {
        let (old, new) = (try Document(json: old), try Document(json: new))
        let difference = DocumentDifference(old: old.root, new: new.root)
        #expect(try difference.patch.applied(to: old.root) == new)
        let writer = JSONWriter()
        return difference.changes.map { change in
            switch change.kind {
            case .added: "+ \(change.path) \(change.new.map(writer.string) ?? "")"
            case .removed: "- \(change.path) \(change.old.map(writer.string) ?? "")"
            case .changed:
                "~ \(change.path) \(change.old.map(writer.string) ?? "") → \(change.new.map(writer.string) ?? "")"
            case .moved: "> \(change.from?.description ?? "") → \(change.path)"
            }
        }
    }

    /// Returns `json` without its spaces.
    static func compact(_ json: String) throws -> String { JSONWriter().string(try Document(json: json).root) }
}
