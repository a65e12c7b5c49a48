import Foundation

/// Reads an XML property list, preserving the order of keys, duplicate keys, and the position of each value.
///
/// It accepts what Foundation's PropertyListSerialization accepts, so that a file that opens here also opens in the
/// app. But it refuses errors that Foundation silently corrects: data that isn't base64, days that don't exist in a
/// month, and text after the end. Like Foundation, it refuses comments inside values, and interprets a dictionary with
/// a single number under `CF$UID` as the unique identifier of a keyed archive.
struct XMLPropertyListParser: ~Copyable {
    /// Parses the document in `text`.
    ///
    /// - Parameters:
    ///   - text: The source in UTF-8.
    ///   - encoding: The original encoding of the source. `markLength` is the length of its byte order mark.
    /// - Throws: ``ParseFailure``; `CancellationError` if `progress` returned false.
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
    /// The text of the current value. It is reused to avoid allocations.
    private var content: [UInt8] = []

    private init(_ text: SourceBytes) { scanner = XMLScanner(text) }

    private func checkEncoding(_ text: SourceBytes, _ encoding: TextEncoding) throws(ParseFailure) {
        if let (name, offset) = scanner.declaredEncoding {
            let width = name.uppercased().hasPrefix("UTF-16") ? 2 : name.uppercased().hasPrefix("UTF-32") ? 4 : 1
            let isKnown = width > 1 || ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
            guard isKnown, width == encoding.unitLength else {
                throw ParseFailure(offset: offset, problem: .encoding(name: name, isKnown: isKnown))
            }
        }
        if let offset = text.firstInvalidUTF8 {
            throw ParseFailure(offset: offset, problem: .notUTF8(byte: text[offset]))
        }
    }

    // MARK: - Structure

    /// An open container.
    private struct Container {
        var node: Int
        var isDictionary: Bool
        var tag: Tag
        var awaitsValue = false
    }

    /// The number of bytes to read between two calls of `progress`.
    private static let reportInterval = 1 << 20

    private mutating func parseDocument(progress: ParseProgress?) throws {
        let root = try tag(expected: .tag("<plist>"))
        let hasWrapper = root.name == "plist"
        guard hasWrapper || (root.kind != .end && Self.isValue(root.name)) else {
            throw failure(at: root, expected: .tag("<plist>"))
        }
        var first = root
        if hasWrapper {
            guard root.kind == .start else { throw failure(at: root, expected: .elementInList) }
            first = try tag(expected: .elementInList)
        }
        try parseValue(first, progress: progress)
        if hasWrapper {
            let end = try tag(expected: .tag("</plist>"))
            guard end.kind == .end, end.name == "plist" else {
                throw failure(at: end, expected: .lastTagOfList)
            }
        }
        if let junk = try scanner.nextTag(expected: .end) { throw failure(at: junk, expected: .end) }
    }

    /// Reads the value that begins with `tag` and everything inside it. This is a loop, so nesting needs no stack.
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
                let expected = open.last.map { Self.expectation(in: $0) } ?? .anyElement
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

    private static func expectation(in container: Container) -> ExpectedText {
        guard container.isDictionary else { return .elementOrEndOfArray }
        return container.awaitsValue ? .elementForKey : .keyOrEndOfDictionary
    }

    private mutating func close(_ container: Container, with tag: Tag) throws(ParseFailure) {
        guard !container.awaitsValue else { throw failure(at: tag, expected: .elementForKey) }
        guard tag.name == container.tag.name else { throw failure(at: tag, expected: .tag("</\(container.tag.name)>")) }
        if container.isDictionary { builder.endDictionary() } else { builder.end() }
        ranges[container.node] = Self.range(container.tag.range.lowerBound..<tag.range.upperBound)
    }

    private mutating func parseKey(_ tag: Tag) throws(ParseFailure) {
        guard tag.name == "key" else { throw failure(at: tag, expected: .keyOrEndOfDictionary) }
        let range = try parseText(of: tag)
        builder.key(utf8: content)
        ranges.append(Self.range(range))
    }

    private mutating func parseScalarOrBegin(
        _ tag: Tag, _ open: inout [Container], expected: ExpectedText
    ) throws(ParseFailure) {
        guard tag.kind != .end, Self.isValue(tag.name) else {
            throw failure(at: tag, expected: expected)
        }
        guard tag.name == "dict" || tag.name == "array" else { return try parseScalar(tag) }
        guard open.count < Document.deepestNesting else {
            throw failure(at: tag, .tooDeep)
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

    private mutating func tag(expected: ExpectedText) throws(ParseFailure) -> Tag {
        if let tag = try scanner.nextTag(expected: expected) { return tag }
        throw scanner.failure(.unexpected(found: .end, expected: expected))
    }

    // MARK: - Scalars

    private mutating func parseScalar(_ tag: Tag) throws(ParseFailure) {
        let range = try parseText(of: tag)
        switch tag.name {
        case "string": builder.string(utf8: content)
        case "integer": builder.number(try value(PropertyListNumber.integer(content), of: tag))
        case "real": builder.number(try value(PropertyListNumber.real(content), of: tag))
        case "date": builder.date(try value(PropertyListDate.date(content), of: tag))
        case "data": builder.data(try value(Data(base64Encoded: Data(content.filter { $0 > 0x20 })), of: tag))
        default: builder.boolean(try value(content.isEmpty ? tag.name == "true" : nil, of: tag))
        }
        ranges.append(Self.range(range))
    }

    /// - Throws: ``ParseFailure`` if the content of the element isn't a valid value of its kind.
    private func value<Value>(_ value: Value?, of tag: Tag) throws(ParseFailure) -> Value {
        if let value { return value }
        let text = String(decoding: content, as: UTF8.self)
        let isLong = text.unicodeScalars.count > 40
        throw failure(
            at: tag, .content(isLong ? "\(text.unicodeScalars.prefix(40))…" : text, element: tag.name))
    }

    /// Reads the text of the element that begins with `tag` into `content`.
    ///
    /// - Returns: The range of the element.
    private mutating func parseText(of tag: Tag) throws(ParseFailure) -> Range<Int> {
        content.removeAll(keepingCapacity: true)
        if tag.kind == .empty { return tag.range }
        guard tag.kind == .start else { throw failure(at: tag, expected: .tag("<\(tag.name)>")) }
        let end = try scanner.text(of: tag.name, appendingTo: &content)
        guard end.kind == .end, end.name == tag.name else { throw failure(at: end, expected: .tag("</\(tag.name)>")) }
        return tag.range.lowerBound..<end.range.upperBound
    }

    private func failure(at tag: Tag, _ problem: ParseProblem) -> ParseFailure {
        ParseFailure(offset: tag.range.lowerBound, problem: problem)
    }

    private func failure(at tag: Tag, expected: ExpectedText) -> ParseFailure {
        failure(at: tag, .unexpected(found: .tag(tag.text), expected: expected))
    }

    private static func range(_ range: Range<Int>) -> Range<UInt32> {
        // Sources are shorter than 4 GiB.
        UInt32(range.lowerBound)..<UInt32(range.upperBound)
    }
}
