/// Makes values of `Decodable` types from documents, with no text in between.
///
///     let poem = try DocumentDecoder().decode(Poem.self, from: document.root)
///
/// A value of a JSON document is decoded as JSONDecoder decodes it, a value of a property list as PropertyListDecoder
/// does: the same values, and the same errors with the same coding paths and descriptions. What Foundation's error does
/// not say, the ``ReadRecord`` does: see ``DecodingErrorDetail``.
///
/// The type may be one that is known only when the program runs: given an `any Decodable.Type`,
/// ``decode(_:from:recording:)`` returns `any Decodable`.
///
/// ### What is not read
/// A ``ReadRecord`` notes which values of the document were read.
public struct DocumentDecoder: Sendable {
    /// How dates, data, keys and floats are read.
    public var strategies: DecodingStrategies {
        get { settings.value }
        set { settings = SharedSettings(newValue) }
    }

    private var settings: SharedSettings<DecodingStrategies>

    /// Whether the names in a document are the keys' own, without a conversion.
    package var hasDefaultKeys: Bool { settings.value.hasDefaultKeys }

    /// What types find in their decoder's `userInfo` besides that of the strategies; a dictionary with it is made only
    /// for who asks.
    package var companion: (any DecodingCompanion)?

    /// A decoder with those strategies.
    public init(strategies: DecodingStrategies = DecodingStrategies()) {
        settings = SharedSettings(strategies)
    }

    /// The value that `node` and everything inside it stand for.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - node: Any value of a document; coding paths begin there.
    ///   - record: Where to note what was read.
    /// - Throws: `DecodingError`, as Foundation's decoder for the document's format; whatever the type itself throws.
    public func decode<T: Decodable>(
        _ type: T.Type, from node: DocumentNode, recording record: ReadRecord? = nil
    ) throws -> T {
        let session = DecodingSession(node.document, settings, companion: companion, record: record)
        defer { session.end() }
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

/// What goes along with a decoder, to be found in the `userInfo` of all decoders of one decoding.
package protocol DecodingCompanion: AnyObject, Sendable {
    /// Where it is found.
    static var key: CodingUserInfoKey? { get }
}
