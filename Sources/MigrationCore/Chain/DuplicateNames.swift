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
        guard hasDuplicateNames else { return [] }
        var paths: [DocumentPath] = []
        var seen: Set<DocumentPath> = []
        var components: [DocumentPath.Component] = []
        appendDuplicates(components: &components) { path in
            if seen.insert(path).inserted { paths.append(path) }
        }
        // As in Foundation's decoders: JSONDecoder reads the first, PropertyListDecoder the last.
        let isLastRead = document.format.isPropertyList
        return paths.map { .duplicateName(path: $0, isLastRead: isLastRead, string: string) }
    }

    private var hasDuplicateNames: Bool {
        nodes.contains { $0.kind == .object && !$0.duplicateNames.isEmpty }
    }

    private func appendDuplicates(
        components: inout [DocumentPath.Component], _ append: (DocumentPath) -> Void
    ) {
        for name in duplicateNames { append(DocumentPath(components).appending(key: name)) }
        for member in members where !member.value.isEmpty {
            components.append(.key(member.name))
            member.value.appendDuplicates(components: &components, append)
            components.removeLast()
        }
        guard kind == .array else { return }
        components.append(.everyElement)
        for element in elements where !element.isEmpty {
            element.appendDuplicates(components: &components, append)
        }
        components.removeLast()
    }
}
