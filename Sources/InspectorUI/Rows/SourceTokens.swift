import DocumentModel

/// The tokens of a part of a source line, for coloring. Any text yields tokens, and together they make up the whole
/// text.
struct SourceTokens: Sequence, IteratorProtocol {
    struct Token {
        var range: Range<Int>
        var style: Style
        var isBlank = false
    }

    private let bytes: SourceBytes
    private let isXML: Bool
    /// The document if it is JSON5. Its nodes distinguish values from comments.
    private let json5: Document?
    private var offset: Int
    private let end: Int
    /// The rest of the string that the part starts inside of.
    private var openString: Token?

    init(_ text: SourceText, _ range: Range<Int>) {
        bytes = text.bytes
        isXML = text.isXML
        json5 = text.document?.format == .json5 ? text.document : nil
        offset = range.lowerBound
        end = range.upperBound
        openString = Self.string(at: range.lowerBound, in: text)
    }

    /// Returns the string or key that contains the byte at `offset`, unless it starts there. JSON strings do not span
    /// lines, so this only matters in the middle of a line and in JSON5.
    private static func string(at offset: Int, in text: SourceText) -> Token? {
        guard let document = text.document, !text.isXML, offset > 0 else { return nil }
        guard let node = document.node(atSourceByte: offset), node.kind == .string || node.kind == .key,
            let range = node.sourceRange, range.lowerBound < offset, offset < range.upperBound
        else { return nil }
        return Token(range: offset..<range.upperBound, style: node.kind == .key ? .key : .string)
    }

    mutating func next() -> Token? {
        guard offset < end else { return nil }
        let blankEnd = skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var token =
            if let openString { openString } else if blankEnd > offset {
                Token(range: offset..<blankEnd, style: .plain, isBlank: true)
            } else if isXML { xmlToken() } else { json5.map(json5Token) ?? jsonToken() }
        openString = nil
        token.range = offset..<Swift.min(Swift.max(token.range.upperBound, offset + 1), end)
        offset = token.range.upperBound
        return token
    }

    private func jsonToken() -> Token {
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            let stop = endOfString()
            return Token(range: offset..<stop, style: isKey(endingAt: stop) ? .key : .string)
        case UInt8(ascii: "-"), 0x30...0x39:
            return Token(range: offset..<skip { Self.numberBytes.contains($0) }, style: .number)
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            return Token(range: offset..<skip { (0x61...0x7A).contains($0) }, style: .literal)
        case let byte where "{}[]:,".utf8.contains(byte):
            return Token(range: offset..<(offset + 1), style: .punctuation)
        default:
            return Token(range: offset..<skip { $0 >= 0x80 }, style: .plain)
        }
    }

    private func json5Token(_ document: Document) -> Token {
        let node = document.node(atSourceByte: offset)
        let isScalar = node.map { !$0.kind.isContainer } ?? false
        let range = node?.sourceRange ?? 0..<0
        if isScalar, range.contains(offset) {
            let style: Style =
                switch node?.kind {
                case .key?: .key
                case .string?: .string
                case .number?: .number
                default: .literal
                }
            return Token(range: offset..<range.upperBound, style: style)
        }
        // Comments can only start where a scalar node ends, where a container node starts, or before the root.
        let start = isScalar ? range.upperBound : range.lowerBound
        if let comment = comment(around: offset, from: start <= offset ? start : 0) {
            return Token(range: offset..<comment.upperBound, style: .dim)
        }
        return Token(range: offset..<(offset + 1), style: .punctuation)
    }

    /// Returns the JSON5 comment that contains `offset`. Only comments, punctuation and space may be between `start`
    /// and `offset`.
    private func comment(around offset: Int, from start: Int) -> Range<Int>? {
        var position = start
        while position <= offset {
            let end =
                bytes.begins(with: "//", at: position)
                ? (position..<bytes.count).first { bytes[$0] == 0x0A || bytes[$0] == 0x0D } ?? bytes.count
                : bytes.begins(with: "/*", at: position)
                    ? (position + 2..<bytes.count).first { bytes.begins(with: "*/", at: $0) }.map { $0 + 2 } : nil
            if let end, offset < end { return position..<end }
            position = end ?? position + 1
        }
        return nil
    }

    private func xmlToken() -> Token {
        switch bytes[offset] {
        case UInt8(ascii: "<"):
            let stop = skip { $0 != UInt8(ascii: ">") }
            return Token(range: offset..<Swift.min(stop + 1, end), style: .punctuation)
        default:
            let stop = skip { $0 != UInt8(ascii: "<") }
            let isKey = stop + 2 < end && bytes[stop + 1] == UInt8(ascii: "/") && bytes[stop + 2] == UInt8(ascii: "k")
            return Token(range: offset..<stop, style: isKey ? .key : .string)
        }
    }

    private static let numberBytes = Array("+-.0123456789eE".utf8)

    /// Returns the end of the bytes from here on that satisfy the predicate.
    private func skip(while fits: (UInt8) -> Bool) -> Int {
        var stop = offset
        while stop < end, fits(bytes[stop]) { stop += 1 }
        return stop
    }

    private func endOfString() -> Int {
        var stop = offset + 1
        while stop < end {
            if bytes[stop] == UInt8(ascii: "\"") { return stop + 1 }
            stop += bytes[stop] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end
    }

    private func isKey(endingAt stop: Int) -> Bool {
        var next = stop
        while next < end, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        return next < end && bytes[next] == UInt8(ascii: ":")
    }
}
