extension DocumentDifference {
    /// Returns the paths in the old document of values in the new one, according to the alignment. They are in the
    /// order of the values, without those that have no counterpart.
    package func oldPaths(of values: [DocumentNode]) -> [DocumentPath] {
        counterpartPaths(of: values, areOld: false)
    }

    /// Returns the paths in the new document of values in the old one, in the order of the values, without those that
    /// have no counterpart.
    package func newPaths(of values: [DocumentNode]) -> [DocumentPath] { counterpartPaths(of: values, areOld: true) }

    private func counterpartPaths(of values: [DocumentNode], areOld: Bool) -> [DocumentPath] {
        let wanted = Set(values.map(\.id))
        var found: [DocumentNode.ID: DocumentPath] = [:]
        forEachPair { old, new in
            let value = areOld ? old : new
            if wanted.contains(value.id) { found[value.id] = (areOld ? new : old).path }
        }
        return values.compactMap { found[$0.id] }
    }

    /// Calls `body` with each value of the old document and its counterpart in the new document.
    package func forEachPair(_ body: (DocumentNode, DocumentNode) -> Void) {
        forEachPair(where: { _ in true }, body)
    }

    /// Calls `body` with each value of the old document and its counterpart in the new document, except for places that
    /// are left out together with everything inside.
    func forEachPair(where isPair: (DifferenceNode) -> Bool, _ body: (DocumentNode, DocumentNode) -> Void) {
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
                guard isPair(place) else { return }
                if place.kind == .unchanged || place.kind == .movedHere, !place.hasChildren { return pair(old, new) }
                body(old, new)
            }
            for child in place.children { visit(child) }
        }
        visit(root)
    }
}
