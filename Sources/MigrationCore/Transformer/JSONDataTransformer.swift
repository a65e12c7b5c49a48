import Foundation

/// Carries a value to the JSON data in which a store keeps it, and back.
///
///     let metadata = JSONDataTransformer<BookMetadata>()
///     row.meta = try metadata.data(from: book)
///     let book = try metadata.value(from: row.meta)
///
/// Where the value is ``VersionedCodable``, data of any of its versions is read and carried forward, and what is written has the version in it:
/// a model can change as often as it likes without a migration of the store. Any other `Codable` value is read and written as it
/// is; ``Swift/KeyedDecodingContainer/decode(_:forKey:default:nullIsDefault:)`` helps it to read what was written before it had all its fields.
///
/// Nothing is swallowed: data that does not decode is an error, with the place in it, and never a value that was made up or lost.
///
/// With SwiftData and Core Data, see `JSONValueTransformer`, which exists where Foundation has `ValueTransformer`.
public struct JSONDataTransformer<Value: Codable>: Sendable {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// A transformer with coders of your own.
    ///
    /// - Parameters:
    ///   - encoder: Writes the data. Set its strategies before; it is not to be changed any more.
    ///   - decoder: Reads the data. Its strategies must be those of the encoder, and of whoever wrote the data before.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The data to store for a value.
    ///
    /// - Throws: `EncodingError`, and what the value's own `encode(to:)` throws.
    public func data(from value: Value) throws -> Data {
        // Asked of the value and not of the type's constraints, so that generic code cannot forget the version.
        if let versioned = value as? any VersionedCodable { return try encoder.encode(versioned: versioned) }
        return try encoder.encode(value)
    }

    /// The value that stored data stands for.
    ///
    /// - Throws: `DecodingError`; for a ``VersionedCodable`` value also ``VersionedDecodingError`` and what a step throws.
    public func value(from data: Data) throws -> Value {
        if let type = Value.self as? any VersionedCodable.Type { return try value(of: type, from: data) }
        return try decoder.decode(Value.self, from: data)
    }

    private func value(of type: (some VersionedCodable).Type, from data: Data) throws -> Value {
        let value = try decoder.decode(versioned: type, from: data)
        guard let value = value as? Value else {
            let message = "Expected \(Value.self) but decoded \(Swift.type(of: value))."
            throw DecodingError.typeMismatch(Value.self, .init(codingPath: [], debugDescription: message))
        }
        return value
    }

    // MARK: - Cells that may be empty

    /// The data to store for a value that may be missing: nil (NULL) for none.
    ///
    /// - Throws: As ``data(from:)``.
    public func dataIfPresent(from value: Value?) throws -> Data? { try value.map { try data(from: $0) } }

    /// The value that a cell stands for; nil where the cell is NULL or of no length, which is no value but not an error either.
    ///
    /// - Throws: As ``value(from:)``.
    public func valueIfPresent(from data: Data?) throws -> Value? {
        guard let data, !data.isEmpty else { return nil }
        return try value(from: data)
    }
}
