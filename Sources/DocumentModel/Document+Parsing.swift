extension Document {
    /// Reads JSON or a property list, depending on the first bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - allowsJSON5: Whether to read text that isn't valid JSON as JSON5, like a JSONDecoder that allows it.
    ///   - progress: Called now and then with the number of bytes read; reading stops when it returns false.
    /// - Throws: ``DocumentParseError``; `CancellationError` if `progress` returned false.
    public init(
        parsing bytes: SourceBytes, allowsJSON5: Bool = false, progress: ParseProgress? = nil
    ) throws {
        guard bytes.count < Self.largestSourceLength else {
            throw DocumentParseError(
                format: .json, location: nil, problem: .tooLarge(byteCount: bytes.count, isTranscoded: false))
        }
        if bytes.begins(with: "bplist") {
            self = try BinaryPropertyListParser.parse(bytes, progress: progress)
            return
        }
        // JSON never begins with `<`.
        let format: DocumentFormat = DocumentHead(bytes).first == UInt8(ascii: "<") ? .plistXML : .json
        let (encoding, markLength) = TextEncoding.detect(in: bytes)
        let text = encoding == .utf8 ? bytes : try encoding.transcode(bytes, skipping: markLength, format: format)
        do {
            self =
                format == .json
                ? try JSONParser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
                : try XMLPropertyListParser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
        } catch let failure as ParseFailure {
            func error(_ failure: ParseFailure, _ format: DocumentFormat) -> DocumentParseError {
                DocumentParseError(
                    format: format, location: encoding.location(at: failure.offset, in: text, markLength: markLength),
                    problem: failure.problem)
            }
            guard format == .json else { throw error(failure, format) }
            guard allowsJSON5 else { throw error(Self.explained(failure, in: text), format) }
            do {
                self = try JSON5Parser.parse(text, encoding: encoding, markLength: markLength, progress: progress)
            } catch let later as ParseFailure {
                // Report the error of the JSON parser, unless the JSON5 parser got further, or the JSON parser only
                // complains of what JSON5 allows.
                let explained = Self.explained(failure, in: text)
                var isOfJSON5 = later.offset > failure.offset || later.problem == .unendedComment
                if case .json5 = explained.problem { isOfJSON5 = true }
                guard isOfJSON5, !OpenStepScanner.recognizes(text) else { throw error(explained, format) }
                throw error(later, .json5)
            }
        }
    }

    /// Returns a more specific failure if text that isn't valid JSON is recognized as something else.
    private static func explained(_ failure: ParseFailure, in text: SourceBytes) -> ParseFailure {
        let start = LineIndex.textStart(of: text)
        if OpenStepScanner.recognizes(text) { return ParseFailure(offset: start, problem: .openStep) }
        let json5 = JSON5Construct.recognized(failure, in: text).map { construct, offset in
            ParseFailure(offset: offset, problem: .json5(construct))
        }
        // `[.5]` begins like a table in TOML.
        if let json5, (try? Document(json5: text)) != nil { return json5 }
        if let foreign = ForeignFormat.recognized(in: text, from: start) {
            return ParseFailure(offset: start, problem: .foreign(foreign))
        }
        return json5 ?? failure
    }

    /// Reads JSON5, which includes JSON.
    ///
    /// - Throws: ``DocumentParseError``.
    package init(json5 text: SourceBytes) throws {
        do {
            self = try JSON5Parser.parse(text, encoding: .utf8, markLength: 0, progress: nil)
        } catch let failure as ParseFailure {
            throw DocumentParseError(
                format: .json5, location: LineIndex.location(at: failure.offset, in: text), problem: failure.problem)
        }
    }

    /// Reads JSON text. This is for tests and examples; use ``init(parsing:progress:)`` for the bytes of a file.
    ///
    /// - Throws: ``DocumentParseError``.
    public init(json text: String) throws { try self.init(parsing: SourceBytes(text)) }

    /// The reason why a document that was read as JSON5 isn't valid JSON; nil for any other document.
    package var json5Problem: DocumentParseError? {
        guard format == .json5 else { return nil }
        // If the document was changed in memory, its text is missing or doesn't show the reason.
        let unplaced = DocumentParseError(format: .json, location: nil, problem: .json5(.any))
        guard let source else { return unplaced }
        do { _ = try Document(parsing: source) } catch { return error as? DocumentParseError ?? unplaced }
        return unplaced
    }
}
