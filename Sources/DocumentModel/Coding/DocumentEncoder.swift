/// Encodes values of `Encodable` types directly as documents, without creating text.
///
///     let document = try DocumentEncoder().encode(poem)
///     print(JSONWriter(layout: .pretty).string(document.root))
///
/// A JSON document follows the rules of JSONEncoder, and a property list those of PropertyListEncoder: with the same
/// values and spelling, and the same errors with the same coding paths and descriptions.
///
/// Members keep the order in which the types encode them. A key that is encoded twice keeps its first position and gets
/// the last value. The order of a `Dictionary` changes between runs, so its members are sorted by name.
///
/// Values of a property list that are embedded in a JSON document as a ``Document`` are encoded as ``JSONWriter``
/// writes them: a date as the object `{"$date": "2024-01-31T12:00:00Z"}`, data as `{"$data": BASE64}`, and a non-finite
/// number as `{"$real": "nan"}`.
public struct DocumentEncoder: Sendable {
    /// The strategies for dates, data, keys and floating-point numbers.
    public var strategies: EncodingStrategies {
        get { settings.value }
        set { settings = SharedSettings(newValue) }
    }

    private var settings: SharedSettings<EncodingStrategies>

    /// Creates an encoder with those strategies.
    public init(strategies: EncodingStrategies = EncodingStrategies()) {
        settings = SharedSettings(strategies)
    }

    /// Encodes a value as a document with that format.
    ///
    /// - Throws: `EncodingError`, as Foundation's encoder for the format; any error that the types themselves throw (as
    ///   the `underlyingError` in PropertyListEncoder's errors).
    public func encode<T: Encodable>(_ value: T, as format: DocumentFormat = .json) throws -> Document {
        guard format.isPropertyList else { return try encoded(value, as: format) }
        do {
            return try encoded(value, as: format)
        } catch {
            throw EncodingError.invalid(
                value, "Unable to encode the given top-level value as a property list", because: error)
        }
    }

    private func encoded<T: Encodable>(_ value: T, as format: DocumentFormat) throws -> Document {
        let session = EncodingSession(settings, format: format)
        let encoder = ValueEncoder(session: session, place: CodingPlace(nil))
        guard let node = try encoder.node(of: value, in: nil, step: nil) else {
            throw EncodingError.invalid(value, "Top-level \(T.self) did not encode any values.")
        }
        let document = session.document(of: node, as: format)
        if format.isPropertyList, let kind = document.root.kind.propertyListFragment {
            throw EncodingError.invalid(value, "Top-level \(T.self) encoded as \(kind) property list fragment.")
        }
        return document
    }
}

extension EncodingError {
    /// Creates the error for a value that cannot be encoded.
    static func invalid(
        _ value: Any, _ description: String, at path: [any CodingKey] = [], because error: (any Error)? = nil
    ) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: description, underlyingError: error))
    }
}

extension NodeKind {
    /// PropertyListEncoder's name for such a value, if it refuses the value as the root of a property list; nil if it
    /// doesn't.
    fileprivate var propertyListFragment: String? {
        switch self {
        case .boolean: "boolean"
        case .number: "number"
        case .string, .key, .null: "string"
        case .date: "date"
        case .data, .object, .array: nil
        }
    }
}
