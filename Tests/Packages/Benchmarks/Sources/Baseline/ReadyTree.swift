import Foundation

/// A document that was parsed in advance, so that decoding it shows the cost of `Codable` itself.
///
/// It decodes the values of the benchmark's documents (objects, arrays, strings, integers, null), and throws for all
/// others.
public indirect enum ReadyTree: Sendable {
    case object([String: ReadyTree])
    case array([ReadyTree])
    case string(String)
    case integer(Int)
    case null

    /// Parses a document with Foundation.
    public init(_ data: Data) throws { self.init(try JSONSerialization.jsonObject(with: data)) }

    private init(_ value: Any) {
        self =
            switch value {
            case let object as [String: Any]: .object(object.mapValues(ReadyTree.init))
            case let array as [Any]: .array(array.map(ReadyTree.init))
            case let string as String: .string(string)
            case let number as NSNumber: .integer(number.intValue)
            default: .null
            }
    }

    /// Decodes a value.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: TreeDecoder(tree: self)) }

    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    /// An error for a value of another kind than the requested one.
    struct OtherValue: Error {}
}

private struct TreeDecoder: Decoder, SingleValueDecodingContainer {
    let tree: ReadyTree

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw ReadyTree.OtherValue() }
        return KeyedDecodingContainer(TreeObject<Key>(members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = tree else { throw ReadyTree.OtherValue() }
        return TreeArray(elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { tree.isNull }
    func decode(_ type: String.Type) throws -> String {
        guard case .string(let string) = tree else { throw ReadyTree.OtherValue() }
        return string
    }
    func decode(_ type: Int.Type) throws -> Int {
        guard case .integer(let integer) = tree else { throw ReadyTree.OtherValue() }
        return integer
    }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw ReadyTree.OtherValue() }
}

private struct TreeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: ReadyTree]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    private func value(_ key: Key) throws -> ReadyTree {
        guard let value = members[key.stringValue] else { throw ReadyTree.OtherValue() }
        return value
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        guard case .string(let string) = try value(key) else { throw ReadyTree.OtherValue() }
        return string
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        guard case .integer(let integer) = try value(key) else { throw ReadyTree.OtherValue() }
        return integer
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: TreeDecoder(tree: value(key)))
    }
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try TreeDecoder(tree: value(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try TreeDecoder(tree: value(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { throw ReadyTree.OtherValue() }
    func superDecoder(forKey key: Key) throws -> any Decoder { TreeDecoder(tree: try value(key)) }
}

private struct TreeArray: UnkeyedDecodingContainer {
    let elements: [ReadyTree]
    var currentIndex = 0

    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(elements: [ReadyTree]) { self.elements = elements }

    private mutating func next() throws -> TreeDecoder {
        guard !isAtEnd else { throw ReadyTree.OtherValue() }
        defer { currentIndex += 1 }
        return TreeDecoder(tree: elements[currentIndex])
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: next()) }
    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
