extension KeyedDecodingContainer {
    /// Decodes a field that documents written by earlier versions do not have.
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         let container = try decoder.container(keyedBy: CodingKeys.self)
    ///         active = try container.decode(Bool.self, forKey: .active)
    ///         rating = try container.decode(Rating.self, forKey: .rating, default: .meh)
    ///     }
    ///
    /// The default stands for a key that is absent, and for nothing else. A value that is there and wrong is an error, as ever: to
    /// put a default in its place would lose what the user had.
    ///
    /// - Parameters:
    ///   - type: The type of the field.
    ///   - key: The key of the field.
    ///   - default: The value for a document without the key; not asked for otherwise.
    ///   - nullIsDefault: Whether null counts as absent, too. Otherwise it is decoded as any value: an error, unless the type is optional.
    /// - Throws: `DecodingError` for a value that is there and is not one of the type, and what `default` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, forKey key: Key, default: @autoclosure () throws -> Value,
        nullIsDefault: Bool = false
    ) throws -> Value {
        guard contains(key) else { return try `default`() }
        if nullIsDefault, try decodeNil(forKey: key) { return try `default`() }
        return try decode(type, forKey: key)
    }
}
