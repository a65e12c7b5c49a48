import Foundation

/// Told how far reading has come; says whether to go on.
public typealias ParseProgress = (_ bytesRead: Int) -> Bool

extension Document {
    /// The largest source that can be read: a node of the tape counts bytes in 32 bits.
    public static let largestSourceLength = Int(UInt32.max)

    /// How deeply values may be nested: as deeply as Foundation's JSONDecoder and JSONSerialization allow, so that what opens here also
    /// opens in the app.
    public static let deepestNesting = 512

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
