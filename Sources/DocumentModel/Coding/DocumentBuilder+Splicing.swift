import Foundation

extension DocumentBuilder {
    /// Appends a value of another document in the words that the new one has: in JSON the objects that ``JSONWriter`` writes for a
    /// property list's dates, data and numbers that are not finite, in a property list Foundation's string for null.
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
        case .date: wrapped("$date", PropertyListDate.text(node.date ?? .distantPast))
        case .data: wrapped("$data", node.data?.base64EncodedString() ?? "")
        case .number: wrapped("$real", node.numberText ?? "nan")
        case .string, .boolean, .key: append(node)
        }
    }

    private mutating func wrapped(_ name: String, _ text: String) {
        beginObject()
        key(name)
        string(text)
        end()
    }
}

extension DocumentNode {
    /// Whether this value, or one inside it, is of a kind that the other sort of document has no word for.
    fileprivate func hasForeignKinds(inPropertyList: Bool) -> Bool {
        (index..<endIndex).contains { index in
            let node = DocumentNode(document: document, index: index)
            switch node.kind {
            case .null: return inPropertyList
            case .date, .data: return !inPropertyList
            case .number: return !inPropertyList && !node.isFiniteNumber
            default: return false
            }
        }
    }

    private var isFiniteNumber: Bool {
        withTextBytes { text in text.last.map { (0x30...0x39).contains($0) } ?? false }
    }
}
