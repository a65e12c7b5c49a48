import Foundation

/// Reads an XML property list: keys in their order, duplicates too, and where each value stands.
///
/// It takes what Foundation's PropertyListSerialization takes, so that what opens here also opens in the app, and
/// refuses, beyond that, what Foundation mends in silence: data that is not base64, days that a month does not have,
/// and text behind the end. Like Foundation's, it refuses comments inside values, and takes a dictionary of one number
/// under `CF$UID` for the unique identifier of a keyed archive.
struct XMLPropertyListParser: ~Copyable {
    /// The document in `text`.
    ///
    /// - Parameters:
    ///   - text: The source in UTF-8.
    ///   - encoding: The encoding of the source, and `markLength` the length of its byte order mark.
    /// - Throws: ``ParseFailure``; `CancellationError` when `progress` returned false.
    static func parse(
        _ text: SourceBytes, encoding: TextEncoding, markLength: Int, progress: ParseProgress?
    ) throws -> Document {
        var parser = XMLPropertyListParser(text)
        try parser.checkEncoding(text, encoding)
        try parser.parseDocument(progress: progress)
        return parser.builder.finish(
            format: .plistXML, source: text, sourceRanges: parser.ranges, encoding: encoding, markLength: markLength)
    }

    private typealias Tag = XMLScanner.Tag

    private var scanner: XMLScanner
    private var builder = DocumentBuilder()
    private var ranges: [Range<UInt32>] = []
    /// The text of the value that is being read; kept between values for its memory.
    private var content: [UInt8] = []

    private init(_ text: SourceBytes) { scanner = XMLScanner(text) }

    private func checkEncoding(_ text: SourceBytes, _ encoding: TextEncoding) throws(ParseFailure) {
        if let (name, offset) = scanner.declaredEncoding {
            let width = name.uppercased().hasPrefix("UTF-16") ? 2 : name.uppercased().hasPrefix("UTF-32") ? 4 : 1
            let isKnown = width > 1 || ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
            guard isKnown, width == encoding.unitLength else {
                throw ParseFailure(
                    offset: offset, found: "the encoding \(name)" + (isKnown ? ", which the text is not in" : ""),
                    expected: "UTF-8; convert it (iconv -f \(name) -t UTF-8) and change the declaration")
            }
        }
        if let offset = text.firstInvalidUTF8 {
            throw ParseFailure(offset: offset, found: text.strayByte(at: offset), expected: "a property list in UTF-8")
        }
    }

    // MARK: - Structure

    /// A container that is open.
    private struct Container {
        var node: Int
        var isDictionary: Bool
        var tag: Tag
        var awaitsValue = false
    }

    /// How many bytes are read between two calls of `progress`.
    private static let reportInterval = 1 << 20

    private mutating func parseDocument(progress: ParseProgress?) throws {
        guard let root = try scanner.nextTag(expected: "<plist>") else {
            throw scanner.failure(found: "the end of the text", expected: "<plist>")
        }
        let hasWrapper = root.name == "plist"
        guard hasWrapper || (root.kind != .end && Self.isValue(root.name)) else {
            throw failure(at: root, expected: "<plist>")
        }
        var first = root
        if hasWrapper {
            guard root.kind == .start else { throw failure(at: root, expected: "a value inside <plist>") }
            first = try tag(expected: "a value inside <plist>")
        }
        try parseValue(first, progress: progress)
        if hasWrapper {
            let end = try tag(expected: "</plist>")
            guard end.kind == .end, end.name == "plist" else {
                throw failure(at: end, expected: "</plist>; a property list is one value")
            }
        }
        if let junk = try scanner.nextTag(expected: "the end of the text") {
            throw failure(at: junk, expected: "the end of the text")
        }
    }

    /// Reads the value that `tag` begins and everything inside it. Iterative: depth costs no stack.
    private mutating func parseValue(_ tag: Tag, progress: ParseProgress?) throws {
        var open: [Container] = []
        var nextReport = Self.reportInterval
        var tag = tag
        while true {
            if let container = open.last, tag.kind == .end {
                try close(container, with: tag)
                open.removeLast()
            } else if let container = open.last, container.isDictionary, !container.awaitsValue {
                try parseKey(tag)
                open[open.count - 1].awaitsValue = true
            } else {
                let expected = open.last.map { Self.expectation(in: $0) } ?? Self.anyValue
                if !open.isEmpty { open[open.count - 1].awaitsValue = false }
                try parseScalarOrBegin(tag, &open, expected: expected)
            }
            guard let container = open.last else { return }
            if scanner.offset >= nextReport {
                nextReport = scanner.offset + Self.reportInterval
                if let progress, !progress(scanner.offset) { throw CancellationError() }
            }
            tag = try self.tag(expected: Self.expectation(in: container))
        }
    }

    private static let anyValue =
        "<dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>"

    private static func expectation(in container: Container) -> String {
        guard container.isDictionary else { return "a value or </array>" }
        return container.awaitsValue ? "a value for the key" : "<key> or </dict>"
    }

