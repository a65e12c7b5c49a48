import DocumentModel

extension MigrationStep {
    /// What the step changed, compared when it is asked for; nil where a document is missing. Keep it if you need it twice.
    public var difference: DocumentDifference? {
        guard let before, let after else { return nil }
        return DocumentDifference(old: before.root, new: after.root)
    }

    /// Where the value at `path` of the document after the step came from in the document before it.
    ///
    /// A value that was moved leads to where it was, and so does what is inside it; one that the step made leads to the field whose name it
    /// resembles most among those that the step removed, if there is one; anything else, to where it would have been.
    func origin(of path: DocumentPath) -> DocumentPath {
        guard let difference else { return path }
        var place = difference.root
        var rest = path.components[...]
        while let component = rest.first, let child = place.children.first(where: { $0.isAfterwards(at: component) }) {
            place = child
            rest.removeFirst()
        }
        if let oldPath = place.oldPath { return oldPath.appending(DocumentPath(Array(rest))) }
        if let removed = difference.removedField(resembling: path) { return removed }
        // The step made the value; what it is in was there before.
        while let parent = place.parent {
            if let oldPath = parent.oldPath {
                return oldPath.appending(DocumentPath(Array(path.components.dropFirst(parent.depth))))
            }
            place = parent
        }
        return path
    }
}

extension DocumentDifference {
    /// The removed field whose name is like that at the end of `path`; nil if there is none, or more than one alike.
    fileprivate func removedField(resembling path: DocumentPath) -> DocumentPath? {
        guard let wanted = path.lastKey.map(FieldName.init) else { return nil }
        let scores = changes.lazy.filter { $0.kind == .removed }.compactMap { change in
            change.path.lastKey.map { (path: change.path, score: FieldName($0).resemblance(to: wanted)) }
        }
        .filter { $0.score >= 0.6 }
        guard let best = scores.max(by: { $0.score < $1.score }) else { return nil }
        return scores.count { $0.score == best.score } == 1 ? best.path : nil
    }
}

extension DifferenceNode {
    /// Whether this is what stands at `component` of its container in the new document.
    fileprivate func isAfterwards(at component: DocumentPath.Component) -> Bool {
        guard kind != .removed, kind != .movedAway else { return false }
        switch label {
        case .root: return false
        case .key(let name): return component == .key(name)
        case .index(_, let new): return new.map { component == .index($0) } ?? false
        }
    }

    /// The number of steps from the root.
    fileprivate var depth: Int {
        var depth = 0
        var node = self
        while let parent = node.parent {
            depth += 1
            node = parent
        }
        return depth
    }
}
