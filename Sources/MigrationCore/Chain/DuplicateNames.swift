import DocumentModel

extension Document {
    /// What a person should know of the text, whatever chain reads it.
    ///
    /// - Parameter string: The path of the string whose JSON this is.
    func textWarnings(in string: DocumentPath? = nil) -> [Reason] {
        leniencies.map { leniency in
            var location = leniency.location
            location.within = string
            switch leniency.kind {
            case .commaBeforeClosingBracket: return .trailingComma(location: location)
            }
        } + root.duplicateNames(in: string)
    }
}

extension DocumentNode {
    /// A warning for every name that occurs more than once in an object, anywhere in this value; elements of arrays
    /// fold to `[*]`.
    ///
    /// - Parameter string: The path of the string whose JSON this is.
    func duplicateNames(in string: DocumentPath?) -> [Reason] {
        // Nearly every document has none, and is told so without a path being made.
        guard hasDuplicateNamesInside else { return [] }
        var reasons: [Reason] = []
        var seen: Set<DocumentPath> = []
        var components: [DocumentPath.Component] = []
        appendDuplicates(components: &components) { object, path, name in
            guard seen.insert(path).inserted else { return }
            let spellings = object.members.map(\.name).filter { $0 == name }
            let isOneSpelling = spellings.allSatisfy { $0.isExactly(name) }
            // As in Foundation's decoders: JSONDecoder reads the first, PropertyListDecoder the last.
            reasons.append(
                .field(
                    path: path,
                    problem: .duplicateName(
                        isLastRead: document.format.isPropertyList, spellings: isOneSpelling ? nil : spellings,
                        string: string)))
        }
        return reasons
    }

    private func appendDuplicates(
        components: inout [DocumentPath.Component],
        _ append: (_ object: DocumentNode, _ path: DocumentPath, _ name: String) -> Void
    ) {
        for name in duplicateNames { append(self, DocumentPath(components).appending(key: name), name) }
        for child in children where !child.value.isEmpty {
            components.append(kind == .array ? .everyElement : child.component)
            child.value.appendDuplicates(components: &components, append)
            components.removeLast()
        }
    }
}
