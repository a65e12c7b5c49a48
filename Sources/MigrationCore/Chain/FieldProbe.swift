import Foundation

/// A decoder with a value for everything, which notes what it is asked for. See ``TypeFields/init(of:userInfo:)``.
struct FieldProbe: Decoder {
    /// What was asked for at the root.
    final class Notes {
        var fields = TypeFields()
    }

    /// A value was asked for that cannot be made up.
    struct Stopped: Error {}

    /// Where to note keys; nil inside a field, whose own fields do not matter.
    let notes: Notes?
    let userInfo: [CodingUserInfoKey: Any]
    let codingPath: [any CodingKey]

    init(notes: Notes, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.notes = notes
        self.userInfo = userInfo
        codingPath = []
    }

    private init(inside probe: FieldProbe, key: any CodingKey) {
        notes = nil
        userInfo = probe.userInfo
        codingPath = probe.codingPath + [key]
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(probe: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

    fileprivate func inside(_ key: any CodingKey) -> FieldProbe { FieldProbe(inside: self, key: key) }

    fileprivate func note(_ key: any CodingKey, required: Bool) {
        notes?.fields.note(key.stringValue, required: required)
    }

    /// A value of that type: empty, zero, or the first case.
    fileprivate func madeUp<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Types of recursive shape without an end cannot be made up.
        guard codingPath.count < 64 else { throw Stopped() }
        let known: [any Sendable] = [
            URL(fileURLWithPath: "/"), UUID(), Decimal(), TimeZone.gmt, Locale(identifier: "en"),
        ]
        for case let value as Value in known { return value }
        if let value = try? Value(from: self) { return value }
        if let type = type as? any CaseIterable.Type, let value = Self.firstCase(type) as? Value { return value }
        if let value = Self.firstRawCase(type) { return value }
        throw Stopped()
    }

    private static func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Cases? { type.allCases.first }

    /// The first case of an enum with raw values, which offers no way to be listed.
    ///
    /// A `RawRepresentable` type that is plain bits and not empty is an enum without payloads, whose first case is all zeros, or a wrapper of
    /// plain bits, for which zeros are zero. Nothing is read beyond `MemoryLayout<Value>.size` bytes of a buffer of that size.
    private static func firstRawCase<Value>(_ type: Value.Type) -> Value? {
        guard type is any RawRepresentable.Type, _isPOD(type), MemoryLayout<Value>.size > 0 else { return nil }
        return withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment
        ) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer.load(as: Value.self)
        }
    }
}

extension FieldProbe {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }
        var allKeys: [Key] { [] }

        // Saying no ends a `decodeIfPresent` at once, and lets code that knows two spellings of a field go on to the other.
        func contains(_ key: Key) -> Bool {
            probe.note(key, required: false)
            return false
        }

        func decodeNil(forKey key: Key) -> Bool {
            probe.note(key, required: false)
            return true
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            probe.note(key, required: true)
            return try probe.inside(key).madeUp(type)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedDecodingContainer<NestedKey> {
            probe.note(key, required: true)
            return probe.inside(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            probe.note(key, required: true)
            return probe.inside(key).unkeyedContainer()
        }

        func superDecoder() -> any Decoder {
            probe.notes?.fields.note("super", required: true)
            return probe
        }

        func superDecoder(forKey key: Key) -> any Decoder {
            probe.note(key, required: true)
            return probe.inside(key)
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }
        var count: Int? { 0 }
        var isAtEnd: Bool { true }
        var currentIndex: Int { 0 }

        mutating func decodeNil() throws -> Bool { throw Stopped() }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw Stopped() }
        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> { throw Stopped() }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stopped() }
        mutating func superDecoder() throws -> any Decoder { throw Stopped() }
    }

    private struct Single: SingleValueDecodingContainer {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }

        func decodeNil() -> Bool { probe.notes == nil }
        func decode(_ type: Bool.Type) -> Bool { false }
        func decode(_ type: String.Type) -> String { "" }
        func decode(_ type: Double.Type) -> Double { 0 }
        func decode(_ type: Float.Type) -> Float { 0 }
        func decode(_ type: Int.Type) -> Int { 0 }
        func decode(_ type: Int8.Type) -> Int8 { 0 }
        func decode(_ type: Int16.Type) -> Int16 { 0 }
        func decode(_ type: Int32.Type) -> Int32 { 0 }
        func decode(_ type: Int64.Type) -> Int64 { 0 }
        func decode(_ type: UInt.Type) -> UInt { 0 }
        func decode(_ type: UInt8.Type) -> UInt8 { 0 }
        func decode(_ type: UInt16.Type) -> UInt16 { 0 }
        func decode(_ type: UInt32.Type) -> UInt32 { 0 }
        func decode(_ type: UInt64.Type) -> UInt64 { 0 }

        // A type that is only a wrapper around another has the fields of that.
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard probe.notes == nil else { return try Value(from: probe) }
            return try probe.madeUp(type)
        }
    }
}
