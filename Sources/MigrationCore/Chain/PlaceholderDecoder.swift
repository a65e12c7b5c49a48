import Foundation

/// A decoder with a value for everything, which notes what it is asked for. See ``TypeFields/init(of:userInfo:)``.
struct PlaceholderDecoder: Decoder {
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

    private func inside(_ key: (any CodingKey)? = nil) -> PlaceholderDecoder {
        PlaceholderDecoder(
            notes: notes, isInside: true, fillsArrays: fillsArrays && codingPath.count < 4, userInfo: userInfo,
            codingPath: key.map { codingPath + [$0] } ?? codingPath)
    }

    private func withEmptyArrays() -> PlaceholderDecoder {
        PlaceholderDecoder(
            notes: notes, isInside: isInside, fillsArrays: false, userInfo: userInfo, codingPath: codingPath)
    }

    private func note(_ key: any CodingKey, required: Bool) {
        if !isInside { notes.fields.note(key.stringValue, required: required) }
    }

    /// A value of that type: one that is not empty if there is such a value, for types are more likely to refuse what
    /// is empty, or to stop the program over it.
    private func madeUp<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count < 32, notes.remainingValues > 0 else { throw Stopped() }
        notes.remainingValues -= 1
        if let value = PlaceholderValue.known(type) ?? (try? Value(from: self)) { return value }
        if fillsArrays, let value = try? Value(from: withEmptyArrays()) { return value }
        if let value = PlaceholderValue.firstCase(type) { return value }
        throw Stopped()
    }
}

extension PlaceholderDecoder {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }

        // An enum whose cases hold values wants one key, the name of the case. At the root no key is there unless it is
        // asked for.
        var allKeys: [Key] { probe.isInside ? [PlaceholderValue.zeros(Key.self)].compactMap(\.self) : [] }

        // Saying no ends a `decodeIfPresent` at once, and lets code that knows two spellings of a field go on to the
        // other.
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
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }
        private(set) var currentIndex = 0
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex >= (probe.fillsArrays ? 1 : 0) }

        init(probe: PlaceholderDecoder) { self.probe = probe }

        private mutating func element() throws -> PlaceholderDecoder {
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
        let probe: PlaceholderDecoder
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

/// Values of types that do not make themselves from a ``PlaceholderDecoder``.
enum PlaceholderValue {
    /// A value of one of Foundation's types that read themselves from texts of a certain form, or from a form of their
    /// own; nil for any other type.
    static func known<Value>(_ type: Value.Type) -> Value? {
        for case let value as Value in values { return value }
        return nil
    }

    private static let values: [any Sendable] = [
        URL(fileURLWithPath: "/"), UUID(), Decimal(1), Date(timeIntervalSinceReferenceDate: 1), Data([1]), TimeZone.gmt,
        Locale(identifier: "en"), Calendar(identifier: .gregorian),
    ]

    /// The first case of an enum; nil for any other type.
    ///
    /// Whether the enum lists its cases is not asked: its conformance may belong to the main actor, and the answer
    /// depends on the thread.
    static func firstCase<Value>(_ type: Value.Type) -> Value? {
        zeros(type).flatMap { Mirror(reflecting: $0).displayStyle == .enum ? $0 : nil }
    }

    /// The value whose bits are all zero, of a type that is plain bits.
    ///
    /// The first case of an enum is all zeros, and for numbers and structs of them zeros are zero. The load stays
    /// within the buffer, which has the size and the alignment of the type.
    static func zeros<Value>(_ type: Value.Type) -> Value? {
        guard _isPOD(type), MemoryLayout<Value>.size > 0 || hasCase(type) else { return nil }
        return withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Value>.stride, 1), alignment: MemoryLayout<Value>.alignment
        ) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer.load(as: Value.self)
        }
    }

    /// Whether a type that takes no room is an enum of one case; one of no case, such as the coding keys of a type
    /// without properties, takes none either, and has no values.
    ///
    /// Read from the type's metadata, whose layout is part of Swift's ABI (docs/ABI/TypeMetadata.rst in Swift's
    /// sources): the kind, then the nominal type descriptor, in which five fields of four bytes stand before the number
    /// of cases with payloads (in the low three bytes) and the number of those without.
    private static func hasCase<Value>(_ type: Value.Type) -> Bool {
        let enumKind: UInt = 0x201
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self)
        guard metadata[0] == enumKind, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return false }
        let withPayload = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let withoutPayload = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        return withPayload + withoutPayload > 0
    }
}
