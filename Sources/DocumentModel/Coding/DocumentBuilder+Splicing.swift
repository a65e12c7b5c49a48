extension DocumentBuilder {
    /// Appends a value of another document in the words that the new one has: in JSON the objects that ``JSONWriter``
    /// writes for a property list's dates, data and numbers that are not finite, in a property list Foundation's string
    /// for null.
    mutating func append(_ node: DocumentNode, asPropertyList: Bool) {
        guard node.hasForeignKinds(inPropertyList: asPropertyList) else { return append(node) }
        switch node.kind {
        case .object:
            beginObject()
            for member in node.members {
                key(member.name)
                append(member.value, asPropertyList: asPropertyList)
            }
            end()
        case .array:
            beginArray()
            for element in node.elements { append(element, asPropertyList: asPropertyList) }
            end()
        case .null: string(PropertyListNull.string)
        default:
            guard let (name, text) = node.jsonObject else { return append(node) }
            beginObject()
            key(name)
            string(text)
            end()
        }
    }
}

extension DocumentNode {
    /// Whether this value, or one inside it, is of a kind that the other sort of document cannot express.
    fileprivate func hasForeignKinds(inPropertyList: Bool) -> Bool {
        nodes.contains { inPropertyList ? $0.isNull : $0.jsonObject != nil }
    }
}

/// What PropertyListEncoder writes, and PropertyListDecoder reads, in place of null, which property lists do not have.
enum PropertyListNull {
    static let text: StaticString = "$null"
    static let string = "$null"
}
