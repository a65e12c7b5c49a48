/// Reads the subset of XML that property lists use: tags, text, entities, CDATA, comments, and a document type, which
/// is skipped.
///
/// Foundation's XMLParser isn't suitable: it doesn't report where a tag begins (its columns count bytes and are those
/// after the tag), it fails on text of 10 MB, which data easily reaches, and it expands entities that the document
/// itself declares, which can turn little text into very much. This scanner never loads or expands anything: it
/// supports only XML's five predefined entities and character references.
struct XMLScanner: ByteScanner {
    struct Tag {
        enum Kind { case start, end, empty }
        var kind: Kind
        var name: String
        /// The range of the tag, including its angle brackets.
        var range: Range<Int>

        /// The tag without its attributes, for error messages.
        var text: String { (kind == .end ? "</" : "<") + name + (kind == .empty ? "/>" : ">") }
    }

    let bytes: SourceBytes
    var offset: Int
    /// Whether a tag has been read. A document type is allowed only before the first tag.
    private var isInside = false

    /// Starts at the beginning of `bytes`, which must be in UTF-8.
    init(_ bytes: SourceBytes) {
        self.bytes = bytes
        offset = LineIndex.textStart(of: bytes)
    }

    /// Returns the next tag, skipping white space and comments, or nil at the end of the text.
    ///
    /// - Parameter expected: The expected text, for the error if there is something else.
    mutating func nextTag(expected: ExpectedText) throws(ParseFailure) -> Tag? {
        while true {
            skipWhitespace()
            if isAtEnd { return nil }
            guard byte() == UInt8(ascii: "<") else { throw unexpected(expected) }
            if try skipsRemark() { continue }
            if !isInside, begins(with: "<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return try tag(expected: expected)
            }
        }
    }

    /// Appends the text of the element with that name, up to the next tag, to `text`.
    ///
    /// As in Foundation, entities are resolved in strings, keys and data, CDATA sections in strings and keys, and
    /// comments are allowed only between values.
    ///
    /// - Returns: The tag after the text.
    mutating func text(of element: String, appendingTo text: inout [UInt8]) throws(ParseFailure) -> Tag {
        let isText = element == "string" || element == "key"
        while true {
            let textStart = offset
            skip { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            append(textStart..<offset, to: &text)
            let start = offset
            if byte() == UInt8(ascii: "&") {
                guard isText || element == "data" else {
                    throw failure(.markup(.reference, insideElement: element))
                }
                try appendReference(to: &text)
            } else if begins(with: "<!--") || begins(with: "<?") {
                let isComment = byte(1) == UInt8(ascii: "!")
                throw failure(.markup(isComment ? .comment : .processingInstruction, insideElement: element))
            } else if isText, try skipsPart(from: "<![CDATA[", to: "]]>", .section) {
                append(start + "<![CDATA[".utf8.count..<offset - "]]>".utf8.count, to: &text)
            } else if isAtEnd {
                throw unexpected(.tag("</\(element)>"))
            } else {
                return try tag(expected: .tag("</\(element)>"))
            }
        }
    }

    /// The encoding in the XML declaration and its offset, or nil if there is none.
    var declaredEncoding: (name: String, offset: Int)? {
        var scanner = self
        guard scanner.skips("<?xml") else { return nil }
        while !scanner.isAtEnd, !scanner.begins(with: "?>") {
            guard scanner.skips("encoding") else {
                scanner.offset += 1
                continue
            }
            scanner.skipWhitespace()
            guard scanner.skips("=") else { return nil }
            scanner.skipWhitespace()
            let quote = scanner.byte()
            let start = min(scanner.offset + 1, bytes.count)
            scanner.offset = start
            scanner.skip { $0 != quote }
            return (bytes.string(in: start..<scanner.offset), start)
        }
        return nil
    }

    // MARK: - Tags

    private mutating func tag(expected: ExpectedText) throws(ParseFailure) -> Tag {
        let start = offset
        offset += 1
        let isEnd = skips("/")
        let nameStart = offset
        skipName()
        let name = bytes.string(in: nameStart..<offset)
        guard !name.isEmpty else {
            offset = start
            throw unexpected(expected)
        }
        isInside = true
        if isEnd { skipWhitespace() } else { try skipAttributes(of: name) }
        let isEmpty = !isEnd && skips("/")
        guard skips(">") else { throw unexpected(.endOfTag(name: name)) }
        return Tag(kind: isEnd ? .end : isEmpty ? .empty : .start, name: name, range: start..<offset)
    }

    /// Attributes have no meaning in a property list, but must be well-formed (XML 1.0, section 3.1), and may contain
    /// `>`.
    private mutating func skipAttributes(of name: String) throws(ParseFailure) {
        while true {
            let end = offset
            skipWhitespace()
            if byte() == UInt8(ascii: ">") || byte() == UInt8(ascii: "/") && byte(1) == UInt8(ascii: ">") { return }
            let start = offset
            skipName()
            guard start > end, offset > start else {
                offset = start
                throw unexpected(.endOfTag(name: name))
            }
            skipWhitespace()
            guard skips("=") else { throw unexpected(.attributeEquals) }
            skipWhitespace()
            try skipAttributeValue()
        }
    }

    private mutating func skipAttributeValue() throws(ParseFailure) {
        let (start, quote) = (offset, byte())
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw unexpected(.attributeValue)
        }
        repeat {
            offset += 1
            guard offset < bytes.count else {
                offset = start
                throw failure(.unendedMarkup(.attributeValue))
            }
            guard byte() != UInt8(ascii: "<") else { throw unexpected(.escapedAngleBracket) }
        } while byte() != quote
        offset += 1
    }

