import DocumentModel
import Foundation

/// Carries a value to the JSON data in which a store keeps it, and back.
///
///     let metadata = JSONDataTransformer<BookMetadata>()
///     row.meta = try metadata.data(from: book)
///     let book = try metadata.value(from: row.meta)
///
/// Data of older versions is read and carried forward, so a model can change as often as it likes without a migration
/// of the store:
///
/// - a ``VersionedCodable`` value is read from data of any of its versions, and written with its version;
/// - a ``Versionable`` value is read through its closures, and written with the version that it holds;
/// - for a type known by shape, hand its shapes over: ``init(shapes:encoder:decoder:)``.
///
/// Any other `Codable` value is read and written as it is (a ``FallbackDecodable`` one falls back by itself);
/// ``Swift/KeyedDecodingContainer/decode(_:forKey:default:nullIsDefault:)`` helps it to read what was written before it
/// had all its fields.
///
/// Nothing is swallowed: data that does not decode is an error, with the place in it, and never a value that was made
/// up or lost.
///
/// With SwiftData and Core Data, see `JSONValueTransformer`, which exists where Foundation has `ValueTransformer`.
public struct JSONDataTransformer<Value: Codable>: Sendable {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder
    private let coding: any DataCoding<Value>

    private init(_ coding: any DataCoding<Value>, _ encoder: JSONEncoder, _ decoder: JSONDecoder) {
        self.encoder = encoder
        self.decoder = decoder
        self.coding = coding
    }

    /// A transformer with coders of your own.
    ///
    /// Generic code that makes one for any `Codable` type is served too: whether the type has versions is then found
    /// out here.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies before; it is not to be changed any more.
    ///   - decoder: Reads the data. Its strategies must be those of the encoder, and of the app that wrote the data
    ///     before.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        func coding<Versioned: VersionedCodable>(_: Versioned.Type) -> Any { VersionedData<Versioned>() }
        func coding<Edited: Versionable>(_: Edited.Type) -> Any { PayloadData<Edited>() }
        let known: Any? =
            if let type = Value.self as? any VersionedCodable.Type {
                coding(type)
            } else if let type = Value.self as? any Versionable.Type {
                coding(type)
            } else {
                nil
            }
        self.init(known as? any DataCoding<Value> ?? PlainData(), encoder, decoder)
    }

    /// A transformer that reads data of older shapes too, and writes the newest.
    ///
    ///     JSONDataTransformer(shapes: ShapeVersions(TagsV1.self).then(Tags.self) { Tags($0) })
    ///
    /// - Parameters:
    ///   - shapes: The shapes, and how each is made from the one before.
    ///   - encoder: Writes the data. Set its strategies before; it is not to be changed any more.
    ///   - decoder: Reads the data. Its strategies must be those of the encoder, and of the app that wrote the data
    ///     before.
    public init(
        shapes: ShapeVersions<Value>, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(ShapeData(shapes: shapes), encoder, decoder)
    }

    /// The data to store for a value.
    ///
    /// - Throws: `EncodingError`, and what the value's own `encode(to:)` throws.
    public func data(from value: Value) throws -> Data { try coding.data(from: value, encoder) }

    /// The value that stored data stands for.
    ///
    /// - Throws: `DecodingError`; for a value with versions also ``VersionedDecodingError`` and what a step throws.
    public func value(from data: Data) throws -> Value { try coding.value(from: data, decoder) }

    // MARK: - Cells that may be empty

    /// The value that a cell stands for; nil where the cell is NULL or of no length, which is no value but not an error
    /// either.
    ///
    /// - Throws: As ``value(from:)``.
    public func valueIfPresent(from data: Data?) throws -> Value? {
        guard let data, !data.isEmpty else { return nil }
        return try value(from: data)
    }
}