    private mutating func close(_ container: Container, with tag: Tag) throws(ParseFailure) {
        guard !container.awaitsValue else { throw failure(at: tag, expected: "a value for the key before it") }
        guard tag.name == container.tag.name else { throw failure(at: tag, expected: "</\(container.tag.name)>") }
        if container.isDictionary { builder.endDictionary() } else { builder.end() }
        ranges[container.node] = Self.range(container.tag.range.lowerBound..<tag.range.upperBound)
    }

    private mutating func parseKey(_ tag: Tag) throws(ParseFailure) {
        guard tag.name == "key" else { throw failure(at: tag, expected: "<key> or </dict>") }
        let range = try parseText(of: tag)
        builder.key(utf8: content)
        ranges.append(Self.range(range))
    }

    private mutating func parseScalarOrBegin(
        _ tag: Tag, _ open: inout [Container], expected: String
    ) throws(ParseFailure) {
        guard tag.kind != .end, Self.isValue(tag.name) else {
            throw failure(at: tag, expected: expected)
        }
        guard tag.name == "dict" || tag.name == "array" else { return try parseScalar(tag) }
        guard open.count < Document.deepestNesting else {
            throw failure(
                at: tag, found: "<\(tag.name)> nested deeper than \(Document.deepestNesting) levels",
                expected: "no more levels than Foundation's PropertyListDecoder reads")
        }
        let isDictionary = tag.name == "dict"
        let container = Container(node: builder.nodeCount, isDictionary: isDictionary, tag: tag)
        if isDictionary { builder.beginObject() } else { builder.beginArray() }
        ranges.append(Self.range(tag.range))
        if tag.kind == .empty { builder.end() } else { open.append(container) }
    }

    private static func isValue(_ name: String) -> Bool {
        switch name {
        case "dict", "array", "string", "integer", "real", "true", "false", "date", "data": true
        default: false
        }
    }

    private mutating func tag(expected: String) throws(ParseFailure) -> Tag {
        if let tag = try scanner.nextTag(expected: expected) { return tag }
        throw scanner.failure(found: "the end of the text", expected: expected)
    }

    // MARK: - Scalars

    private mutating func parseScalar(_ tag: Tag) throws(ParseFailure) {
        let range = try parseText(of: tag)
        switch tag.name {
        case "string": builder.string(utf8: content)
        case "integer":
            let number = try value(
                PropertyListNumber.integer(content), of: tag,
                expected: "a whole number of up to 64 bits and nothing else")
            builder.number(number)
        case "real":
            let number = try value(
                PropertyListNumber.real(content), of: tag, expected: "a number, nan or infinity and nothing else")
            builder.number(number)
        case "date":
            builder.date(
                try value(PropertyListDate.date(content), of: tag, expected: "a date as in 2024-01-31T12:00:00Z"))
        case "data":
            let data = Data(base64Encoded: Data(content.filter { $0 > 0x20 }))
            builder.data(try value(data, of: tag, expected: "base64"))
        default:
            guard content.isEmpty else {
                throw failure(at: tag, found: "text in <\(tag.name)>", expected: "<\(tag.name)/>")
            }
            builder.boolean(tag.name == "true")
        }
        ranges.append(Self.range(range))
    }

    /// - Throws: ``ParseFailure`` where the content of the element is no value of its kind.
    private func value<Value>(_ value: Value?, of tag: Tag, expected: String) throws(ParseFailure) -> Value {
        if let value { return value }
        throw failure(at: tag, found: "\(quotedContent) in <\(tag.name)>", expected: expected)
    }

    /// Reads the text of the element that `tag` begins into `content`.
    ///
    /// - Returns: Where the element stands.
    private mutating func parseText(of tag: Tag) throws(ParseFailure) -> Range<Int> {
        content.removeAll(keepingCapacity: true)
        if tag.kind == .empty { return tag.range }
        guard tag.kind == .start else { throw failure(at: tag, expected: "<\(tag.name)>") }
        let end = try scanner.text(of: tag.name, appendingTo: &content)
        guard end.kind == .end, end.name == tag.name else { throw failure(at: end, expected: "</\(tag.name)>") }
        return tag.range.lowerBound..<end.range.upperBound
    }

    // MARK: - Words for errors

    private var quotedContent: String {
        guard !content.isEmpty else { return "nothing" }
        let text = String(decoding: content, as: UTF8.self)
        return text.unicodeScalars.count > 40 ? "'\(text.unicodeScalars.prefix(40))…'" : "'\(text)'"
    }

    private func failure(at tag: Tag, found: String? = nil, expected: String?) -> ParseFailure {
        ParseFailure(offset: tag.range.lowerBound, found: found ?? tag.text, expected: expected)
    }

    private static func range(_ range: Range<Int>) -> Range<UInt32> {
        // Sources are shorter than 4 GiB.
        UInt32(range.lowerBound)..<UInt32(range.upperBound)
    }
}
