import DocumentModel

/// Names in Swift code for the names in documents.
enum SwiftName {
    /// Returns whether a text is an identifier as it stands, in ASCII.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") } && text != "_"
    }

    /// Returns whether a text may name the type of a document.
    static func isType(_ text: String) -> Bool {
        isIdentifier(text) && text.first?.isUppercase == true && !takenTypes.contains(text)
    }

    /// Returns whether a text may name a case of an enum: words of letters and digits, with hyphens, underscores, points
    /// or slashes between them.
    static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 40 else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-_./".utf8.contains($0) }
    }

    /// Returns a name for a property or a case: an identifier as it stands, otherwise its words in camel case.
    static func property(_ key: String) -> String {
        if isIdentifier(key) { return key }
        let words = FieldName(key).words.map(ascii).filter { !$0.isEmpty }
        let joined = (words.first ?? "") + words.dropFirst().map(capitalized).joined()
        return start(joined, otherwise: "value")
    }

    /// Returns a name for a type, from the words of a key.
    static func type(_ key: String) -> String {
        let words = FieldName(key).words.map(ascii).filter { !$0.isEmpty }
        return start(words.map(capitalized).joined(), otherwise: "Value")
    }

    /// Returns the name of one of several things.
    static func singular(_ name: String) -> String {
        if name.hasSuffix("ies"), name.count > 4 { return String(name.dropLast(3)) + "y" }
        if name.hasSuffix("s"), !name.hasSuffix("ss"), name.count > 3 { return String(name.dropLast()) }
        return name
    }

    /// Returns a name that is not among `taken`, and adds it to them.
    static func unique(_ name: String, among taken: inout Set<String>) -> String {
        var unique = name
        var number = 2
        while !taken.insert(unique).inserted {
            unique = "\(name)\(number)"
            number += 1
        }
        return unique
    }

    /// Returns the name as code, in backticks if it is a keyword.
    static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a text as a string literal.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": String(scalar)
            default: scalar.properties.isAlphabetic ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Names of types that the code uses, or that would change the meaning of other code.
    static let takenTypes: Set<String> = [
        "Any", "AnyValue", "Array", "Bool", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decodable",
        "Decoder",
        "Dictionary", "Double", "Encodable", "Encoder", "Error", "Int", "KeyPath", "MigrationChain", "Never",
        "NothingEarlier", "Optional", "PreviousVersion", "Protocol", "Result", "Self", "Set", "String", "Type",
        "VersionPathSpec", "VersionSpec", "VersionedCodable", "VersionedDecodingError", "Void",
    ]

    private static let keywords: Set<String> = [
        "Any", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
        "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    private static func start(_ name: String, otherwise: String) -> String {
        guard let first = name.utf8.first else { return otherwise }
        return isDigit(first) ? "_\(name)" : name
    }

    private static func ascii(_ word: String) -> String {
        String(decoding: word.utf8.filter { isLetter($0) || isDigit($0) }, as: UTF8.self)
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
