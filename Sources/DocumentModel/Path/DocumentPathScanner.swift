/// Reads the text of a ``DocumentPath`` or a ``DocumentSelector``.
struct DocumentPathScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    /// Returns whether a word can begin with the scalar (RFC 9535, section 2.5.1: name-first).
    static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_", "\u{80}"...: true
        default: false
        }
    }

    /// Returns whether a word can contain the scalar (RFC 9535, section 2.5.1: name-char).
    static func isWordPart(_ scalar: Unicode.Scalar) -> Bool { isWordStart(scalar) || ("0"..."9").contains(scalar) }

    /// Returns the components of the whole text, or nil if it isn't a path.
    mutating func scanPath() -> [DocumentPath.Component]? {
        guard let components = scanSelector() else { return nil }
        let steps = components.compactMap(\.step)
        return steps.count == components.count ? steps : nil
    }

    /// Returns the components of the whole text, or nil if it isn't a selector.
    mutating func scanSelector() -> [DocumentSelector.Component]? {
        guard skip("$") else { return nil }
        var components: [DocumentSelector.Component] = []
        while !rest.isEmpty {
            let component =
                skip(".") ? scanWord().map(DocumentSelector.Component.step) : skip("[") ? scanBracket() : nil
            guard let component else { return nil }
            components.append(component)
        }
        return components
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func scanWord() -> DocumentPath.Component? {
        if skip("*") { return .everyMember }
        let word = rest.prefix(while: Self.isWordPart)
        // A number is the name of a member, or of an element if it turns out that there is an array.
        guard let first = word.first, Self.isWordStart(first) || word.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        rest = rest[word.endIndex...]
        return scanOccurrence(of: String(word))
    }

    /// Reads the number, from 2, that may follow a name to select one of several members with that name.
    private mutating func scanOccurrence(of name: String) -> DocumentPath.Component? {
        guard skip("#") else { return .key(name) }
        guard let occurrence = scanNumber(), occurrence > 1 else { return nil }
        return .laterKey(name, occurrence: occurrence)
    }

    private mutating func scanNumber() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest[digits.endIndex...]
        return digits.count == 1 || digits.first != "0" ? Int(String(digits)) : nil
    }

    private mutating func scanBracket() -> DocumentSelector.Component? {
        if skip("*") { return skip("]") ? .step(.everyElement) : nil }
        if let first = rest.first, Self.isWordStart(first) {
            let word = rest.prefix(while: Self.isWordPart)
            rest = rest[word.endIndex...]
            return scanValue(of: String(word))
        }
        for quote in Self.quotes where skip(quote) {
            guard let name = scanQuoted(until: quote) else { return nil }
            if rest.first == "=" { return scanValue(of: name) }
            return skip("]") ? scanOccurrence(of: name).map(DocumentSelector.Component.step) : nil
        }
        guard let position = scanNumber(), skip("]") else { return nil }
        return .step(.index(position))
    }

    private static let quotes: [Unicode.Scalar] = ["'", "\""]

    /// Reads the value after the name of a member that selects an element.
    private mutating func scanValue(of member: String) -> DocumentSelector.Component? {
        guard skip("=") else { return nil }
        for quote in Self.quotes where skip(quote) {
            guard let value = scanQuoted(until: quote), skip("]") else { return nil }
            return .element(member: member, value: value)
        }
        let value = rest.prefix { $0 != "]" }
        rest = rest[value.endIndex...]
        return !value.isEmpty && skip("]") ? .element(member: member, value: String(value)) : nil
    }

    private mutating func scanQuoted(until quote: Unicode.Scalar) -> String? {
        var name = ""
        while let scalar = rest.popFirst() {
            if scalar == quote { return name }
            guard scalar == "\\" else {
                name.unicodeScalars.append(scalar)
                continue
            }
            guard let escape = rest.popFirst(), let scalar = scanEscape(escape) else { return nil }
            name.unicodeScalars.append(scalar)
        }
        return nil
    }

    private mutating func scanEscape(_ escape: Unicode.Scalar) -> Unicode.Scalar? {
        switch escape {
        case "n", "r", "t", "b", "f": return Unicode.Scalar(JSONString.control(UInt8(ascii: escape)))
        case "u":
            guard let unit = scanCodeUnit() else { return nil }
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard skip("\\"), skip("u"), let low = scanCodeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        case "'", "\"", "\\", "/": return escape
        default: return nil
        }
    }

    private mutating func scanCodeUnit() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        rest = rest[digits.endIndex...]
        return UInt32(String(digits), radix: 16)
    }
}
