import DocumentModel

extension DocumentEncoder {
    /// Makes a document of a value and its version.
    ///
    /// - Throws: What `encode(_:as:)` throws.
    public func encode<Value: VersionedCodable>(versioned value: Value, as format: DocumentFormat = .json) throws
        -> Document
    {
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
