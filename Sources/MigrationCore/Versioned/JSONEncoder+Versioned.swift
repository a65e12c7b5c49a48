import Foundation

extension JSONEncoder {
    /// Writes a value with its version as a JSON document.
    ///
    /// - Warning: The version written is always that of the type. To write an older version, make a value of the older type.
    /// - Throws: What `encode(_:)` throws.
    public func encode(versioned value: any VersionedCodable) throws -> Data {
        try value.encodeTransparently { try self.encode($0) }
    }
}
