extension DocumentDifference {
    /// Where values of the new document were in the old one, as the two are aligned; in the order of the values, without
    /// those that were nowhere.
    package func oldPaths(of values: [DocumentNode]) -> [DocumentPath] {
        let wanted = Set(values.map(\.id))
        var found: [DocumentNode.ID: DocumentPath] = [:]
        func note(_ new: DocumentNode, _ path: @autoclosure () -> DocumentPath?) {
            if wanted.contains(new.id) { found[new.id] = path() }
        }
        // Equal values have no children in the difference.
        func pair(_ old: DocumentNode, _ new: DocumentNode) {
            note(new, old.path)
            if new.kind == .object {
                for member in new.members { if let value = old[member.name] { pair(value, member.value) } }
            } else {
                for (left, right) in zip(old.elements, new.elements) { pair(left, right) }
            }
        }
        func visit(_ place: DifferenceNode) {
            guard let old = place.old, let new = place.new else {
                for child in place.children { visit(child) }
                return
            }
            if place.kind == .unchanged || place.kind == .movedHere, !place.hasChildren { return pair(old, new) }
            note(new, place.oldPath)
            for child in place.children { visit(child) }
        }
        visit(root)
        return values.compactMap { found[$0.id] }
    }
}
