import DocumentModel

extension Document {
    /// Returns the things the user should know about the text, regardless of the chain that reads it.
    ///
    /// - Parameter string: The path of the string that contains this JSON, if any.
    func textWarnings(in string: DocumentPath? = nil) -> [Reason] {
        func located(_ location: SourceLocation) -> SourceLocation {
            var location = location
            location.within = string
            return location
        }
        let textual: [Reason] = leniencies.map { leniency in
            switch leniency.kind {
            case .commaBeforeClosingBracket: .trailingComma(location: located(leniency.location))
            }
        }
        let lost = comments.map { Reason.commentsLost(count: $0.count, first: located($0.first)) }
        let archives = string == nil ? root.keyedArchives : []
        return textual + (lost.map { [$0] } ?? []) + root.duplicateNames(in: string) + archives
    }

    /// The reason to give if the whole document is a string or data that contains another document.
    var documentInside: Reason? {
        root.held.map { .documentInside(format: $0.document.format, isText: root.kind == .string) }
    }
}

extension DocumentNode {
    /// A warning for every value that contains a keyed archive. Indices of elements are folded to `[*]`.
    fileprivate var keyedArchives: [Reason] {
        var reasons: [Reason] = []
        for (node, archive) in keyedArchivesInside {
            let problem = FieldProblem.keyedArchive(type: archive.archivedClass)
            let reason = Reason.field(path: node.path.foldingIndices, problem: problem)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons
    }

    /// Returns a warning for every name that occurs more than once in an object, anywhere in this value. Indices of
    /// elements are folded to `[*]` if all elements have the name more than once.
    ///
    /// - Parameter string: The path of the string that contains this JSON, if any.
    func duplicateNames(in string: DocumentPath?) -> [Reason] {
        // Nearly every document has none. Find that out without making paths.
        guard hasDuplicateNamesInside else { return [] }
        var paths: [DocumentPath] = []
        var spellings: [DocumentPath: [String]] = [:]
        var components: [DocumentPath.Component] = []
        appendDuplicates(components: &components) { object, path, name in
            paths.append(path)
            let names = object.members.map(\.name).filter { $0 == name }
            let isOneSpelling = names.allSatisfy { $0.isExactly(name) }
            for path in [path, path.foldingIndices] where !isOneSpelling && spellings[path] == nil {
                spellings[path] = names
            }
        }
        return folding(paths).map { path in
            // As in Foundation's decoders: JSONDecoder reads the first, PropertyListDecoder the last.
            .field(
                path: path,
                problem: .duplicateName(
                    isLastRead: document.format.isPropertyList, spellings: spellings[path], string: string))
        }
    }

    private func appendDuplicates(
        components: inout [DocumentPath.Component],
        _ append: (_ object: DocumentNode, _ path: DocumentPath, _ name: String) -> Void
    ) {
        for name in duplicateNames { append(self, DocumentPath(components).appending(key: name), name) }
        for child in children where !child.value.isEmpty {
            components.append(child.component)
            child.value.appendDuplicates(components: &components, append)
            components.removeLast()
        }
    }
}
