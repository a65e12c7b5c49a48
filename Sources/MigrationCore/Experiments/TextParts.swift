import DocumentModel

/// Texts in which values are looked for, regardless of case.
struct TextParts {
    private let texts: [String]
    private var known: [String: Bool] = [:]

    init(of texts: some Sequence<String>) { self.texts = Set(texts.map { $0.lowercased() }).sorted() }

    /// Returns whether a string or a number is a part of one of the texts.
    mutating func contain(_ node: DocumentNode) -> Bool {
        guard let part = (node.string ?? node.numberText)?.lowercased(), !part.isEmpty else { return false }
        if let known = known[part] { return known }
        let isContained = texts.contains { $0.contains(part) }
        known[part] = isContained
        return isContained
    }
}
