/// Reads JSON5 to the same extent as JSONDecoder with `allowsJSON5`: exactly what its own scanner (swift-foundation,
/// `JSON5Scanner.swift`) was observed to accept.
///
/// It is separate from the JSON parser, which thus stays fast, and is used only for text that isn't valid JSON. The
/// document's text contains the values in the spelling of JSON (hexadecimal numbers as decimal digits, strings without
/// escapes), and each node has its position in the source, as in an XML property list.
///
/// Differences from json5.org, which are those of JSONDecoder:
/// - White space is that of JSON, plus the vertical tab, the form feed and the single byte 0xA0. No-break spaces, line
///   separators and other Unicode spaces are not white space.
/// - A continued line in a string keeps its line ending. The escapes `\v` and `\0`, and escapes of line separators, are
///   not supported; `\u0000` and `\x00` are refused.
/// - Escapes in names without quotation marks are validated, and kept in the name as written.
/// - A comment may contain bytes that are not UTF-8.
struct JSON5Parser: ~Copyable, ByteScanner {
    /// Parses the document in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The source in UTF-8.
    ///   - encoding: The original encoding of the source. `markLength` is the length of its byte order mark.
    /// - Throws: ``ParseFailure``; `CancellationError` if `progress` returned false.
    static func parse(
        _ bytes: SourceBytes, encoding: TextEncoding, markLength: Int, progress: ParseProgress?
    ) throws -> Document {
        var parser = JSON5Parser(bytes: bytes)
        try parser.parseDocument(progress: progress)
        return parser.builder.finish(
            format: .json5, source: bytes, sourceRanges: parser.ranges, encoding: encoding, markLength: markLength,
            comments: parser.comments)
    }

    let bytes: SourceBytes
    var offset: Int
    private var builder = DocumentBuilder()
    private var ranges: [Range<UInt32>] = []
    private var comments: Document.Comments?
    /// The text of the current string or number. It is reused to avoid allocations.
    private var content: [UInt8] = []

    private init(bytes: SourceBytes) {
        self.bytes = bytes
        offset = bytes.begins(with: "\u{FEFF}", at: 0) ? 3 : 0
    }

    /// An open container.
    private struct Container {
        let node: Int
        let isObject: Bool
    }

    /// The number of bytes to read between two calls of `progress`.
    private static let reportInterval = 1 << 20

    private mutating func parseDocument(progress: ParseProgress?) throws {
        var open: [Container] = []
        var nextReport = Self.reportInterval
        try skipSpace()
        if isAtEnd { throw failure(comments != nil ? .onlyComments : .empty(isWhitespace: bytes.count > 0)) }
        /// Whether a container has just begun, so that it may end immediately.
        var isFirst = try parseValue(&open, expected: .value)
        while let container = open.last {
            try skipSpace()
            let end = UInt8(ascii: container.isObject ? "}" : "]")
            var hasComma = false
            if !isFirst, byte() == UInt8(ascii: ",") {
                offset += 1
                hasComma = true
                try skipSpace()
            }
            if byte() == end {
                offset += 1
                builder.end()
                ranges[container.node] = ranges[container.node].lowerBound..<UInt32(offset)
                open.removeLast()
                isFirst = false
                continue
            }
            guard isFirst || hasComma else { throw unexpected(container.isObject ? .commaOrBrace : .commaOrBracket) }
            if container.isObject {
                try parseName(expected: isFirst ? .anyNameOrBrace : .anyName)
                try skipSpace()
                guard byte() == UInt8(ascii: ":") else { throw unexpected(.colon) }
                offset += 1
                try skipSpace()
            }
            isFirst = try parseValue(&open, expected: isFirst && !container.isObject ? .valueOrBracket : .value)
            if offset >= nextReport {
                nextReport = offset + Self.reportInterval
                if let progress, !progress(offset) { throw CancellationError() }
            }
        }
        try skipSpace()
        guard isAtEnd else { throw unexpected(.end) }
    }

    // MARK: - Values

    /// Reads a scalar, or begins a container.
    ///
    /// - Returns: Whether a container was begun.
    private mutating func parseValue(_ open: inout [Container], expected: ExpectedText) throws -> Bool {
        let start = offset
        switch byte() {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < Document.deepestNesting else { throw failure(.tooDeep) }
            let isObject = byte() == UInt8(ascii: "{")
            open.append(Container(node: builder.nodeCount, isObject: isObject))
            if isObject { builder.beginObject() } else { builder.beginArray() }
            offset += 1
            note(start..<offset)
            return true
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            try parseString()
            builder.string(utf8: content)
        case UInt8(ascii: "t"):
            try parseWord("true")
            builder.boolean(true)
        case UInt8(ascii: "f"):
            try parseWord("false")
            builder.boolean(false)
        case UInt8(ascii: "n"):
            try parseWord("null")
            builder.null()
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            try parseNumber()
            builder.number(String(decoding: content, as: UTF8.self))
        default: throw unexpected(expected)
        }
        note(start..<offset)
        return false
    }

