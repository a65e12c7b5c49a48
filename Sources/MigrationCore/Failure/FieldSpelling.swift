import DocumentModel

extension DocumentNode {
    /// The way to the value that a type calls `path`, in the names of the document.
    ///
    /// With a key strategy a type's `starRating` may be the document's `star_rating`, and a decoder takes equivalent names for one. As far
    /// as there are no such values, the way stays as the type has it.
    func spelled(_ path: DocumentPath, by strategies: DecodingStrategies) -> DocumentPath {
        let hasOwnNames = document.format.isPropertyList || strategies.hasDefaultKeys
        var node: DocumentNode? = self
        return DocumentPath(
            path.components.map { component in
                switch component {
                case .key(let name):
                    let member = node?.members.first {
                        (hasOwnNames ? $0.name : strategies.fieldName(ofKey: $0.name)) == name
                    }
                    node = member?.value
                    return .key(member?.name ?? name)
                case .index(let position):
                    node = node?[position]
                    return component
                case .everyElement:
                    node = nil
                    return component
                }
            })
    }
}

extension DecodingStrategies {
    fileprivate var hasDefaultKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }
}
