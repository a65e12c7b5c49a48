/// A coding key whose fields are always written: null where there is no value, where a synthesized `encode(to:)` would
/// leave the key out.
///
///     struct Cause: Encodable {
///         var chain: String?
///         private enum CodingKeys: String, NullableCodingKey { case chain }    // {"chain":null}
///     }
protocol NullableCodingKey: CodingKey {}

// A synthesized `encode(to:)` calls `encodeIfPresent` for every optional property and finds these, which are more
// special than the standard library's. A type that has a method of its own there, as `String` has, needs one here.
extension KeyedEncodingContainer where Key: NullableCodingKey {
    mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encode(value, forKey: key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
}
