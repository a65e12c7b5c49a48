extension DocumentDifference {
    /// Where values of the new document were in the old one, as the two are aligned; in the order of the values, without
    /// those that were nowhere.
    package func oldPaths(of values: [DocumentNode]) -> [DocumentPath] {
        let wanted = Set(values.map(\.id))
        var found: [DocumentNode.ID: DocumentPath] = [:]
        forEachPair { old, new in if wanted.contains(new.id) { found[new.id] = old.path } }
        return values.compactMap { found[$0.id] }
    }

    /// Where values of the old document are in the new one; in the order of the values, without those that are nowhere.
    package func newPaths(of values: [DocumentNode]) -> [DocumentPath] {
        let wanted = Set(values.map(\.id))
        var found: [DocumentNode.ID: DocumentPath] = [:]
        forEachPair { old, new in if wanted.contains(old.id) { found[old.id] = new.path } }
        return values.compactMap { found[$0.id] }
    }

    /// Calls `body` with each value of the old document and the one of the new document that it is, or became.
    package func forEachPair(_ body: (DocumentNode, DocumentNode) -> Void) {
        // Equal values have no children in the difference.
        func pair(_ old: DocumentNode, _ new: DocumentNode) {
            body(old, new)
            if new.kind == .object {
                new.forEachStep { step, value in if let other = old.child(at: step) { pair(other, value) } }
            } else {
                for (left, right) in zip(old.elements, new.elements) { pair(left, right) }
            }
        }
        func visit(_ place: DifferenceNode) {
            if let old = place.old, let new = place.new {
                if place.kind == .unchanged || place.kind == .movedHere, !place.hasChildren { return pair(old, new) }
                body(old, new)
            }
            for child in place.children { visit(child) }
        }
        visit(root)
    }
}
