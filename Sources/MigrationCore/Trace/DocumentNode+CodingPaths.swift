import DocumentModel

extension DocumentNode {
    /// Returns the path for the coding path of an error. It has positions where this value has arrays, because the
    /// app's own coding keys may spell a position in any way.
    func path(ofCoding keys: [any CodingKey], by strategies: DecodingStrategies) -> DocumentPath {
        follow(
            keys.map { (DocumentPath(codingPath: [$0]).components[0], $0.intValue) }, by: strategies
        ).declared
    }

    /// Returns the path of a value, given its path in a type, in the names used by the document.
    ///
    /// With a key strategy, a type's `starRating` may be `star_rating` in the document, and a decoder treats equivalent
    /// names as equal. Where there are no such values, the path stays as declared in the type.
    func spelled(_ path: DocumentPath, by strategies: DecodingStrategies) -> DocumentPath {
        follow(path.components.map { ($0, nil) }, by: strategies).spelled
    }

    /// Follows a path in a type from this value, and returns it with positions for elements of arrays: in the type's
    /// names, and in those used by the document.
    private func follow(
        _ steps: [(component: DocumentPath.Component, number: Int?)], by strategies: DecodingStrategies
    ) -> (declared: DocumentPath, spelled: DocumentPath) {
        let strategies = document.format.isPropertyList ? DecodingStrategies() : strategies
        var (declared, spelled) = (DocumentPath.root, DocumentPath.root)
        var node: DocumentNode? = self
        for (component, number) in steps {
            let container = node?.container
            let placed = component.placed(in: container, number: number)
            var found = placed
            if case .key(let name) = placed,
                let member = container?.members.first(where: { strategies.fieldName(ofKey: $0.name) == name })
            {
                found = .key(member.name)
            }
            node = container?.child(at: found)
            declared.components.append(placed)
            spelled.components.append(found)
        }
        return (declared, spelled)
    }
}
