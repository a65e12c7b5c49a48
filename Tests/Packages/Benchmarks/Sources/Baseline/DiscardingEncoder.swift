/// An encoder that discards everything it is given, to show the cost of `Codable` itself.
///
/// It accepts the values of the benchmark's documents (objects, arrays, strings, integers, null), and throws for all
/// others.
public struct DiscardingEncoder: Encoder {
    public init() {}

    public var codingPath: [any CodingKey] { [] }
    public var userInfo: [CodingUserInfoKey: Any] { [:] }

    public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(DiscardedObject<Key>())
    }

    public func unkeyedContainer() -> any UnkeyedEncodingContainer { DiscardedArray() }

    public func singleValueContainer() -> any SingleValueEncodingContainer { DiscardedArray() }

    /// An error for a kind of value that no document of the benchmark contains.
    struct OtherValue: Error {}
}

private struct DiscardedObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {}
    func encode(_ value: String, forKey key: Key) throws {}
    func encode(_ value: Int, forKey key: Key) throws {}
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: DiscardingEncoder()) }
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { DiscardingEncoder().container(keyedBy: keyType) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { DiscardedArray() }
    func superEncoder() -> any Encoder { DiscardingEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { DiscardingEncoder() }
}

private struct DiscardedArray: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    private(set) var count = 0

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { count += 1 }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        count += 1
        try value.encode(to: DiscardingEncoder())
    }
    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { DiscardingEncoder().container(keyedBy: keyType) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { DiscardedArray() }
    mutating func superEncoder() -> any Encoder { DiscardingEncoder() }

    // A single value is encoded by one of these methods. All other values come here.
    func encode(_ value: Bool) throws {}
    func encode(_ value: String) throws {}
    func encode(_ value: Int) throws {}
    func encode(_ value: Double) throws { throw DiscardingEncoder.OtherValue() }
}
