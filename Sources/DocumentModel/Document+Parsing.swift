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
        if bytes.begins(with: "bplist") {
            self = try BinaryPropertyListParser.parse(bytes, progress: progress)
            return
        }
        // No JSON begins with `<`.
        let format: DocumentFormat = DocumentHead(bytes).first == UInt8(ascii: "<") ? .plistXML : .json
        let (encoding, markLength) = TextEncoding.detect(in: bytes)
        let text = encoding == .utf8 ? bytes : try encoding.transcode(bytes, skipping: markLength, format: format)
        do {
            self =
                format == .json
                ? try JSONParser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
                : try XMLPropertyListParser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
        } catch let failure as ParseFailure {
            if format == .json, OpenStepScanner.recognizes(text) { throw DocumentParseError.openStep(text) }
            throw DocumentParseError(
                format: format, location: encoding.location(at: failure.offset, in: text, markLength: markLength),
                found: failure.found, expected: failure.expected)
        }
    }

    /// Reads JSON text. For tests and examples; a file's bytes go to ``init(parsing:progress:)``.
    ///
    /// - Throws: ``DocumentParseError``.
    public init(json text: String) throws { try self.init(parsing: SourceBytes(text)) }
}

extension DocumentParseError {
    /// The error for a text that is no JSON but looks like the old OpenStep form of property lists.
    fileprivate static func openStep(_ text: SourceBytes) -> DocumentParseError {
        DocumentParseError(
            format: .json, location: LineIndex.location(at: LineIndex.textStart(of: text), in: text),
            found: "a property list in the old OpenStep text form",
            expected: "JSON, or an XML or binary property list (convert it: plutil -convert xml1 FILE)")
    }
}
