/// Reads JSON as defined by RFC 8259 into a tape. There is one exception: a comma is allowed before a closing bracket,
/// because Foundation's JSONDecoder accepts it, and a document that opens in the app has to open here.
///
/// It is a single loop over the bytes. The node of an open container stores the index of the one around it, so nesting
/// needs no stack. Inside strings and runs of spaces, eight bytes are processed at a time.
///
/// ## Bounds
/// Every read is at an offset up to `count`, and a word is loaded only at such an offset: ``SourceBytes/padding`` keeps
/// both in range. The zero bytes of the padding match nothing that JSON allows, so reading past the end is detected
/// when the next byte is checked.
struct JSONParser {
    /// Parses the document in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The source in UTF-8.
    ///   - encoding: The original encoding of the source. `markLength` is the length of its byte order mark.
    /// - Throws: ``ParseFailure``; `CancellationError` if `progress` returned false.
    static func parse(
        _ bytes: SourceBytes, encoding: TextEncoding, markLength: Int, progress: ParseProgress?
    ) throws -> Document {
        // Documents have about one node per twelve bytes, and short ones up to twice as many. A wrong estimate costs
        // one copy.
        var writer = TapeWriter(capacity: max(16, min(64, bytes.count / 6), bytes.count / 12))
        var parser = JSONParser(bytes)
        try withExtendedLifetime(bytes) { try parser.parseDocument(into: &writer, progress: progress) }
        return Document(
            storage: .init(
                format: .json, text: bytes, tape: Tape(writer), source: bytes, encoding: encoding,
                markLength: markLength, extraCommas: parser.extraCommas))
    }

    private let bytes: SourceBytes
    private let base: UnsafePointer<UInt8>
    private let count: Int
    private var offset: Int
    /// The offsets of the first commas before closing brackets.
    private var extraCommas: [Int] = []

    private init(_ bytes: SourceBytes) {
        self.bytes = bytes
        base = bytes.base
        count = bytes.count
        offset = LineIndex.textStart(of: bytes)
    }

    private enum Expectation { case value, valueOrEnd, nextValue, keyOrEnd, nextKey, separatorOrEnd }