extension JSONDataTransformer where Value: VersionedCodable {
    /// A transformer of a value whose data has a version.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies before; it is not to be changed any more.
    ///   - decoder: Reads the data. Its strategies must be those of the encoder, and of the app that wrote the data
    ///     before.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.init(VersionedData(), encoder, decoder)
    }
}

extension JSONDataTransformer where Value: Versionable {
    /// A transformer of a value whose older data closures carry forward.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies before; it is not to be changed any more.
    ///   - decoder: Reads the data. Its strategies must be those of the encoder, and of the app that wrote the data
    ///     before.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.init(PayloadData(), encoder, decoder)
    }
}

// MARK: - Systems

/// How values of a type are read and written; its conformances are those that the app handed over with the type (see
/// ``StageCode``).
private protocol DataCoding<Value>: Sendable {
    associatedtype Value

    func data(from value: Value, _ encoder: JSONEncoder) throws -> Data
    func value(from data: Data, _ decoder: JSONDecoder) throws -> Value
}

extension DataCoding where Value: Encodable {
    func data(from value: Value, _ encoder: JSONEncoder) throws -> Data { try encoder.encode(value) }
}

private struct PlainData<Value: Codable>: DataCoding {
    func value(from data: Data, _ decoder: JSONDecoder) throws -> Value { try decoder.decode(Value.self, from: data) }
}

private struct VersionedData<Value: VersionedCodable>: DataCoding {
    func data(from value: Value, _ encoder: JSONEncoder) throws -> Data { try encoder.encode(versioned: value) }
    func value(from data: Data, _ decoder: JSONDecoder) throws -> Value {
        try decoder.decode(versioned: Value.self, from: data)
    }
}

private struct PayloadData<Value: Versionable>: DataCoding {
    func value(from data: Data, _ decoder: JSONDecoder) throws -> Value {
        try VersionableDecoder().decode(Value.self, from: data, usingDecoder: decoder)
    }
}

private struct ShapeData<Value: Codable>: DataCoding {
    let shapes: ShapeVersions<Value>

    func value(from data: Data, _ decoder: JSONDecoder) throws -> Value {
        let decoder = DocumentDecoder(strategies: DecodingStrategies(matching: decoder))
        let reading = Reading(try Document(payload: data), decoder, DocumentEncoder(), detail: .outcome)
        let attempts = ShapeDetector(shapes: shapes.shapes).attempts(reading, goesOn: false)
        if let value = try? attempts.last?.result.get() {
            return try StageMismatch.cast(shapes.shapes.suffix(attempts.count - 1).reduce(value) { try $1.migrate($0) })
        }
        let nearest = StageAttempt.nearest(of: attempts)
        let reason = Reason.noShapeFits(attempts: attempts.compactMap(\.failure), nearest: nearest)
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: [], debugDescription: "\(reason)", underlyingError: nearest.flatMap { attempts[$0].error }))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a field that documents written by earlier versions do not have.
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         let container = try decoder.container(keyedBy: CodingKeys.self)
    ///         active = try container.decode(Bool.self, forKey: .active)
    ///         rating = try container.decode(Rating.self, forKey: .rating, default: .meh)
    ///     }
    ///
    /// The default stands for a key that is absent, and for nothing else. A value that is there and wrong is an error,
    /// as ever: to put a default in its place would lose what the user had.
    ///
    /// - Parameters:
    ///   - type: The type of the field.
    ///   - key: The key of the field.
    ///   - default: The value for a document without the key; not asked for otherwise.
    ///   - nullIsDefault: Whether null counts as absent, too. Otherwise it is decoded as any value: an error, unless
    ///     the type is optional.
    /// - Throws: `DecodingError` for a value that is there and is not one of the type, and what `default` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, forKey key: Key, default: @autoclosure () throws -> Value,
        nullIsDefault: Bool = false
    ) throws -> Value {
        guard contains(key) else { return try `default`() }
        if nullIsDefault, try decodeNil(forKey: key) { return try `default`() }
        return try decode(type, forKey: key)
    }
}
