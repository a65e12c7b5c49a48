import DocumentModel

extension DocumentNode {
    /// A warning for every name that occurs more than once in an object, anywhere in this value.
    var duplicateNameWarnings: [String] {
        var warnings: [String] = []
        var index = index
        while index < endIndex {
            let node = DocumentNode(document: document, index: index)
            if node.kind == .object {
                for name in node.duplicateNames {
                    warnings.append("\(node.path.appending(key: name)) occurs more than once; the first is read")
                }
            }
            index += 1
        }
        return warnings
    }
}
