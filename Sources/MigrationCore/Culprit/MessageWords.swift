import DocumentModel

/// The text of an error message, for checking whether it names a field or quotes a value.
struct MessageWords {
    private let text: String
    private let bytes: [UInt8]
    /// The text in lowercase.
    private let small: String
    private let words: Set<Substring>
    private let numbers: Set<Double>

    init(_ message: String) {
        text = message
        bytes = Array(message.utf8)
        small = message.lowercased()
        // An "e-mail" may refer to the field email.
        let joined = message.split { !$0.isLetter && !$0.isNumber && !"_-".contains($0) }.map {
            $0.replacing("-", with: "")
        }
        words = Set(message.split { !$0.isLetter && !$0.isNumber && $0 != "_" } + joined.map { $0[...] })
        let numerals = message.split { !$0.isNumber && !"+-.eE".contains($0) }
        // A period after a number ends the sentence.
        numbers = Set(numerals.compactMap { Double($0) ?? Double($0.drop { "+-.".contains($0) }.trimmingFullStops) })
    }

    /// The words of the message that may be names of fields, sorted.
    var possibleNames: [String] {
        let names = words.filter { word in
            word.count > 1 && word.first?.isLetter == true && word.contains(where: \.isLowercase)
        }
        return names.map(String.init).sorted()
    }

    /// Returns whether the message contains the field's name, either unchanged or as consecutive words.
    func mentions(_ name: String) -> Bool {
        guard name.count > 1 else { return false }
        return words.contains(name[...])
            || mayMention(name) && small.containsWords(FieldName(name).words.joined(separator: " "))
    }

    /// Returns false if the name starts with a letter that the message does not contain.
    private func mayMention(_ name: String) -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter else { return true }
        return holds(name.utf8.prefix(1))
    }

    /// Returns whether the message contains these bytes, ignoring case. This quickly rules out nearly all of thousands
    /// of values.
    private func holds(_ wanted: some Collection<UInt8>) -> Bool {
        guard let first = wanted.first, wanted.count <= bytes.count else { return wanted.isEmpty }
        let ends = bytes.count - wanted.count
        return bytes.withUnsafeBufferPointer { bytes in
            (0...ends).contains { start in
                bytes[start] | 0x20 == first | 0x20
                    && zip(bytes[start...], wanted).allSatisfy { $0 | 0x20 == $1 | 0x20 }
            }
        }
    }

    /// Returns whether the message quotes the value of `node`: a number, or text that is in quotation marks or too long
    /// to match by chance.
    func quotes(_ node: DocumentNode) -> Bool {
        switch node.kind {
        case .number: return node.numberText.flatMap(Double.init).map(numbers.contains) ?? false
        case .string:
            guard let value = node.string, !value.isEmpty, holds(value.utf8) else { return false }
            if Self.quotationMarks.contains(where: { text.contains("\($0.0)\(value)\($0.1)") }) { return true }
            // A single word may be part of the message itself.
            return value.contains { !$0.isLetter } && value.count > 3 && text.containsWords(value)
        default: return false
        }
    }

    /// Returns whether the message contains the value of `node`, quoted or not: a number, or non-empty text.
    func says(_ node: DocumentNode) -> Bool {
        guard node.kind == .string, let value = node.string, !value.isEmpty else { return quotes(node) }
        return text.containsWords(value)
    }

    /// Returns the message with all occurrences of the value of `node` replaced.
    func without(_ node: DocumentNode) -> String {
        switch node.kind {
        case .string:
            guard let value = node.string, !value.isEmpty else { return text }
            return text.replacing(value, with: "\u{FFFC}")
        case .number:
            guard let number = node.numberText.flatMap(Double.init) else { return text }
            return text.replacing(/[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/) {
                Double($0.output) == number ? "\u{FFFC}" : String($0.output)
            }
        case .boolean: return text.replacing("\(node.boolean == true)", with: "\u{FFFC}")
        default: return text
        }
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
    /// Returns whether `words` occur without a letter or digit directly before or after them.
    fileprivate func containsWords(_ words: String) -> Bool {
        guard !words.isEmpty else { return false }
        return ranges(of: words).contains { range in
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
        }
    }
}