    private mutating func parseDocument(into tape: inout TapeWriter, progress: ParseProgress?) throws {
        // The index of the innermost open container, or -1 if there is none, and the number of open containers.
        var (open, depth) = (-1, 0)
        func close() {
            let outer = tape.outer(of: open)
            offset += 1
            tape.close(open, end: offset)
            open = outer
            depth -= 1
        }
        var nextReport = Self.reportInterval
        var expectation = Expectation.value
        // The last comma between members or elements.
        var comma = 0
        while true {
            skipWhitespace()
            let byte = base[offset]
            switch expectation {
            case .valueOrEnd where byte == UInt8(ascii: "]"), .keyOrEnd where byte == UInt8(ascii: "}"),
                .nextValue where byte == UInt8(ascii: "]"), .nextKey where byte == UInt8(ascii: "}"):
                let isBehindComma = expectation == .nextValue || expectation == .nextKey
                if isBehindComma, extraCommas.count < Document.mostLeniencies { extraCommas.append(comma) }
                close()
                expectation = .separatorOrEnd
            case .value, .valueOrEnd, .nextValue:
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard depth < Document.deepestNesting else { throw failure(.tooDeep) }
                    let isObject = byte == UInt8(ascii: "{")
                    let container = tape.count
                    tape.append(isObject ? .object : .array, start: offset, end: offset)
                    tape.setOuter(open, of: container)
                    open = container
                    depth += 1
                    offset += 1
                    expectation = isObject ? .keyOrEnd : .valueOrEnd
                    continue
                case UInt8(ascii: "\""): try parseString(.string, into: &tape)
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber(into: &tape)
                case UInt8(ascii: "t"): try parseWord("true", .boolean, [.isTrue], into: &tape)
                case UInt8(ascii: "f"): try parseWord("false", .boolean, [], into: &tape)
                case UInt8(ascii: "n"): try parseWord("null", .null, [], into: &tape)
                default:
                    guard tape.count > 0 || offset < count else {
                        throw failure(.empty(isWhitespace: LineIndex.textStart(of: bytes) < count))
                    }
                    throw unexpected(expectation == .valueOrEnd ? .valueOrBracket : .value)
                }
                expectation = .separatorOrEnd
            case .keyOrEnd, .nextKey:
                guard byte == UInt8(ascii: "\"") else {
                    throw unexpected(expectation == .keyOrEnd ? .nameOrBrace : .name)
                }
                try parseString(.key, into: &tape)
                skipWhitespace()
                guard base[offset] == UInt8(ascii: ":") else { throw unexpected(.colon) }
                offset += 1
                expectation = .value
                continue
            case .separatorOrEnd:
                guard open >= 0 else {
                    guard offset == count else { throw unexpected(.end) }
                    return
                }
                let isObject = tape[open].kind == .object
                if byte == UInt8(ascii: ",") {
                    comma = offset
                    offset += 1
                    expectation = isObject ? .nextKey : .nextValue
                } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    close()
                } else {
                    throw unexpected(isObject ? .commaOrBrace : .commaOrBracket)
                }
                if offset >= nextReport {
                    nextReport = offset + Self.reportInterval
                    if let progress, !progress(offset) { throw CancellationError() }
                }
            }
        }
    }

    /// The number of bytes to read between two calls of `progress`.
    private static let reportInterval = 1 << 20

    // MARK: - Parts

    @inline(__always)
    private mutating func skipWhitespace() {
        while true {
            switch base[offset] {
            case 0x20:
                offset += 1
                while offset < count, word(at: offset) == 0x2020_2020_2020_2020 { offset += 8 }
            case 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    @inline(__always)
    private func word(at offset: Int) -> UInt64 {
        UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// Parses a string (RFC 8259, section 7). The text of the node includes the quotation marks.
    @inline(__always)
    private mutating func parseString(_ kind: NodeKind, into tape: inout TapeWriter) throws {
        let start = offset
        var flags: TapeNode.Flags = .quoted
        offset += 1
        while true {
            // Set the high bit of every byte that is a quotation mark, a backslash, below 0x20 or not ASCII. A borrow
            // may set it in bytes above the lowest such byte, so only the lowest one counts.
            let word = word(at: offset)
            let special =
                (word | (word &- 0x2020_2020_2020_2020) | ((word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101)
                    | ((word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080
            guard special != 0 else {
                offset += 8
                continue
            }
            offset += special.trailingZeroBitCount / 8
            let byte = base[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                tape.append(kind, start: start, end: offset, flags: flags)
                return
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try skipEscape()
            case 0x80...:
                try skipScalar()
            default:
                throw failure(
                    offset < count
                        ? .controlCharacter(byte) : .endInString(start: LineIndex.location(at: start, in: bytes)))
            }
        }
    }

    private mutating func skipEscape() throws {
        switch base[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at: offset)
            // A lone surrogate is grammatical but doesn't represent a character (RFC 8259, section 8.2). Foundation
            // refuses it too.
            switch unit {
            case 0xD800..<0xDC00:
                let start = offset
                offset += 6
                guard base[offset] == UInt8(ascii: "\\"), base[offset + 1] == UInt8(ascii: "u"),
                    (0xDC00..<0xE000).contains(try codeUnit(at: offset))
                else {
                    offset = start
                    throw failure(.halfSurrogatePair(unit: unit))
                }
            case 0xDC00..<0xE000: throw failure(.halfSurrogatePair(unit: unit))
            default: break
            }
            offset += 6
        default:
            offset += 1
            throw unexpected(.escape)
        }
    }

    /// Returns the value of the four hexadecimal digits in the escape `\uXXXX` that begins at `start`.
    private mutating func codeUnit(at start: Int) throws -> UInt32 {
        var unit: UInt32 = 0
        for position in start + 2..<start + 6 {
            guard position < count, let digit = Character(Unicode.Scalar(base[position])).hexDigitValue else {
                offset = min(position, count)
                throw unexpected(.hexadecimalDigits)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Skips a scalar of more than one byte.
    private mutating func skipScalar() throws {
        guard let length = UTF8Sequence.length(at: base + offset) else {
            throw failure(.notUTF8(byte: base[offset]))
        }
        offset += length
    }

    /// Parses a number (RFC 8259, section 6).
    @inline(__always)
    private mutating func parseNumber(into tape: inout TapeWriter) throws {
        let start = offset
        var flags: TapeNode.Flags = .integer
        if base[offset] == UInt8(ascii: "-") { offset += 1 }
        if base[offset] == UInt8(ascii: "0") {
            offset += 1
            if base[offset].isDigit {
                offset -= 1
                throw failure(.leadingZero)
            }
        } else {
            try skipDigits(expected: .digit)
        }
        if base[offset] == UInt8(ascii: ".") {
            flags = []
            offset += 1
            try skipDigits(expected: .digitOfFraction)
        }
        if base[offset] | 0x20 == UInt8(ascii: "e") {
            flags = []
            offset += 1
            if base[offset] == UInt8(ascii: "+") || base[offset] == UInt8(ascii: "-") { offset += 1 }
            try skipDigits(expected: .digitOfExponent)
        }
        tape.append(.number, start: start, end: offset, flags: flags)
    }

    @inline(__always)
    private mutating func skipDigits(expected: ExpectedText) throws {
        guard base[offset].isDigit else { throw unexpected(expected) }
        repeat { offset += 1 } while base[offset].isDigit
    }

    @inline(__always)
    private mutating func parseWord(
        _ word: StaticString, _ kind: NodeKind, _ flags: TapeNode.Flags, into tape: inout TapeWriter
    ) throws {
        let start = offset
        for position in 0..<word.utf8CodeUnitCount {
            guard base[offset] == word.utf8Start[position] else {
                offset = start
                throw unexpected(.word("\(word)"))
            }
            offset += 1
        }
        tape.append(kind, start: start, end: offset, flags: flags)
    }

    // MARK: - Errors

    private func failure(_ problem: ParseProblem) -> ParseFailure { ParseFailure(offset: offset, problem: problem) }

    private func unexpected(_ expected: ExpectedText) -> ParseFailure {
        failure(.unexpected(found: FoundText(at: offset, in: bytes), expected: expected))
    }
}

extension FoundText {
    /// Creates a description of the text at an offset: a whole word if one begins there, or else a character.
    init(at offset: Int, in bytes: SourceBytes) {
        guard offset < bytes.count else {
            self = .end
            return
        }
        let (byte, base, count) = (bytes[offset], bytes.base, bytes.count)
        if byte.isLetterOrDigit || byte == UInt8(ascii: "_") {
            var end = offset
            while end < count, end - offset < 20, base[end].isLetterOrDigit || base[end] == UInt8(ascii: "_") {
                end += 1
            }
            self = .word(bytes.string(in: offset..<end))
        } else if byte < 0x80 {
            self = .character(UInt32(byte))
        } else {
            let scalar = bytes.string(in: offset..<min(offset + 4, count)).unicodeScalars.first ?? "\u{FFFD}"
            self = scalar == "\u{FFFD}" ? .byte(byte) : .character(scalar.value)
        }
    }
}
