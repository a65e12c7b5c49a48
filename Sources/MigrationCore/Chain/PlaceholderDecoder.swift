import DocumentModel
import Foundation

/// A decoder with a value for everything, which notes what it is asked for. See ``TypeFields/init(of:userInfo:)`` and
/// ``VersionOutline``.
struct PlaceholderDecoder: Decoder {
    /// What was asked for at the root, and how much may still be made up.
    final class Notes {
        var fields = TypeFields()
        /// What was asked for at every depth; nil where that is not wanted.
        var outline: VersionOutline?
        /// A type that asks for itself, twice over at every level, would never come to an end of its own accord.
        fileprivate var remainingValues = 4096
    }

    /// A value was asked for that cannot be made up.
    struct Stopped: Error {}

    private let notes: Notes
    /// Whether this stands inside a field; only the keys at the root, and those of the elements of a root that is an array or
    /// a dictionary, are noted.
    private var isInside = false
    /// Whether arrays and dictionaries have an element rather than none.
    private var fillsCollections: Bool
    /// The name of the member that dictionaries have.
    private var memberName = PlaceholderValue.memberName
    /// Where this stands in documents.
    private var path = DocumentPath.root
    /// The types of the values that this stands inside; of one that holds itself, what is inside is noted once.
    private var types: Set<ObjectIdentifier> = []
    private var isRepeating = false
    let userInfo: [CodingUserInfoKey: Any]
    private(set) var codingPath: [any CodingKey] = []

    private init(notes: Notes, userInfo: [CodingUserInfoKey: any Sendable], fillsCollections: Bool) {
        self.notes = notes
        self.userInfo = userInfo
        self.fillsCollections = fillsCollections
    }

    /// What a type asks for that decodes itself from a document in which everything is made up.
    static func notes(
        on type: any Decodable.Type, outlined isOutlined: Bool = false, userInfo: [CodingUserInfoKey: any Sendable]
    ) -> Notes {
        func notes(fillsCollections: Bool) -> Notes {
            let notes = Notes()
            notes.outline = isOutlined ? VersionOutline() : nil
            var decoder = PlaceholderDecoder(notes: notes, userInfo: userInfo, fillsCollections: fillsCollections)
            decoder.memberName = PlaceholderValue.memberName(of: type)
            do { _ = try type.init(from: decoder) } catch {
                notes.fields.isComplete = false
                notes.outline?.isComplete = false
            }
            return notes
        }
        let full = notes(fillsCollections: true)
        // A type may refuse the element that was made up for it, and nothing else.
        guard !full.fields.isComplete, !full.fields.nesting.isEmpty, full.fields.fields.isEmpty else { return full }
        let empty = notes(fillsCollections: false)
        return empty.fields.isComplete && !empty.fields.fields.isEmpty ? empty : full
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(probe: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

    private func inside(_ key: any CodingKey) -> PlaceholderDecoder {
        var decoder = inside(key, .key(key.stringValue))
        decoder.isInside = true
        return decoder
    }

    private func inside(_ key: any CodingKey, _ component: DocumentPath.Component) -> PlaceholderDecoder {
        var decoder = self
        decoder.fillsCollections = fillsCollections && codingPath.count < 4
        decoder.memberName = PlaceholderValue.memberName
        decoder.codingPath.append(key)
        decoder.path = path.appending(component)
        return decoder
    }

    /// Inside an element of an array, or a member of a dictionary. Those of the root have the fields that are noted.
    private func insideCollection(_ key: any CodingKey, _ component: DocumentPath.Component) -> PlaceholderDecoder {
        if !isInside, notes.fields.nesting.count == path.components.count { notes.fields.nesting.append(component) }
        return inside(key, component)
    }

    /// Inside a field at the root, which is noted as one that must be there.
    private func required(_ key: any CodingKey) -> PlaceholderDecoder {
        note(key, required: true)
        return inside(key)
    }

    private func note(_ key: any CodingKey, required: Bool) {
        if !isInside, path.components == notes.fields.nesting {
            notes.fields.note(key.stringValue, required: required)
        }
        if !isRepeating, notes.outline != nil {
            notes.outline?.note(path.appending(key: key.stringValue), isRequired: required)
        }
    }

    /// No value for a field that may be missing; notes of what type it is, and what that has inside.
    private func missing<Value: Decodable>(_ type: Value.Type, _ key: any CodingKey) -> Value? {
        note(key, required: false)
        guard notes.outline != nil, !isRepeating else { return nil }
        do { _ = try inside(key).madeUp(type) } catch { notes.outline?.isComplete = false }
        return nil
    }

    /// A value of that type: one that is not empty if there is such a value, for types are more likely to refuse what
    /// is empty, or to stop the program over it.
    private func madeUp<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count < 32, notes.remainingValues > 0 else { throw Stopped() }
        notes.remainingValues -= 1
        if notes.outline != nil, !isRepeating { notes.outline?.note(type, at: path) }
        var inner = self
        inner.isRepeating = isRepeating || !inner.types.insert(ObjectIdentifier(type)).inserted
        inner.memberName = PlaceholderValue.memberName(of: type)
        if let value = PlaceholderValue.known(type) ?? (try? Value(from: inner)) { return value }
        var withEmptyCollections = inner
        withEmptyCollections.fillsCollections = false
        if fillsCollections, let value = try? Value(from: withEmptyCollections) { return value }
        if let value = PlaceholderValue.firstCase(type) { return value }
        throw Stopped()
    }
}

extension PlaceholderDecoder {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }

