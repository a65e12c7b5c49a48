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
                format: .json, location: nil, problem: .tooLarge(byteCount: bytes.count, isTranscoded: false))
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
            let start = LineIndex.textStart(of: text)
            var (offset, problem) = (failure.offset, failure.problem)
            if format == .json, OpenStepScanner.recognizes(text) {
                (offset, problem) = (start, .openStep)
            } else if format == .json, let foreign = ForeignFormat.recognized(in: text, from: start) {
                (offset, problem) = (start, .foreign(foreign))
            }
            throw DocumentParseError(
                format: format, location: encoding.location(at: offset, in: text, markLength: markLength),
                problem: problem)
        }
    }

    /// Reads JSON text. For tests and examples; a file's bytes go to ``init(parsing:progress:)``.
    ///
    /// - Throws: ``DocumentParseError``.
    public init(json text: String) throws { try self.init(parsing: SourceBytes(text)) }
}
