import Foundation

extension VersionedCodable {
    /// Reads a document of any version of this type with a decoder of your choice.
    ///
    ///     let poem: Poem = try Poem.decodeTransparently(from: data) { try decoder.decode($0, from: $1) }
    ///
    /// - Parameters:
    ///   - data: The document, which is passed to `decode` unchanged.
    ///   - decode: Decodes a value of the given type. It must return a value of that type.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, any error that a step throws, and any error that `decode` throws.
    public static func decodeTransparently<ExpectedType: VersionedCodable>(
        from data: Data,
        using decode: ((any Decodable.Type, Data) throws -> any Decodable)
    ) throws -> ExpectedType {
        let value = try decodeTransparently { try decode($0, data) }
        return try value.cast()
    }

    /// Determines the version that `decode` reads from, decodes a value of it, and migrates the value to this type.
    static func decodeTransparently(using decode: (any Decodable.Type) throws -> any Decodable) throws -> Self {
        let detector = VersionDetector(Self.self)
        let finding = detector.find { spec in try spec.readVersion(using: decode) }
        guard let steps = finding.match else { throw finding.error(tried: detector.types) }
        return try decodeOlder(by: steps, using: decode)
    }

    /// Decodes a value of the type that is `steps` versions older, and migrates it to this type.
    private static func decodeOlder(
        by steps: Int, using decode: (any Decodable.Type) throws -> any Decodable
    ) throws -> Self {
        guard steps > 0 else { return try decode(Self.self).cast() }
        return try Self(from: PreviousVersion.decodeOlder(by: steps - 1, using: decode))
    }
}

extension VersionPathSpec {
    /// Returns the version in this part of a document.
    static func readVersion(using decode: (any Decodable.Type) throws -> any Decodable) throws -> Int? {
        (try decode(Self.self) as? Self)?[keyPath: keyPathToVersion]
    }
}

extension Decodable {
    /// Returns this value as the expected type.
    ///
    /// - Throws: `DecodingError.typeMismatch` if it has another type.
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
    /// Writes the value and its version with an encoder of your choice.
    ///
    ///     let data = try poem.encodeTransparently { try encoder.encode($0) }
    ///
    /// - Warning: The version that is written is always that of the type. To write an older version, make a value of
    ///   the older type.
    /// - Throws: Any error that `encode` throws.
    public func encodeTransparently(using encode: (any Encodable) throws -> Data) rethrows -> Data {
        try encode(VersionedValue(value: self))
    }
}

/// A value together with its version, to be written into one document.
struct VersionedValue<Value: VersionedCodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        try Value.VersionSpec(withVersion: Self.version(of: value)).encode(to: encoder)
    }

    /// Returns the version of a value. This is a separate function because the compiler copies a property to get its
    /// type.
    @inline(never)
    private static func version(of value: Value) -> Int? { type(of: value).version }
}
