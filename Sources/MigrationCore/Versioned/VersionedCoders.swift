import DocumentModel
import Foundation

extension JSONDecoder {
    /// Reads a JSON document of any version of a type.
    ///
    /// In a release build, the document is parsed only once, and decoded as this decoder would decode it with its
    /// current settings. If anything throws an error, even one that a type catches, this decoder itself decodes the
    /// document again from the start. So the errors that a type sees are always those of this decoder, and a type's
    /// `init(from:)` may run twice for such a document.
    ///
    /// This decoder does all the decoding itself, and `init(from:)` runs once, in these cases: its `userInfo` is not
    /// empty, for example because it contains a context into which `init(from:)` inserts objects; it allows JSON5, or
    /// is a subclass of JSONDecoder; the document is deeply nested; or in a debug build.
    ///
    /// - Parameters:
    ///   - expectedType: The newest version of the type.
    ///   - data: The document, of that version or an earlier one.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, any error that a step throws, and any error that `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from data: Data
    ) throws -> ExpectedType {
        let fast = FastJSONDecoding(data, as: self)
        return try ExpectedType.decodeTransparently(from: data) { type, data in
            try fast?.value(type) ?? FastJSONDecoding.asking { try self.decode(type, from: data) }
        }
    }
}

extension JSONEncoder {
    /// Writes a value with its version as a JSON document.
    ///
    /// - Warning: The version that is written is always that of the type. To write an older version, make a value of
    ///   the older type.
    /// - Throws: Any error that `encode(_:)` throws.
    public func encode(versioned value: any VersionedCodable) throws -> Data {
        try value.encodeTransparently { try self.encode($0) }
    }
}

extension PropertyListDecoder {
    /// Reads a property list of any version of a type.
    ///
    /// - Parameters:
    ///   - expectedType: The newest version of the type.
    ///   - data: The property list, of that version or an earlier one.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, any error that a step throws, and any error that `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from data: Data
    ) throws -> ExpectedType {
        try ExpectedType.decodeTransparently(from: data) { try self.decode($0, from: $1) }
    }
}

extension PropertyListEncoder {
    /// Writes a value with its version as a property list.
    ///
    /// - Warning: The version that is written is always that of the type. To write an older version, make a value of
    ///   the older type.
    /// - Throws: Any error that `encode(_:)` throws.
    public func encode(versioned value: any VersionedCodable) throws -> Data {
        try value.encodeTransparently { try self.encode($0) }
    }
}

extension DocumentEncoder {
    /// Creates a document from a value and its version.
    ///
    /// - Throws: Any error that `encode(_:as:)` throws.
    public func encode<Value: VersionedCodable>(
        versioned value: consuming Value, as format: DocumentFormat = .json
    ) throws -> Document {
        try encode(VersionedValue(value: value), as: format)
    }
}

extension DocumentDecoder {
    /// Reads a document of any version of a type.
    ///
    /// - Throws: ``VersionedDecodingError``, any error that a step throws, and any error that `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from node: DocumentNode
    ) throws -> ExpectedType {
        try ExpectedType.decodeTransparently { try self.decode($0, from: node) }
    }
}
