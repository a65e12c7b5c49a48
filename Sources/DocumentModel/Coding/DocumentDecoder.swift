/// Decodes values of `Decodable` types directly from documents, without creating text.
///
///     let poem = try DocumentDecoder().decode(Poem.self, from: document.root)
///
/// Values of JSON documents are decoded like JSONDecoder does, and values of property lists like PropertyListDecoder:
/// with the same results, and the same errors with the same coding paths and descriptions. The ``ReadRecord`` has
/// information that Foundation's errors don't contain; see ``DecodingErrorDetail``.
///
/// The type may be known only at run time: for an `any Decodable.Type`, ``decode(_:from:recording:)`` returns `any
/// Decodable`.
///
/// ### Values that are not read
/// A ``ReadRecord`` records which values of the document were read.
public struct DocumentDecoder: Sendable {
    /// The strategies for dates, data, keys and floating-point numbers.
    public var strategies: DecodingStrategies {
        get { settings.value }
        set { settings = SharedSettings(newValue) }
    }

    private var settings: SharedSettings<DecodingStrategies>

    /// Whether the names in a document are those of the keys, without a conversion.
    package var hasDefaultKeys: Bool { settings.value.hasDefaultKeys }

    /// An object in the `userInfo` of decoders, in addition to that of the strategies. The dictionary that contains it
    /// is created only on request.
    package var companion: (any DecodingCompanion)?

    /// Creates a decoder with those strategies.
    public init(strategies: DecodingStrategies = DecodingStrategies()) {
        settings = SharedSettings(strategies)
    }

    /// Decodes the value of `node`, with everything inside it.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - node: Any value of a document; coding paths are relative to it.
    ///   - record: The record of the values that are read.
    /// - Throws: `DecodingError`, as Foundation's decoder for the document's format; any error that the type itself
    ///   throws.
    public func decode<T: Decodable>(
        _ type: T.Type, from node: DocumentNode, recording record: ReadRecord? = nil
    ) throws -> T {
        let session = DecodingSession(node.document, settings, companion: companion, record: record)
        record?.insert(node)
        let decoder = NodeDecoder(session: session, index: node.index, place: CodingPlace(nil))
        do {
            return try decoder.value(type, at: node.index, CodingPlace(nil))
        } catch let detail as DecodingErrorDetail {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: detail))
        }
    }
}

/// An object that accompanies a decoding, available in the `userInfo` of all of its decoders.
package protocol DecodingCompanion: AnyObject, Sendable {
    /// The key in `userInfo`.
    static var key: CodingUserInfoKey? { get }
}