    private mutating func skipName() { skip { $0.isLetterOrDigit || $0 >= 0x80 || "_:-.".utf8.contains($0) } }

    // MARK: - Text

    /// Appends the character for an entity or a character reference: `&lt;`, `&#60;`, `&#x3C;`.
    private mutating func appendReference(to text: inout [UInt8]) throws(ParseFailure) {
        let start = offset
        // No valid reference is longer.
        var end = offset + 1
        while end < bytes.count, end - start < 16, byte(end - offset) != UInt8(ascii: ";") { end += 1 }
        let name = end < bytes.count ? bytes.string(in: start + 1..<end) : ""
        guard end < bytes.count, byte(end - offset) == UInt8(ascii: ";"), let scalar = Self.scalar(named: name) else {
            let isNamed = !name.isEmpty && byte(end - offset) == UInt8(ascii: ";")
            throw failure(.reference(name: isNamed ? name : nil))
        }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        offset = end + 1
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let isHexadecimal = name.dropFirst().first == "x"
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard digits.first != "+" else { return nil }
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }

    private func append(_ range: Range<Int>, to text: inout [UInt8]) {
        bytes.withBytes(in: range) { text.append(contentsOf: $0) }
    }

    // MARK: - Skipped parts

    /// Skips a document type. One that declares entities is refused, because no ordinary property list has any. Its
    /// declarations of elements are ignored.
    private mutating func skipDocumentType() throws(ParseFailure) {
        let start = offset
        var depth = 0
        while !isAtEnd {
            if try skipsComment() { continue }
            switch byte() {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = byte()
                offset += 1
                skip { $0 != quote }
            case UInt8(ascii: "<") where begins(with: "<!ENTITY"):
                throw failure(.entityDeclaration)
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
            offset = min(offset + 1, bytes.count)
            if depth == 0 { return }
        }
        offset = start
        throw failure(.unendedMarkup(.documentType))
    }

    private mutating func skipsComment() throws(ParseFailure) -> Bool {
        try skipsPart(from: "<!--", to: "-->", .comment)
    }

    /// Skips a comment or a processing instruction.
    private mutating func skipsRemark() throws(ParseFailure) -> Bool {
        if try skipsComment() { return true }
        return try skipsPart(from: "<?", to: "?>", .processingInstruction)
    }

    private mutating func skipsPart(
        from opening: String, to end: String, _ markup: UnendedMarkup
    ) throws(ParseFailure) -> Bool {
        let start = offset
        guard skips(opening) else { return false }
        if skips(through: end) { return true }
        offset = start
        throw failure(.unendedMarkup(markup))
    }

    // MARK: - Errors

    func failure(_ problem: ParseProblem) -> ParseFailure { ParseFailure(offset: offset, problem: problem) }

    private func unexpected(_ expected: ExpectedText) -> ParseFailure {
        failure(.unexpected(found: found(), expected: expected))
    }

    /// Returns the text at the offset: up to the next tag, or as much as fits on a line.
    private func found() -> FoundText {
        guard !isAtEnd else { return .end }
        if byte() == UInt8(ascii: "<") { return .text(byte(1) == UInt8(ascii: "!") ? "<!" : "<") }
        var end = offset
        while end < bytes.count, end - offset < 24, bytes[end] > 0x20, bytes[end] != UInt8(ascii: "<") { end += 1 }
        // Don't end in the middle of a character.
        while end < bytes.count, end > offset, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return end > offset ? .text(bytes.string(in: offset..<end)) : .character(UInt32(byte()))
    }
}
