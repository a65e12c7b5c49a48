extension DocumentBuilder {
    /// Appends a value of another document in its original spelling. `substitute` is called for the value and the
    /// values inside it; it can append a replacement and return true.
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

    /// Appends a value of another document, converted to what the new document can express: in JSON, the objects that
    /// ``JSONWriter`` writes for dates, data and non-finite numbers in property lists; in a property list, Foundation's
    /// string for null.
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
    /// Returns whether this value or any inside it has a kind that the target format cannot express.
    fileprivate func hasForeignKinds(inPropertyList: Bool) -> Bool {
        nodes.contains { inPropertyList ? $0.isNull : $0.jsonObject != nil }
    }
}

/// The string that PropertyListEncoder and PropertyListDecoder use instead of null, which property lists don't have.
enum PropertyListNull {
    static let string = "$null"
    static let utf8 = Array(string.utf8)
}
