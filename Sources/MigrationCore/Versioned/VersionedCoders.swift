import DocumentModel
import Foundation

extension JSONDecoder {
    /// Reads a JSON document of any version of a type.
    ///
    /// In a release build the document is parsed once, and decoded as this decoder would decode it with the settings that
    /// it has. Where anything is thrown, even where a type catches it, the decoder decodes it itself, from the beginning:
    /// so the errors that a type sees are always its own, and a type's `init(from:)` may run twice for such a document.
    ///
    /// The decoder alone decodes where its `userInfo` holds anything, say a context that `init(from:)` inserts objects
    /// into, so there `init(from:)` runs once; with JSON5 and subclasses of JSONDecoder; documents that are nested deeply;
    /// and everything in a debug build.
    ///
    /// - Parameters:
    ///   - expectedType: The newest version of the type.
    ///   - data: The document, of that version or an earlier one.
    /// - Returns: The value in its newest version.
    /// - Throws: ``VersionedDecodingError``, what a step throws, and what `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from data: Data
    ) throws -> ExpectedType {
        let undisturbed = UndisturbedDecoding(data, as: self)
        return try ExpectedType.decodeTransparently(from: data) { type, data in
            try undisturbed?.value(type) ?? UndisturbedDecoding.asking { try self.decode(type, from: data) }
        }
    }
}

extension JSONEncoder {
    /// Writes a value with its version as a JSON document.
    ///
    /// - Warning: The version written is always that of the type. To write an older version, make a value of the older
    ///   type.
    /// - Throws: What `encode(_:)` throws.
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
    /// - Throws: ``VersionedDecodingError``, what a step throws, and what `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from data: Data
    ) throws -> ExpectedType {
        try ExpectedType.decodeTransparently(from: data) { try self.decode($0, from: $1) }
    }
}

extension PropertyListEncoder {
    /// Writes a value with its version as a property list.
    ///
    /// - Warning: The version written is always that of the type. To write an older version, make a value of the older
    ///   type.
    /// - Throws: What `encode(_:)` throws.
    public func encode(versioned value: any VersionedCodable) throws -> Data {
        try value.encodeTransparently { try self.encode($0) }
    }
}

extension DocumentEncoder {
    /// Makes a document of a value and its version.
    ///
    /// - Throws: What `encode(_:as:)` throws.
    public func encode<Value: VersionedCodable>(
        versioned value: consuming Value, as format: DocumentFormat = .json
    ) throws -> Document {
        try encode(VersionedValue(value: value), as: format)
    }
}

extension DocumentDecoder {
    /// Reads a document of any version of a type.
    ///
    /// - Throws: ``VersionedDecodingError``, what a step throws, and what `decode(_:from:)` throws.
    public func decode<ExpectedType: VersionedCodable>(
        versioned expectedType: ExpectedType.Type, from node: DocumentNode
    ) throws -> ExpectedType {
        try ExpectedType.decodeTransparently { try self.decode($0, from: node) }
    }
}
