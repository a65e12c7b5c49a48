/// Converts the numbers of XML property lists to text for ``DocumentBuilder``.
enum PropertyListNumber {
    /// Returns the integer in `text`, decimal or hexadecimal, with or without a sign, or nil if it isn't an integer or
    /// needs more than 64 bits.
    static func integer(_ text: [UInt8]) -> String? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let isHexadecimal = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
        if isHexadecimal { rest.removeFirst(2) }
        // `UInt64` would accept another sign.
        guard let first = rest.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let magnitude = UInt64(String(decoding: rest, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        guard isNegative, magnitude > 0 else { return String(magnitude) }
        return magnitude <= Int64.min.magnitude ? "-\(magnitude)" : nil
    }

    /// Returns the real number in `text`, or nil if it isn't a number. It is unchanged if it is also a JSON number with
    /// a fraction or an exponent, which distinguishes it from an integer, or else converted to the shortest spelling of
    /// the nearest double.
    static func real(_ text: [UInt8]) -> String? {
        let word = String(decoding: text, as: UTF8.self)
        switch word.lowercased() {
        case "nan": return "nan"
        case "inf", "+inf", "infinity", "+infinity": return "inf"
        case "-inf", "-infinity": return "-inf"
        default: break
        }
        // `Double` also accepts hexadecimal numbers and words.
        guard text.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }), let value = Double(word) else { return nil }
        return isJSONReal(text) ? word : Self.text(of: value)
    }

    /// Returns the shortest spelling of a double that cannot be mistaken for an integer.
    static func text(of value: Double) -> String { value.isNaN ? "nan" : "\(value)" }

    /// Returns whether text that `Double` accepts is a JSON number (RFC 8259, section 6) with a fraction or an
    /// exponent.
    private static func isJSONReal(_ text: [UInt8]) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let whole = digits.prefix { $0.isDigit }
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        let rest = digits[whole.endIndex...]
        if rest.first == UInt8(ascii: ".") { return rest.dropFirst().first?.isDigit == true }
        return !rest.isEmpty
    }
}
