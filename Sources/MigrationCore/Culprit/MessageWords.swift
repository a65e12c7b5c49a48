import DocumentModel

/// What an error's message says, as far as it may name a field or quote a value.
struct MessageWords {
    private let text: String
    private let words: Set<Substring>
    private let numbers: Set<Double>

    init(_ message: String) {
        text = message
        // An "e-mail" may be the field email.
        let joined = message.split { !$0.isLetter && !$0.isNumber && !"_-".contains($0) }.map {
            $0.replacing("-", with: "")
        }
        words = Set(message.split { !$0.isLetter && !$0.isNumber && $0 != "_" } + joined.map { $0[...] })
        let numerals = message.split { !$0.isNumber && !"+-.eE".contains($0) }
        // A full stop after a number ends the sentence.
        numbers = Set(numerals.compactMap { Double($0) ?? Double($0.drop { "+-.".contains($0) }.trimmingFullStops) })
    }

    /// Whether the message says the field's name: as it is, or as its words in a row.
    func mentions(_ name: String) -> Bool {
        guard name.count > 1 else { return false }
        return words.contains(name[...])
            || text.lowercased().containsWords(FieldName(name).words.joined(separator: " "))
    }

    /// Whether the message quotes the value of `node`: a number, or a text in quotation marks or long enough not to be
    /// there by chance.
    func quotes(_ node: DocumentNode) -> Bool {
        switch node.kind {
        case .number: return node.numberText.flatMap(Double.init).map(numbers.contains) ?? false
        case .string:
            guard let value = node.string, !value.isEmpty else { return false }
            if Self.quotationMarks.contains(where: { text.contains("\($0.0)\(value)\($0.1)") }) { return true }
            // A single word may be one of the message's own.
            return value.contains { !$0.isLetter } && value.count > 3 && text.containsWords(value)
        default: return false
        }
    }

    /// Whether the message says the value of `node`, which it need not quote: a number, or a text that is not empty.
    func says(_ node: DocumentNode) -> Bool {
        guard node.kind == .string, let value = node.string, !value.isEmpty else { return quotes(node) }
        return text.containsWords(value)
    }

    private static let quotationMarks: [(Character, Character)] = [
        ("'", "'"), ("\"", "\""), ("`", "`"), ("‘", "’"), ("“", "”"), ("«", "»"), ("„", "“"),
    ]
}

extension Substring {
    fileprivate var trimmingFullStops: Substring {
        var trimmed = self
        while trimmed.last == "." { trimmed.removeLast() }
        return trimmed
    }
}

extension String {
    /// Whether `words` occur with no letter or digit right before or after them.
    fileprivate func containsWords(_ words: String) -> Bool {
        guard !words.isEmpty else { return false }
        return ranges(of: words).contains { range in
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
        }
    }
}
