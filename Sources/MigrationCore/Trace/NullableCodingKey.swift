import DocumentModel

/// A coding key of reports. Every field is always written. A missing value is written as null, where a synthesized
/// `encode(to:)` would leave out the key. Reasons are written as sentences.
///
///     struct Cause: Encodable {
///         var chain: String?
///         private enum CodingKeys: String, NullableCodingKey { case chain }    // {"chain":null}
///     }
protocol NullableCodingKey: CodingKey {}

// A synthesized `encode(to:)` calls `encodeIfPresent` for every optional property and picks these overloads, which are
// more specific than those of the standard library. A type with its own overload there, such as `String`, needs one
// here.
extension KeyedEncodingContainer where Key: NullableCodingKey {
    mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encode(value, forKey: key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
    // Left out if nil.
    mutating func encodeIfPresent(_ value: DocumentRevision?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    // Left out if nil.
    mutating func encodeIfPresent(_ value: ObservedVersion?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    mutating func encode(_ value: [Reason], forKey key: Key) throws {
        try encode(value.map(ReportedReason.init), forKey: key)
    }
}

extension KeyedDecodingContainer where Key: NullableCodingKey {
    func decode(_ type: [Reason].Type, forKey key: Key) throws -> [Reason] {
        try decode([ReportedReason].self, forKey: key).map(\.reason)
    }
}

/// A reason as its sentence, or as itself in a message between processes.
private struct ReportedReason: Codable {
    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    init(from decoder: any Decoder) throws {
        let isMessage = decoder.messageDocuments != nil
        reason = try isMessage ? Reason(from: decoder) : .text(decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        if encoder.messageDocuments != nil { return try reason.encode(to: encoder) }
        try reason.description.encode(to: encoder)
    }
}
