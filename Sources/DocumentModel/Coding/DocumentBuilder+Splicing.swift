extension DocumentBuilder {
    /// Appends a value of another document, spelled as it is there but for the values inside it, or itself, for which
    /// `substitute` appends another and returns true.
    package mutating func append(
        _ node: DocumentNode, substituting substitute: (DocumentNode, inout DocumentBuilder) -> Bool
    ) {
        if substitute(node, &self) { return }
        switch node.kind {
        case .object:
            beginObject()
            for member in node.members {
                append(member.key)
                append(member.value, substituting: substitute)
            }
            if node.isIdentifier { endIdentifier() } else { end() }
        case .array:
            beginArray()
            for element in node.elements { append(element, substituting: substitute) }
            end()
        default: append(node)
        }
    }

    /// Appends a value of another document in the words that the new one has: in JSON the objects that ``JSONWriter``
    /// writes for a property list's dates, data and numbers that are not finite, in a property list Foundation's string
    /// for null.
    mutating func append(_ node: DocumentNode, asPropertyList: Bool) {
        append(node) { node, builder in
            if !node.hasForeignKinds(inPropertyList: asPropertyList) {
                builder.append(node)
            } else if node.isNull {
                builder.string(PropertyListNull.string)
            } else if let (name, text) = node.jsonObject {
                builder.beginObject()
                builder.key(name)
                builder.string(text)
                builder.end()
            } else {
                return false
            }
            return true
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
    static let string = "$null"
    static let utf8 = Array(string.utf8)
}
