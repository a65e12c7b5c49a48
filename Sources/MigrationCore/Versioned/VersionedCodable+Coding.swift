import Foundation

extension VersionedCodable {
    /// Reads a document of any version of this type with a decoder of your own choice.
    ///
    ///     let poem: Poem = try Poem.decodeTransparently(from: data) { try decoder.decode($0, from: $1) }
    ///
    /// - Parameters:
    ///   - data: The document; handed to `decode` as it is.
    ///   - decode: Decodes a value of the given type, and must return one of that type.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, what a step throws, and what `decode` throws.
    public static func decodeTransparently<ExpectedType: VersionedCodable>(
        from data: Data,
        using decode: ((any Decodable.Type, Data) throws -> any Decodable)
    ) throws -> ExpectedType {
        let value = try decodeTransparently { try decode($0, data) }
        return try value.cast()
    }

    /// Finds out which version `decode` reads from, decodes that, and carries it forward to this type.
    static func decodeTransparently(using decode: (any Decodable.Type) throws -> any Decodable) throws -> Self {
        let detector = VersionDetector(Self.self)
        let finding = detector.find { spec in try spec.readVersion(using: decode) }
        guard let steps = finding.match else { throw finding.error(tried: detector.types) }
        return try decodeOlder(by: steps, using: decode)
    }

    /// Decodes the type that is `steps` versions older, and carries the value forward to this one.
    private static func decodeOlder(
        by steps: Int, using decode: (any Decodable.Type) throws -> any Decodable
    ) throws -> Self {
        guard steps > 0 else { return try decode(Self.self).cast() }
        return try Self(from: PreviousVersion.decodeOlder(by: steps - 1, using: decode))
    }
}

extension VersionPathSpec {
    /// The version that this part of a document holds.
    static func readVersion(using decode: (any Decodable.Type) throws -> any Decodable) throws -> Int? {
        (try decode(Self.self) as? Self)?[keyPath: keyPathToVersion]
    }
}

extension Decodable {
    /// This value as one of the type that was asked for.
    ///
    /// - Throws: `DecodingError.typeMismatch` when it is of another type.
    fileprivate func cast<Expected>() throws -> Expected {
        guard let value = self as? Expected else {
            throw DecodingError.typeMismatch(
                Expected.self,
                .init(
                    codingPath: [],
                    debugDescription:
                        "Expected the decoding function to return \(Expected.self) but it returned \(Self.self)."))
        }
        return value
    }
}

extension VersionedCodable {
    /// Writes the value and its version with an encoder of your own choice.
    ///
    ///     let data = try poem.encodeTransparently { try encoder.encode($0) }
    ///
    /// - Warning: The version written is always that of the type. To write an older version, make a value of the older
    ///   type.
    /// - Throws: What `encode` throws.
    public func encodeTransparently(using encode: (any Encodable) throws -> Data) rethrows -> Data {
        try encode(VersionedValue(value: self))
    }
}

/// A value together with its version, as they are written into one document.
struct VersionedValue<Value: VersionedCodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        try Value.VersionSpec(withVersion: Self.version(of: value)).encode(to: encoder)
    }

    /// The version of a value. It is a function of its own because the compiler copies a property to ask for its type.
    @inline(never)
    private static func version(of value: Value) -> Int? { type(of: value).version }
}
