import DocumentModel
import Foundation

/// A decoder that has a value for everything, and records what a type asks for. See ``TypeFields/init(of:userInfo:)``
/// and ``VersionOutline``.
struct PlaceholderDecoder: Decoder {
    /// The requests at the root, and the number of values that may still be made up.
    final class Notes {
        var fields = TypeFields()
        /// The requests at every depth, or nil if they are not needed.
        var outline: VersionOutline?
        /// A limit, because a type that asks for itself twice at every level would never finish. An outline goes to the
        /// bottom of nested types, which takes more values.
        fileprivate var remainingValues: Int

        fileprivate init(isOutlined: Bool) {
            outline = isOutlined ? VersionOutline() : nil
            remainingValues = isOutlined ? 65_536 : 4096
        }
    }

    /// An error thrown if a requested value cannot be made up.
    struct Stopped: Error {}

    private let notes: Notes
    /// Whether the decoder is inside a field. Only the keys at the root are recorded, or those of the elements of a
    /// root that is an array or a dictionary.
    private var isInside = false
    /// Whether arrays and dictionaries have one element instead of none.
    private var fillsCollections: Bool
    /// The key of the only member of dictionaries.
    private var memberName = PlaceholderValue.memberName
    /// The number of elements of arrays: two for a dictionary that is encoded as an array of keys and values.
    private var elementCount = 1
    /// The current path in documents.
    private var path = DocumentPath.root
    /// The types of the values that contain the current one. The contents of a type that contains itself are recorded
    /// once.
    private var types: Set<ObjectIdentifier> = []
    private var isRepeating = false
    /// The length of the coding path of the innermost type among ``types``.
    private var typeDepth = 0
    let userInfo: [CodingUserInfoKey: Any]
    private(set) var codingPath: [any CodingKey] = []

    private init(notes: Notes, userInfo: [CodingUserInfoKey: any Sendable], fillsCollections: Bool) {
        self.notes = notes
        self.userInfo = userInfo
        self.fillsCollections = fillsCollections
    }

