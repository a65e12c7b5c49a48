import Foundation

extension VersionedCodable {
    /// Writes the value and its version with an encoder of your own choice.
    ///
    ///     let data = try poem.encodeTransparently { try encoder.encode($0) }
    ///
    /// - Warning: The version written is always that of the type. To write an older version, make a value of the older type.
    /// - Throws: What `encode` throws.
    public func encodeTransparently(using encode: (any Encodable) throws -> Data) rethrows -> Data {
        try encode(VersionedValue(value: self))
    }
}

/// A value together with its version, as they are written into one document.
struct VersionedValue<Value: VersionedCodable>: Encodable {
    var value: Value

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        try Value.VersionSpec(withVersion: type(of: value).version).encode(to: encoder)
    }
}
