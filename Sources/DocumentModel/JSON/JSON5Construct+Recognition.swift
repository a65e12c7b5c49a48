extension JSON5Construct {
    /// What of JSON5 a reader of JSON came upon.
    ///
    /// - Parameters:
    ///   - failure: Where it stopped, and why.
    ///   - bytes: The text.
    /// - Returns: The construct and where it begins; nil where it stopped at something else.
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

/// Looks at what stands at an offset, and a little around it.
private struct ConstructScanner: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// What may stand between any two values.
    var between: JSON5Construct? {
        if begins(with: "//") || begins(with: "/*") { return .comment }
        return [0x0B, 0x0C, 0xA0].contains(byte()) ? .whiteSpace(byte()) : nil
    }

    /// A name: one without quotation marks is known by the colon that follows.
    var name: JSON5Construct? {
        if byte() == UInt8(ascii: "'") { return .singleQuotes }
        var rest = self
        rest.skip { $0.isLetterOrDigit || $0 >= 0x80 || "_$".utf8.contains($0) }
        guard rest.offset > offset, !byte().isDigit else { return nil }
        let name = bytes.string(in: offset..<rest.offset)
        rest.skipWhitespace()
        return rest.byte() == UInt8(ascii: ":") ? .bareName(name.abbreviated(to: 20)) : nil
    }

    /// The beginning of a value, or what follows its sign.
    var valueBeginning: JSON5Construct? {
        switch byte() {
        case UInt8(ascii: "'"): .singleQuotes
        case UInt8(ascii: "+"): .plusSign
        case UInt8(ascii: ".") where byte(1).isDigit: .leadingPoint
        default: ["Infinity", "NaN"].first(where: begins).map { .notFinite($0) }
        }
    }

    /// What follows a backslash.
    var escape: JSON5Construct? {
        switch byte() {
        case 0x0A, 0x0D: .continuedLine
        case UInt8(ascii: "'"), UInt8(ascii: "x"): .escape(String(Character(Unicode.Scalar(byte()))))
        default: nil
        }
    }

    /// Whether a `0` comes before, and this is the `x` after it.
    var isHexadecimal: Bool {
        byte() | 0x20 == UInt8(ascii: "x") && offset > 0 && bytes[offset - 1] == UInt8(ascii: "0")
    }

    /// Where the number begins that ends here.
    var startOfNumber: Int {
        var start = offset
        while start > 0, bytes[start - 1].isDigit || "+-.".utf8.contains(bytes[start - 1]) { start -= 1 }
        return start
    }
}