    /// Returns what a type asks for when it decodes itself from a document in which everything is made up.
    static func notes(
        on type: any Decodable.Type, outlined isOutlined: Bool = false, userInfo: [CodingUserInfoKey: any Sendable]
    ) -> Notes {
        func notes(fillsCollections: Bool) -> Notes {
            let notes = Notes(isOutlined: isOutlined)
            var decoder = PlaceholderDecoder(notes: notes, userInfo: userInfo, fillsCollections: fillsCollections)
            decoder.prepare(for: type)
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

    private mutating func prepare(for type: any Any.Type) {
        let dictionary = type as? any DictionaryType.Type
        memberName = PlaceholderValue.memberName(of: type)
        elementCount = dictionary?.isEncodedAsArray == true ? 2 : 1
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
        // A type that contains itself in an array would never finish, whether it asks for itself or opens containers
        // without an end.
        let depth = notes.outline != nil && !isRepeating ? codingPath.count - typeDepth : codingPath.count
        decoder.fillsCollections = fillsCollections && depth < 4
        (decoder.memberName, decoder.elementCount) = (PlaceholderValue.memberName, 1)
        decoder.codingPath.append(key)
        decoder.path = path.appending(component)
        return decoder
    }

    /// Returns a decoder inside an element of an array, or a member of a dictionary. At the root, their fields are
    /// recorded.
    private func insideCollection(_ key: any CodingKey, _ component: DocumentPath.Component) -> PlaceholderDecoder {
        if !isInside, notes.fields.nesting.count == path.components.count { notes.fields.nesting.append(component) }
        return inside(key, component)
    }

    /// Returns a decoder inside a field, which is recorded as required.
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

    private func noteListing() {
        if !isRepeating, notes.outline?.listed.contains(path) == false { notes.outline?.listed.append(path) }
    }

    /// Returns no value for an optional field, but records its type and the contents of the type.
    private func missing<Value: Decodable>(_ type: Value.Type, _ key: any CodingKey) -> Value? {
        note(key, required: false)
        guard notes.outline != nil, !isRepeating else { return nil }
        do { _ = try inside(key).madeUp(type) } catch { notes.outline?.isComplete = false }
        return nil
    }

    /// Returns a value of a type that is stored as bytes under a key, and records the contents of the type.
    func contained<Value: Decodable>(_ type: Value.Type, forKey key: any CodingKey) throws -> Value {
        try required(key).madeUp(type)
    }

    /// Returns a value of the given type. It is not empty if the type allows that, because types are more likely to
    /// refuse an empty value, or to crash on it.
    private func madeUp<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count < 32, notes.remainingValues > 0 else { throw Stopped() }
        notes.remainingValues -= 1
        if notes.outline != nil, !isRepeating { notes.outline?.note(type, at: path) }
        var inner = self
        inner.isRepeating = isRepeating || !inner.types.insert(ObjectIdentifier(type)).inserted
        if !inner.isRepeating { inner.typeDepth = codingPath.count }
        inner.prepare(for: type)
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

        // An enum with associated values asks for one key, the name of the case, so each of the names may be present.
        // At the root, no key is present unless it is asked for.
        //
        // A type that accepts any key is a dictionary, or reads itself as one. It has one member.
        var allKeys: [Key] {
            probe.noteListing()
            if takesAnyName {
                return probe.fillsCollections ? [Key(stringValue: probe.memberName)].compactMap(\.self) : []
            }
            guard probe.isInside else { return [] }
            for key in EnumCases.values(of: Key.self) ?? [] { probe.note(key, required: false) }
            return [PlaceholderValue.zeros(Key.self)].compactMap(\.self)
        }

        private var takesAnyName: Bool { EnumCases(Key.self) == nil && Key(stringValue: probe.memberName) != nil }

        private func isMember(_ key: Key) -> Bool { takesAnyName && key.stringValue == probe.memberName }

        /// Returns a decoder inside the value of a required key.
        private func value(_ key: Key) -> PlaceholderDecoder {
            isMember(key) ? probe.insideCollection(key, .everyMember) : probe.required(key)
        }

        // Returning false ends a `decodeIfPresent` at once, and makes code that knows two spellings of a field try the
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

        // Each of these has a default implementation that doesn't reveal the type.
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

        // The fields of a superclass with a separate decoder are inside this field.
        func superDecoder() -> any Decoder { probe.required(PathCodingKey.super) }

        func superDecoder(forKey key: Key) -> any Decoder { value(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let probe: PlaceholderDecoder
        var codingPath: [any CodingKey] { probe.codingPath }
        var currentIndex = 0
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex >= (probe.fillsCollections ? probe.elementCount : 0) }

        private mutating func element() throws -> PlaceholderDecoder {
            guard !isAtEnd else { throw Stopped() }
            defer { currentIndex += 1 }
            var element = probe.insideCollection(PathCodingKey(index: currentIndex), .everyElement)
            // Of keys and values that alternate, only the values are recorded.
            if probe.elementCount == 2, currentIndex == 0 { element.isRepeating = true }
            return element
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
            // A type that only wraps another one has the fields of that.
            if probe.isInside { return try probe.madeUp(type) }
            var probe = probe
            probe.prepare(for: type)
            return try Value(from: probe)
        }
    }
}

/// Values of types that cannot create themselves from a ``PlaceholderDecoder``.
enum PlaceholderValue {
    /// Returns a value of a Foundation type that decodes itself from text in a certain format, or from its own
    /// representation. Returns nil for any other type.
    static func known<Value>(_ type: Value.Type) -> Value? { values.lazy.compactMap { $0 as? Value }.first }

    /// Returns a Boolean, string, or number. Returns nil for any other type.
    static func scalar<Value>(_ type: Value.Type) -> Value? { scalars.lazy.compactMap { $0 as? Value }.first }

    private static let scalars: [any Sendable] = [
        true, "1", 1.0, 1 as Float, 1, 1 as Int8, 1 as Int16, 1 as Int32, 1 as Int64, 1 as UInt, 1 as UInt8,
        1 as UInt16, 1 as UInt32, 1 as UInt64,
    ]

    private static let values: [any Sendable] = [
        URL(fileURLWithPath: "/"), UUID(), Decimal(1), Date(timeIntervalSinceReferenceDate: 1), Data([1]), TimeZone.gmt,
        Locale(identifier: "en"), Calendar(identifier: .gregorian),
    ]

    /// The key of the only member of a dictionary with string or integer keys.
    static let memberName = "1"

    /// Returns the key of the only member of a dictionary of the given type, which converts to its key type.
    static func memberName(of type: any Any.Type) -> String {
        guard let keys = (type as? any DictionaryType.Type)?.keyType else { return memberName }
        return keys == UUID.self ? UUID().uuidString : EnumCases.rawValues(of: keys)?.first ?? memberName
    }

    /// Returns the first case of an enum, or nil for any other type.
    ///
    /// This doesn't use `CaseIterable`: the conformance may be isolated to the main actor, and the answer would then
    /// depend on the thread.
    static func firstCase<Value>(_ type: Value.Type) -> Value? {
        zeros(type).flatMap { Mirror(reflecting: $0).displayStyle == .enum ? $0 : nil }
    }

    /// Returns the value whose bits are all zero, if the type is plain data.
    ///
    /// The first case of an enum is all zeros, and so are the zeros of numbers and of structs of numbers. The load
    /// stays within the buffer, which has the size and alignment of the type.
    static func zeros<Value>(_ type: Value.Type) -> Value? {
        guard _isPOD(type), MemoryLayout<Value>.size > 0 || hasCase(type) else { return nil }
        return withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Value>.stride, 1), alignment: MemoryLayout<Value>.alignment
        ) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer.load(as: Value.self)
        }
    }

    /// Returns whether a type of size zero is an enum with one case. An enum without cases, such as the coding keys of
    /// a type without properties, has size zero too, but no values.
    ///
    /// Only the type's metadata distinguishes the two: a value of an enum without cases must never be created, not even
    /// to inspect it. The tests of types without values, and of enums of every kind, rely on this.
    private static func hasCase<Value>(_ type: Value.Type) -> Bool {
        EnumCases(type).map { $0.withPayload + $0.withoutPayload > 0 } ?? false
    }
}

/// A dictionary with its types erased.
private protocol DictionaryType {
    static var keyType: any Any.Type { get }
    /// Whether it is encoded as an array in which keys and values alternate.
    static var isEncodedAsArray: Bool { get }
}

extension Dictionary: DictionaryType {
    static var keyType: any Any.Type { Key.self }
    static var isEncodedAsArray: Bool { !(Key.self is any CodingKeyRepresentable.Type) }
}