    private mutating func note(_ range: Range<Int>) {
        ranges.append(UInt32(range.lowerBound)..<UInt32(range.upperBound))
    }

    private mutating func parseWord(_ word: String) throws {
        guard skips(word) else { throw unexpected(.word(word)) }
    }

    // MARK: - Names and strings

    private mutating func parseName(expected: ExpectedText) throws {
        let start = offset
        if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") {
            try parseString()
        } else {
            guard isNameStart() else { throw unexpected(expected) }
            while let length = try lengthOfNamePart() { offset += length }
            // If an escape of another character comes first, this isn't a name.
            guard offset > start else { throw unexpected(expected) }
            content = bytes.withBytes(in: start..<offset) { Array($0) }
        }
        builder.key(utf8: content)
        note(start..<offset)
    }

    private func isNameStart() -> Bool {
        if byte() == UInt8(ascii: "\\") || byte() == UInt8(ascii: "_") || byte() == UInt8(ascii: "$") { return true }
        return scalar().map { Self.isNameStart($0.scalar) } ?? false
    }

    /// Returns the length of the character or escape here if it can be part of a name, or nil if the name ends here.
    private mutating func lengthOfNamePart() throws -> Int? {
        guard byte() == UInt8(ascii: "\\") else {
            guard let (scalar, length) = scalar() else {
                guard byte() >= 0x80 else { return nil }
                throw failure(.notUTF8(byte: byte()))
            }
            return Self.isNamePart(scalar) ? length : nil
        }
        let (start, digits) = (offset, byte(1) == UInt8(ascii: "u") ? 4 : byte(1) == UInt8(ascii: "x") ? 2 : 0)
        guard digits > 0 else {
            offset += 1
            throw unexpected(.escapeInName)
        }
        let unit = try hexadecimal(digits, at: start + 2)
        guard let scalar = Unicode.Scalar(unit), unit != 0 else {
            throw failure(unit == 0 ? .nullEscape : .halfSurrogatePair(unit: unit))
        }
        return Self.isNamePart(scalar) ? digits + 2 : nil
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        if isNameStart(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
        default: return ["$", "\\", "\u{200C}", "\u{200D}"].contains(scalar)
        }
    }

    /// Returns the character here and its length in bytes, or nil at the end and for invalid bytes.
    private func scalar() -> (scalar: Unicode.Scalar, length: Int)? {
        guard !isAtEnd else { return nil }
        guard byte() >= 0x80 else { return (Unicode.Scalar(byte()), 1) }
        guard let length = UTF8Sequence.length(at: bytes.base + offset) else { return nil }
        return bytes.string(in: offset..<offset + length).unicodeScalars.first.map { ($0, length) }
    }

    /// Reads a string into ``content``.
    private mutating func parseString() throws {
        let (start, quote) = (offset, byte())
        content.removeAll(keepingCapacity: true)
        offset += 1
        while byte() != quote {
            switch byte() {
            case UInt8(ascii: "\\"): try parseEscape()
            case 0x80...:
                guard let length = UTF8Sequence.length(at: bytes.base + offset) else {
                    throw failure(.notUTF8(byte: byte()))
                }
                bytes.withBytes(in: offset..<offset + length) { content += $0 }
                offset += length
            case let byte where byte < 0x20:
                throw failure(
                    isAtEnd
                        ? .endInString(
                            start: LineIndex.location(at: start, in: bytes), inSingleQuotes: quote == UInt8(ascii: "'"))
                        : .controlCharacter(byte))
            case let byte:
                content.append(byte)
                offset += 1
            }
        }
        offset += 1
    }

    private mutating func parseEscape() throws {
        let escape = byte(1)
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            content.append(JSONString.control(escape))
            offset += 2
        case 0x0A, 0x0D:
            // The string keeps the line ending.
            let length = escape == 0x0D && byte(2) == 0x0A ? 2 : 1
            bytes.withBytes(in: offset + 1..<offset + 1 + length) { content += $0 }
            offset += 1 + length
        case UInt8(ascii: "x"):
            try append(scalar: hexadecimal(2, at: offset + 2))
            offset += 4
        case UInt8(ascii: "u"):
            let unit = try hexadecimal(4, at: offset + 2)
            guard unit & 0xF800 == 0xD800 else {
                try append(scalar: unit)
                offset += 6
                return
            }
            guard unit < 0xDC00, bytes.begins(with: "\\u", at: offset + 6) else {
                throw failure(.halfSurrogatePair(unit: unit))
            }
            let second = try hexadecimal(4, at: offset + 8)
            guard second & 0xFC00 == 0xDC00 else { throw failure(.halfSurrogatePair(unit: unit)) }
            try append(scalar: 0x10000 + (unit & 0x3FF) << 10 + (second & 0x3FF))
            offset += 12
        default:
            offset += 1
            throw unexpected(.escapeOfJSON5)
        }
    }

    private mutating func append(scalar value: UInt32) throws {
        guard value > 0, let utf8 = Unicode.Scalar(value).flatMap(UTF8.encode) else { throw failure(.nullEscape) }
        content += utf8
    }

    /// Returns the value of hexadecimal digits.
    private mutating func hexadecimal(_ count: Int, at start: Int) throws -> UInt32 {
        var value: UInt32 = 0
        for position in start..<start + count {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                offset = min(position, bytes.count)
                throw unexpected(count == 2 ? .twoHexadecimalDigits : .hexadecimalDigits)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    // MARK: - Numbers

    /// Reads a number into ``content``, in the spelling of JSON or as `nan`, `inf` or `-inf`.
    private mutating func parseNumber() throws {
        content.removeAll(keepingCapacity: true)
        let isNegative = byte() == UInt8(ascii: "-")
        if isNegative || byte() == UInt8(ascii: "+") { offset += 1 }
        switch byte() {
        case UInt8(ascii: "I"):
            try parseWord("Infinity")
            content += (isNegative ? "-inf" : "inf").utf8
        case UInt8(ascii: "N"):
            try parseWord("NaN")
            content += "nan".utf8
        case UInt8(ascii: "0") where byte(1) | 0x20 == UInt8(ascii: "x"): try parseHexadecimal(isNegative)
        default: try parseDecimal(isNegative)
        }
        // JSONDecoder treats letters, digits, points and signs that follow as parts of the number.
        guard !byte().isLetterOrDigit, !"+-.".utf8.contains(byte()) else { throw unexpected(.endOfNumber) }
    }

    /// Reads the digits after `0x`. JSONDecoder accepts only numbers that fit in 64 bits.
    private mutating func parseHexadecimal(_ isNegative: Bool) throws {
        let start = offset
        offset += 2
        var value: UInt64 = 0
        while let digit = Character(Unicode.Scalar(byte())).hexDigitValue {
            guard value >> 60 == 0 else {
                offset = start
                throw failure(.hexadecimalTooLarge)
            }
            value = value << 4 | UInt64(digit)
            offset += 1
        }
        guard offset > start + 2 else { throw unexpected(.hexadecimalDigit) }
        // The number is an integer, so 0 has no sign.
        if isNegative, value > 0 { content.append(UInt8(ascii: "-")) }
        content += String(value).utf8
    }

    private mutating func parseDecimal(_ isNegative: Bool) throws {
        if isNegative { content.append(UInt8(ascii: "-")) }
        if byte() == UInt8(ascii: ".") {
            guard byte(1).isDigit else {
                offset += 1
                throw unexpected(.digitOfFraction)
            }
            content.append(UInt8(ascii: "0"))
        } else {
            if byte() == UInt8(ascii: "0"), byte(1).isDigit { throw failure(.leadingZero) }
            guard appendDigits() else { throw unexpected(.digit) }
        }
        if byte() == UInt8(ascii: ".") {
            offset += 1
            if byte().isDigit {
                content.append(UInt8(ascii: "."))
                _ = appendDigits()
            }
        }
        guard byte() | 0x20 == UInt8(ascii: "e") else { return }
        content.append(UInt8(ascii: "e"))
        offset += 1
        if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") {
            content.append(byte())
            offset += 1
        }
        guard appendDigits() else { throw unexpected(.digitOfExponent) }
    }

    /// - Returns: Whether there was a digit.
    private mutating func appendDigits() -> Bool {
        let start = offset
        skip(while: \.isDigit)
        bytes.withBytes(in: start..<offset) { content += $0 }
        return offset > start
    }

    // MARK: - White space and comments

    private mutating func skipSpace() throws {
        while !isAtEnd {
            switch byte() {
            case 0x20, 0x09...0x0D, 0xA0: offset += 1
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                noteComment()
                skip { $0 != 0x0A && $0 != 0x0D }
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
                let start = offset
                noteComment()
                offset += 2
                guard skips(through: "*/") else {
                    offset = start
                    throw failure(.unendedComment)
                }
            default: return
            }
        }
    }

    private mutating func noteComment() {
        if comments == nil { comments = Document.Comments(first: offset) } else { comments?.count += 1 }
    }

    // MARK: - Errors

    private func failure(_ problem: ParseProblem) -> ParseFailure { ParseFailure(offset: offset, problem: problem) }

    private func unexpected(_ expected: ExpectedText) -> ParseFailure {
        failure(.unexpected(found: FoundText(at: offset, in: bytes), expected: expected))
    }
}
