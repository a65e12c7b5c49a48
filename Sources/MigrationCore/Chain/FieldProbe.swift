/// A decoder with a value for everything, which notes what it is asked for. See ``TypeFields/init(of:userInfo:)``.
struct FieldProbe: Decoder {
    /// What was asked for at the root, and how much may still be made up.
    final class Notes {
        var fields = TypeFields()
        /// A type that asks for itself, twice over at every level, would never come to an end of its own accord.
        fileprivate var remainingValues = 4096
    }

    /// A value was asked for that cannot be made up.
    struct Stopped: Error {}

    private let notes: Notes
    /// Whether this stands inside a field; only the keys at the root are noted.
    private let isInside: Bool
    /// Whether arrays have an element rather than none.
    private let fillsArrays: Bool
    let userInfo: [CodingUserInfoKey: Any]
    let codingPath: [any CodingKey]

    private init(
        notes: Notes, isInside: Bool, fillsArrays: Bool, userInfo: [CodingUserInfoKey: Any],
        codingPath: [any CodingKey]
    ) {
        self.notes = notes
        self.isInside = isInside
        self.fillsArrays = fillsArrays
        self.userInfo = userInfo
        self.codingPath = codingPath
    }

    init(notes: Notes, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.init(notes: notes, isInside: false, fillsArrays: true, userInfo: userInfo, codingPath: [])
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(probe: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

    private func inside(_ key: (any CodingKey)? = nil) -> FieldProbe {
        FieldProbe(
            notes: notes, isInside: true, fillsArrays: fillsArrays && codingPath.count < 4, userInfo: userInfo,
            codingPath: key.map { codingPath + [$0] } ?? codingPath)
    }

    private func withEmptyArrays() -> FieldProbe {
        FieldProbe(notes: notes, isInside: isInside, fillsArrays: false, userInfo: userInfo, codingPath: codingPath)
    }

    private func note(_ key: any CodingKey, required: Bool) {
        if !isInside { notes.fields.note(key.stringValue, required: required) }
    }

    /// A value of that type: one that is not empty if there is such a value, for types are more likely to refuse what is empty, or to
    /// stop the program over it.
    private func madeUp<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count < 32, notes.remainingValues > 0 else { throw Stopped() }
        notes.remainingValues -= 1
        if let value = MadeUpValue.known(type) ?? (try? Value(from: self)) { return value }
        if fillsArrays, let value = try? Value(from: withEmptyArrays()) { return value }
        if let value = MadeUpValue.firstCase(type) { return value }
        throw Stopped()
    }
}

extension FieldProbe {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }

        // An enum whose cases hold values wants one key, the name of the case. At the root no key is there unless it is asked for.
        var allKeys: [Key] { probe.isInside ? [MadeUpValue.zeros(Key.self)].compactMap(\.self) : [] }

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

        // The fields of a superclass that is read from a decoder of its own stand inside that field.
        func superDecoder() -> any Decoder {
            if !probe.isInside { probe.notes.fields.note("super", required: true) }
            return probe.inside()
        }

        func superDecoder(forKey key: Key) -> any Decoder {
            probe.note(key, required: true)
            return probe.inside(key)
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }
        private(set) var currentIndex = 0
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex >= (probe.fillsArrays ? 1 : 0) }

        init(probe: FieldProbe) { self.probe = probe }

        private mutating func element() throws -> FieldProbe {
            guard !isAtEnd else { throw Stopped() }
            defer { currentIndex += 1 }
            return probe.inside(ElementKey(position: currentIndex))
        }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try element().madeUp(type) }
        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> { try element().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try element().unkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try element() }
    }

    private struct ElementKey: CodingKey {
        let position: Int
        var stringValue: String { "Index \(position)" }
        var intValue: Int? { position }

        init(position: Int) { self.position = position }
        init?(intValue: Int) { position = intValue }
        init?(stringValue: String) { return nil }
    }

    private struct Single: SingleValueDecodingContainer {
        let probe: FieldProbe
        var codingPath: [any CodingKey] { probe.codingPath }

        func decodeNil() -> Bool { probe.isInside }
        func decode(_ type: Bool.Type) -> Bool { true }
        func decode(_ type: String.Type) -> String { "1" }
        func decode(_ type: Double.Type) -> Double { 1 }
        func decode(_ type: Float.Type) -> Float { 1 }
        func decode(_ type: Int.Type) -> Int { 1 }
        func decode(_ type: Int8.Type) -> Int8 { 1 }
        func decode(_ type: Int16.Type) -> Int16 { 1 }
        func decode(_ type: Int32.Type) -> Int32 { 1 }
        func decode(_ type: Int64.Type) -> Int64 { 1 }
        func decode(_ type: UInt.Type) -> UInt { 1 }
        func decode(_ type: UInt8.Type) -> UInt8 { 1 }
        func decode(_ type: UInt16.Type) -> UInt16 { 1 }
        func decode(_ type: UInt32.Type) -> UInt32 { 1 }
        func decode(_ type: UInt64.Type) -> UInt64 { 1 }

        // A type that is only a wrapper around another has the fields of that.
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            probe.isInside ? try probe.madeUp(type) : try Value(from: probe)
        }
    }
}
