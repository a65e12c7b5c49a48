import Foundation

extension PropertyListDecoder {
    /// Reads a property list of any version of a type.
    ///
    /// - Parameters:
    ///   - expectedType: The newest version of the type.
    ///   - data: The property list, of that version or an earlier one.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, what a step throws, and what `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from data: Data
    ) throws -> ExpectedType {
        try ExpectedType.decodeTransparently(from: data) { try self.decode($0, from: $1) }
    }
}
