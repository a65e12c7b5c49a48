extension JSON5Construct {
    /// Returns the JSON5 construct at which a JSON parser failed.
    ///
    /// - Parameters:
    ///   - failure: The position and the reason of the failure.
    ///   - bytes: The text.
    /// - Returns: The construct and its position, or nil if the parser failed for another reason.
    static func recognized(_ failure: ParseFailure, in bytes: SourceBytes) -> (construct: JSON5Construct, offset: Int)?
    {
        guard case .unexpected(_, let expected) = failure.problem, failure.offset < bytes.count else { return nil }
        let offset = failure.offset
        let scanner = ConstructScanner(bytes: bytes, offset: offset)
        switch expected {
        case .escape: return scanner.escape.map { ($0, offset - 1) }
        case .digit: return scanner.valueBeginning.map { ($0, offset - 1) }
        case .digitOfFraction:
            let start = scanner.startOfNumber
            return bytes[offset].isLetterOrDigit && bytes[offset] | 0x20 != UInt8(ascii: "e")
                ? nil : (.trailingPoint, start)
        case .name, .nameOrBrace:
            return (scanner.between ?? scanner.name).map { ($0, offset) }
        case .value, .valueOrBracket:
            return (scanner.between ?? scanner.valueBeginning).map { ($0, offset) }
        case .commaOrBrace, .commaOrBracket, .end:
            if let construct = scanner.between { return (construct, offset) }
            return scanner.isHexadecimal ? (.hexadecimalNumber, scanner.startOfNumber) : nil
        case .colon: return scanner.between.map { ($0, offset) }
        default: return nil
        }
    }
}

/// Recognizes a construct at an offset from the characters around it.
private struct ConstructScanner: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// A construct that may occur between any two values.
    var between: JSON5Construct? {
        if begins(with: "//") || begins(with: "/*") { return .comment }
        return [0x0B, 0x0C, 0xA0].contains(byte()) ? .whiteSpace(byte()) : nil
    }

    /// A construct in a name. A name without quotation marks is recognized by the colon after it.
    var name: JSON5Construct? {
        if byte() == UInt8(ascii: "'") { return .singleQuotes }
        var rest = self
        rest.skip { $0.isLetterOrDigit || $0 >= 0x80 || "_$".utf8.contains($0) }
        guard rest.offset > offset, !byte().isDigit else { return nil }
        let name = bytes.string(in: offset..<rest.offset)
        rest.skipWhitespace()
        return rest.byte() == UInt8(ascii: ":") ? .bareName(name.abbreviated(to: 20)) : nil
    }

    /// A construct at the beginning of a value, or after its sign.
    var valueBeginning: JSON5Construct? {
        switch byte() {
        case UInt8(ascii: "'"): .singleQuotes
        case UInt8(ascii: "+"): .plusSign
        case UInt8(ascii: ".") where byte(1).isDigit: .leadingPoint
        default: ["Infinity", "NaN"].first(where: begins).map { .notFinite($0) }
        }
    }

    /// A construct after a backslash.
    var escape: JSON5Construct? {
        switch byte() {
        case 0x0A, 0x0D: .continuedLine
        case UInt8(ascii: "'"), UInt8(ascii: "x"): .escape(String(Character(Unicode.Scalar(byte()))))
        default: nil
        }
    }

    /// Whether this is an `x` after a `0`.
    var isHexadecimal: Bool {
        byte() | 0x20 == UInt8(ascii: "x") && offset > 0 && bytes[offset - 1] == UInt8(ascii: "0")
    }

    /// The beginning of the number that ends here.
    var startOfNumber: Int {
        var start = offset
        while start > 0, bytes[start - 1].isDigit || "+-.".utf8.contains(bytes[start - 1]) { start -= 1 }
        return start
    }
}
