import DocumentModel
import Foundation

/// Converts a value to the JSON data in which a store keeps it, and back.
///
///     let metadata = JSONDataTransformer<BookMetadata>()
///     row.meta = try metadata.data(from: book)
///     let book = try metadata.value(from: row.meta)
///
/// Data of older versions is read and migrated, so a model can change any number of times without a migration of the
/// store:
///
/// - A ``VersionedCodable`` value is read from data of any of its versions, and written with its version.
/// - A ``Versionable`` value is read through its closures, and written with its current version.
/// - For a type that is recognized by shape, pass its shapes to ``init(shapes:encoder:decoder:)``.
///
/// Any other `Codable` value is read and written unchanged. A ``FallbackDecodable`` value handles older shapes itself.
/// Use ``Swift/KeyedDecodingContainer/decode(_:forKey:default:nullIsDefault:)`` to read data that was written before
/// the type had all its fields.
///
/// Errors are never hidden: data that cannot be decoded causes an error with its location, never a made-up or missing
/// value.
///
/// For SwiftData and Core Data, see `JSONValueTransformer`, which is available where Foundation has `ValueTransformer`.
public struct JSONDataTransformer<Value: Codable>: Sendable {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder
    private let coding: any DataCoding<Value>

    private init(_ coding: any DataCoding<Value>, _ encoder: JSONEncoder, _ decoder: JSONDecoder) {
        self.encoder = encoder
        self.decoder = decoder
        self.coding = coding
    }

    /// Creates a transformer with your own coders.
    ///
    /// This also works in generic code for any `Codable` type. Whether the type has versions is then determined at run
    /// time.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies first; don't change it afterward.
    ///   - decoder: Reads the data. Its strategies must match those of the encoder, and those with which the app wrote
    ///     the existing data.
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

    /// Creates a transformer that also reads data of older shapes, and writes the newest.
    ///
    ///     JSONDataTransformer(shapes: ShapeVersions(TagsV1.self).then(Tags.self) { Tags($0) })
    ///
    /// - Parameters:
    ///   - shapes: The shapes, and how to make each from the previous one.
    ///   - encoder: Writes the data. Set its strategies first; don't change it afterward.
    ///   - decoder: Reads the data. Its strategies must match those of the encoder, and those with which the app wrote
    ///     the existing data.
    public init(
        shapes: ShapeVersions<Value>, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(ShapeData(shapes: shapes), encoder, decoder)
    }

    /// Returns the data to store for a value.
    ///
    /// - Throws: `EncodingError`, and any error that the value's own `encode(to:)` throws.
    public func data(from value: Value) throws -> Data { try coding.data(from: value, encoder) }

    /// Returns the value of stored data.
    ///
    /// - Throws: `DecodingError`. For a value with versions, also ``VersionedDecodingError`` and any error of a step.
    public func value(from data: Data) throws -> Value { try coding.value(from: data, decoder) }

    // MARK: - Cells that may be empty

    /// Returns the value of a cell, or nil if the cell is NULL or empty, which is not an error.
    ///
    /// - Throws: The same errors as ``value(from:)``.
    public func valueIfPresent(from data: Data?) throws -> Value? {
        guard let data, !data.isEmpty else { return nil }
        return try value(from: data)
    }
}

extension JSONDataTransformer where Value: VersionedCodable {
    /// Creates a transformer for a value whose data has a version.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies first; don't change it afterward.
    ///   - decoder: Reads the data. Its strategies must match those of the encoder, and those with which the app wrote
    ///     the existing data.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.init(VersionedData(), encoder, decoder)
    }
}

extension JSONDataTransformer where Value: Versionable {
    /// Creates a transformer for a value whose older data is migrated by closures.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies first; don't change it afterward.
    ///   - decoder: Reads the data. Its strategies must match those of the encoder, and those with which the app wrote
    ///     the existing data.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.init(PayloadData(), encoder, decoder)
    }
}

// MARK: - Systems

/// Reads and writes the values of a type. Its conformances are those that the app passed with the type (see
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
    /// Decodes a field that is missing from documents written by earlier versions.
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         let container = try decoder.container(keyedBy: CodingKeys.self)
    ///         active = try container.decode(Bool.self, forKey: .active)
    ///         rating = try container.decode(Rating.self, forKey: .rating, default: .meh)
    ///     }
    ///
    /// The default is used only for a missing key. An existing value that is wrong is still an error, because replacing
    /// it with a default would lose the user's data.
    ///
    /// - Parameters:
    ///   - type: The type of the field.
    ///   - key: The key of the field.
    ///   - default: The value for a document without the key. Evaluated only in that case.
    ///   - nullIsDefault: Whether null also counts as missing. If not, it is decoded like any value, which fails unless
    ///     the type is optional.
    /// - Throws: `DecodingError` if there is a value that isn't of the type, and any error that `default` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, forKey key: Key, default: @autoclosure () throws -> Value,
        nullIsDefault: Bool = false
    ) throws -> Value {
        guard contains(key) else { return try `default`() }
        if nullIsDefault, try decodeNil(forKey: key) { return try `default`() }
        return try decode(type, forKey: key)
    }
}
