import Foundation

extension Document {
    /// Reads JSON or a property list, whichever the first bytes announce.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - progress: Called now and then with the number of bytes read; when it returns false, reading stops.
    /// - Throws: ``DocumentParseError``; `CancellationError` when `progress` returned false.
    public init(parsing bytes: SourceBytes, progress: ParseProgress? = nil) throws {
        guard bytes.count < Self.largestSourceLength else {
            throw DocumentParseError(
                format: .json, location: nil, found: "\(bytes.count) bytes", expected: "less than 4 GiB")
        }
        if PropertyListReader.recognizes(bytes) {
            self = try PropertyListReader.read(bytes, progress: progress)
            return
        }
        let (encoding, markLength) = TextEncoding.detect(in: bytes)
        let text = encoding == .utf8 ? bytes : try encoding.transcode(bytes, skipping: markLength)
        do {
            let (tape, extraCommas) = try JSONParser.parse(text, progress: progress)
            storage = Storage(
                format: .json, text: text, tape: tape, source: text, encoding: encoding, markLength: markLength,
                extraCommas: extraCommas)
        } catch let failure as JSONParser.Failure {
            if let error = PropertyListReader.openStepError(in: text) { throw error }
            throw DocumentParseError(
                format: .json, location: encoding.location(at: failure.offset, in: text, markLength: markLength),
                found: failure.found, expected: failure.expected)
        }
    }

    /// Reads JSON text. For tests and examples; a file's bytes go to ``init(parsing:progress:)``.
    ///
    /// - Throws: ``DocumentParseError``.
    public init(json text: String) throws { try self.init(parsing: SourceBytes(text)) }
}

/// Reads property lists, XML and binary.
enum PropertyListReader {
    /// Whether `bytes` begin as a property list, or as nothing but a property list could: no JSON begins with `<`.
    static func recognizes(_ bytes: SourceBytes) -> Bool {
        bytes.begins(with: "bplist") || DocumentHead(bytes).first == UInt8(ascii: "<")
    }

    /// The document in `bytes`.
    ///
    /// - Throws: ``DocumentParseError``; `CancellationError` when `progress` returned false.
    static func read(_ bytes: SourceBytes, progress: ParseProgress?) throws -> Document {
        if bytes.begins(with: "bplist") { return try BinaryPropertyListParser.parse(bytes, progress: progress) }
        let (encoding, markLength) = TextEncoding.detect(in: bytes)
        let text = encoding == .utf8 ? bytes : try encoding.transcode(bytes, skipping: markLength, format: .plistXML)
        do {
            return try XMLPropertyListParser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
        } catch let failure as XMLScanner.Failure {
            throw DocumentParseError(
                format: .plistXML, location: encoding.location(at: failure.offset, in: text, markLength: markLength),
                found: failure.found, expected: failure.expected)
        }
    }

    /// The error for a text that is no JSON but looks like the old OpenStep form of property lists; nil if it does not.
    ///
    /// That form is `{ key = value; }` and `( value, value )`, with names in quotation marks or bare, behind comments
    /// as C has them.
    static func openStepError(in bytes: SourceBytes) -> DocumentParseError? {
        guard OpenStepScanner(bytes).beginsAsPropertyList else { return nil }
        let offset = LineIndex.textStart(of: bytes)
        return DocumentParseError(
            format: .json, location: LineIndex.location(at: offset, in: bytes),
            found: "a property list in the old OpenStep text form",
            expected: "JSON, or an XML or binary property list (convert it: plutil -convert xml1 FILE)")
    }
}
