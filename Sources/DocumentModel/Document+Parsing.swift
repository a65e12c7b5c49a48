extension Document {
    /// Reads JSON or a property list, whichever the first bytes announce.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - allowsJSON5: Whether a text that is no JSON is read as JSON5, as by a JSONDecoder that allows it.
    ///   - progress: Called now and then with the number of bytes read; when it returns false, reading stops.
    /// - Throws: ``DocumentParseError``; `CancellationError` when `progress` returned false.
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
                // What is wrong with JSON is so with JSON5, unless that was read further.
                let isFurther = later.offset > failure.offset || later.problem == .unendedComment
                guard isFurther, !OpenStepScanner.recognizes(text) else {
                    throw error(Self.explained(failure, in: text), format)
                }
                throw error(later, .json5)
            }
        }
    }

    /// What a text is that is no JSON, where that is known.
    private static func explained(_ failure: ParseFailure, in text: SourceBytes) -> ParseFailure {
        let start = LineIndex.textStart(of: text)
        if OpenStepScanner.recognizes(text) { return ParseFailure(offset: start, problem: .openStep) }
        let json5 = JSON5Construct.recognized(failure, in: text).map { construct, offset in
            ParseFailure(offset: offset, problem: .json5(construct))
        }
        // `[.5]` begins as a table of TOML does.
        if let json5, (try? Document(json5: text)) != nil { return json5 }
        if let foreign = ForeignFormat.recognized(in: text, from: start) {
            return ParseFailure(offset: start, problem: .foreign(foreign))
        }
        return json5 ?? failure
    }

    /// Reads JSON5, as which JSON is read too.
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

    /// Reads JSON text. For tests and examples; a file's bytes go to ``init(parsing:progress:)``.
    ///
    /// - Throws: ``DocumentParseError``.
    public init(json text: String) throws { try self.init(parsing: SourceBytes(text)) }

    /// What keeps a document that was read as JSON5 from being JSON; nil for any other.
    package var json5Problem: DocumentParseError? {
        guard format == .json5 else { return nil }
        // What was changed in memory has no text in which it is seen, or one without it.
        let unplaced = DocumentParseError(format: .json, location: nil, problem: .json5(.any))
        guard let source else { return unplaced }
        do { _ = try Document(parsing: source) } catch { return error as? DocumentParseError ?? unplaced }
        return unplaced
    }
}