        // An enum whose cases hold values wants one key, the name of the case; each of the names may be there. At the root
        // no key is there unless it is asked for.
        //
        // A type that takes keys of any name is a dictionary, or reads itself as one: it has one member.
        var allKeys: [Key] {
            if takesAnyName {
                return probe.fillsCollections ? [Key(stringValue: probe.memberName)].compactMap(\.self) : []
            }
            guard probe.isInside else { return [] }
            for key in EnumCases.values(of: Key.self) ?? [] { probe.note(key, required: false) }
            return [PlaceholderValue.zeros(Key.self)].compactMap(\.self)
        }

        private var takesAnyName: Bool { EnumCases(Key.self) == nil && Key(stringValue: probe.memberName) != nil }

        private func isMember(_ key: Key) -> Bool { takesAnyName && key.stringValue == probe.memberName }

        /// Inside the value of a key that has to be there.
        private func value(_ key: Key) -> PlaceholderDecoder {
            isMember(key) ? probe.insideCollection(key, .everyMember) : probe.required(key)
        }

        // Saying no ends a `decodeIfPresent` at once, and lets code that knows two spellings of a field go on to the
        // other.
        func contains(_ key: Key) -> Bool {
            if isMember(key) { return true }
            probe.note(key, required: false)
            return false
        }

        func decodeNil(forKey key: Key) -> Bool {
            if isMember(key) { return false }
            probe.note(key, required: false)
            return true
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try value(key).madeUp(type)
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            isMember(key) ? try decode(type, forKey: key) : probe.missing(type, key)
        }

        // Each has a default that does not say the type.
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { probe.missing(type, key) }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { probe.missing(type, key) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { probe.missing(type, key) }
        func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { probe.missing(type, key) }
        func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { probe.missing(type, key) }
        func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { probe.missing(type, key) }
        func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { probe.missing(type, key) }
        func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { probe.missing(type, key) }

        func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
            -> KeyedDecodingContainer<NestedKey>
        { value(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            value(key).unkeyedContainer()
        }

        // The fields of a superclass that is read from a decoder of its own stand inside that field.
        func superDecoder() -> any Decoder { probe.required(PathCodingKey.super) }

        func superDecoder(forKey key: Key) -> any Decoder { value(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }
        var currentIndex = 0
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex >= (probe.fillsCollections ? 1 : 0) }

        private mutating func element() throws -> PlaceholderDecoder {
            guard !isAtEnd else { throw Stopped() }
            defer { currentIndex += 1 }
            return probe.insideCollection(PathCodingKey(index: currentIndex), .everyElement)
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

    private struct Single: SingleValueDecodingContainer {
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }

        func decodeNil() -> Bool { probe.isInside }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if let value = PlaceholderValue.scalar(type) { return value }
            // A type that is only a wrapper around another has the fields of that.
            if probe.isInside { return try probe.madeUp(type) }
            var probe = probe
            probe.memberName = PlaceholderValue.memberName(of: type)
            return try Value(from: probe)
        }
    }
}

/// Values of types that do not make themselves from a ``PlaceholderDecoder``.
enum PlaceholderValue {
    /// A value of one of Foundation's types that read themselves from texts of a certain form, or from a form of their
    /// own; nil for any other type.
    static func known<Value>(_ type: Value.Type) -> Value? { values.lazy.compactMap { $0 as? Value }.first }

    /// A boolean, a text or a number; nil for any other type.
    static func scalar<Value>(_ type: Value.Type) -> Value? { scalars.lazy.compactMap { $0 as? Value }.first }

    private static let scalars: [any Sendable] = [
        true, "1", 1.0, 1 as Float, 1, 1 as Int8, 1 as Int16, 1 as Int32, 1 as Int64, 1 as UInt, 1 as UInt8,
        1 as UInt16, 1 as UInt32, 1 as UInt64,
    ]

    private static let values: [any Sendable] = [
        URL(fileURLWithPath: "/"), UUID(), Decimal(1), Date(timeIntervalSinceReferenceDate: 1), Data([1]), TimeZone.gmt,
        Locale(identifier: "en"), Calendar(identifier: .gregorian),
    ]

    /// The name of the member that a dictionary of strings, or of whole numbers, has.
    static let memberName = "1"

    /// The name of the member that a dictionary of that type has: one that its keys can be made of.
    static func memberName(of type: any Any.Type) -> String {
        guard let keys = (type as? any DictionaryType.Type)?.keyType else { return memberName }
        return keys == UUID.self ? UUID().uuidString : EnumCases.rawValues(of: keys)?.first ?? memberName
    }

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
    /// Nothing but the type's metadata tells the two apart: a value of an enum without cases must not be made, not even
    /// to look at it. The tests "of a type without values none is made up" and "enums can be made up: with raw values,
    /// listed, with values in their cases, with one case" need it.
    private static func hasCase<Value>(_ type: Value.Type) -> Bool {
        EnumCases(type).map { $0.withPayload + $0.withoutPayload > 0 } ?? false
    }
}

/// A dictionary, its types erased.
private protocol DictionaryType {
    static var keyType: any Any.Type { get }
}

extension Dictionary: DictionaryType {
    static var keyType: any Any.Type { Key.self }
}
