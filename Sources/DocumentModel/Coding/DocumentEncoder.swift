/// Makes documents from values of `Encodable` types, with no text in between.
///
///     let document = try DocumentEncoder().encode(poem)
///     print(JSONWriter(layout: .pretty).string(document.root))
///
/// A JSON document is made by JSONEncoder's rules, a property list by PropertyListEncoder's: the same values, spelled
/// the same way, and the same errors with the same coding paths and descriptions.
///
/// Members keep the order in which the types encode them. A key that is encoded twice keeps its first place and takes
/// the last value. A `Dictionary` has no order of its own that would be the same the next time, so its members are
/// sorted by name.
///
/// A type's `encode(to:)` may run twice: where it throws, where it asks for its coding path, and where it goes on with a
/// container after it went on with the one around that. In the first run the keys of its coding path have the names that
/// are written, but are not the type's own.
///
/// What of a property list is put into a JSON document by way of ``Document`` becomes what ``JSONWriter`` writes for
/// it: a date becomes the object `{"$date": "2024-01-31T12:00:00Z"}`, data `{"$data": BASE64}`, a number that is not
/// finite `{"$real": "nan"}`.
public struct DocumentEncoder: Sendable {
    /// How dates, data, keys and floats are written.
    public var strategies: EncodingStrategies {
        get { settings.value }
        set { settings = SharedSettings(newValue) }
    }

    private var settings: SharedSettings<EncodingStrategies>

    /// An encoder with those strategies.
    public init(strategies: EncodingStrategies = EncodingStrategies()) {
        settings = SharedSettings(strategies)
    }

    /// The document of that format which stands for `value`.
    ///
    /// - Throws: `EncodingError`, as Foundation's encoder for the format; whatever the types themselves throw (in
    ///   PropertyListEncoder's errors it is the `underlyingError`).
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
        let document =
            try TapeEncodingSession.document(of: value, as: format, session)
            ?? self.document(of: value, as: format, session)
        if format.isPropertyList, let kind = document.root.kind.propertyListFragment {
            throw EncodingError.invalid(value, "Top-level \(T.self) encoded as \(kind) property list fragment.")
        }
        return document
    }
}

extension DocumentEncoder {
    /// The document for a value, made of containers that are kept until the end.
    func document<T: Encodable>(of value: T, as format: DocumentFormat, _ session: EncodingSession) throws -> Document {
        guard let encoded = try ValueEncoder(session: session, path: nil).encodedValue(value, step: nil) else {
            throw EncodingError.invalid(value, "Top-level \(T.self) did not encode any values.")
        }
        var builder = DocumentBuilder()
        encoded.append(to: &builder, session: session)
        return builder.finish(format: format)
    }
}

extension EncodingError {
    /// The error for a value that cannot be encoded.
    static func invalid(
        _ value: Any, _ description: String, at path: [any CodingKey] = [], because error: (any Error)? = nil
    ) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: description, underlyingError: error))
    }
}

extension NodeKind {
    /// What PropertyListEncoder calls such a value where it refuses it as a whole property list; nil where it does not.
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
