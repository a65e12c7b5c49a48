import DocumentModel

extension MigrationStep {
    /// What the step changed, compared when it is asked for; nil for the step that failed. Keep it if you need it twice.
    public var difference: DocumentDifference? {
        after.map { DocumentDifference(old: before.root, new: $0.root) }
    }

    /// Where the value at `path` of the document after the step came from in the document before it.
    ///
    /// A field that was moved leads to where it was; one that the step made leads to the field that it resembles most among those that the
    /// step removed, if there is one; anything else stayed where it was.
    func origin(of path: DocumentPath) -> DocumentPath {
        guard let difference else { return path }
        let changes = difference.changes
        for change in changes where change.kind == .moved && path.hasPrefix(change.path) {
            if let from = change.from {
                return from.appending(DocumentPath(Array(path.components.dropFirst(change.path.components.count))))
            }
        }
        guard before.root.descendant(at: path) == nil, let name = path.lastKey else { return path }
        let wanted = FieldName(name)
        let removed = changes.filter { $0.kind == .removed }
        let best = removed.map {
            (path: $0.path, score: $0.path.lastKey.map { FieldName($0).resemblance(to: wanted) } ?? 0)
        }
        .max { $0.score < $1.score }
        guard let best, best.score >= 0.5 else { return path }
        return best.path
    }
}
