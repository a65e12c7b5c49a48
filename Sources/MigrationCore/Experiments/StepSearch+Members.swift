import DocumentModel

/// The values that depend on which members an object has.
extension StepSearch {
    /// Renames and removes members of objects to see what changes: a value may come from the names in a dictionary, from
    /// that of an enum's case, or from whether an optional field is there. Objects of one depth with the same names are
    /// changed together; none of them is inside another.
    ///
    /// Absent fields are not added: what a step makes where a field is absent is made by the step.
    mutating func changeNames() throws {
        var level = [before.root]
        while !level.isEmpty {
            let objects = level.filter { $0.kind == .object && !$0.isEmpty }
            let groups = Dictionary(grouping: objects) { Set($0.members.map(\.name)) }
            for group in groups.values.sorted(by: { $0[0].id < $1[0].id }) {
                if try change(group.map { $0.changing { (name: $0 + "x", value: $1) } }, notesRemoved: true) {
                    continue
                }
                // Otherwise, the names are those of fields, and some of these fields are required.
                if !group.allSatisfy(hasKnownFields) { areNamesUnknown = true }
                try removeMembers(of: group)
            }
            level = level.flatMap { $0.children.map(\.value) }
        }
        if budget.isSpent { areNamesUnknown = true }
    }

    /// Returns whether an object is known to have fixed fields.
    private func hasKnownFields(_ object: DocumentNode) -> Bool {
        guard let outline, !outline.names(inside: object.path).isEmpty else { return false }
        return !outline.listed.contains { $0.isPattern(of: object.path) }
    }

    /// Removes the members that need not be there: all of them, and those of one name at a time if that is refused.
    private mutating func removeMembers(of group: [DocumentNode]) throws {
        let optional = group.map { object in
            Set(object.members.map(\.name).filter { isOptional(object.path.appending(key: $0)) })
        }
        func without(_ names: Set<String>) -> [(DocumentNode, Document?)] {
            zip(group, optional).map { object, optional in
                object.changing { names.contains($0) && optional.contains($0) ? nil : (name: $0, value: $1) }
            }
        }
        let all = optional.reduce(into: Set()) { $0.formUnion($1) }
        if try all.isEmpty || change(without(all), notesRemoved: true) { return }
        for name in all.sorted() where all.count > 1 { try change(without([name]), notesRemoved: true) }
    }

    private func isOptional(_ path: DocumentPath) -> Bool {
        !versions.contains(path) && outline?[path]?.isRequired != true
    }
}

extension DocumentNode {
    /// Returns this object and a document that replaces it.
    ///
    /// - Parameter member: Returns what a member becomes, or nil to leave it out.
    fileprivate func changing(
        _ member: (String, DocumentNode) -> (name: String, value: DocumentNode)?
    ) -> (DocumentNode, Document?) {
        (self, Document(object: members.compactMap { member($0.name, $0.value) }))
    }
}
