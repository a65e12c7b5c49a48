import DocumentModel

/// The native storage of values of your own type, both on their own and as elements of arrays, sets, and dictionaries.
/// The optional migrations in the migration guide of Defaults are written with bridges.
///
///     // An enum, stored as its raw value.
///     let period = PreferenceBridge(Period.self, from: CodablePeriod.self)
///     // A struct with a `Defaults.Bridge`.
///     let zone = PreferenceBridge(
///         TimeZone.self, from: CodableTimeZone.self, toNative: { $0.toNative() },
///         serialize: { TimeZoneBridge().serialize($0) }, deserialize: { TimeZoneBridge().deserialize($0) })
///
///     StoredPreference("period", Period.self, bridges: period)
///     StoredPreference("zonesByName", [String: [TimeZone]].self, bridges: zone)
///
/// The native type need not be `Codable`. Only the type that version 4 wrote and the stored type must be.
public struct PreferenceBridge: Sendable {
    /// The native type.
    let type: ErasedType<Any.Type>
    let code: any PreferenceBridging

    /// Creates a bridge for values of a native type.
    ///
    /// - Parameters:
    ///   - type: The native type, as it appears in the types of keys.
    ///   - codable: The type that version 4 wrote as JSON: the `CodableForm`.
    ///   - toNative: Converts that to the native value. An error thrown here makes the key fail.
    ///   - serialize: Returns the value to store for a native value. If it returns nil, the value cannot be stored and
    ///     the key fails.
    ///   - deserialize: Returns the native value for a stored value, or nil if there is none.
    public init<Native, CodableForm: Decodable, Stored: Codable>(
        _ type: Native.Type, from codable: CodableForm.Type,
        toNative: @escaping @Sendable (CodableForm) throws -> Native,
        serialize: @escaping @Sendable (Native) -> Stored?,
        deserialize: @escaping @Sendable (Stored) -> Native?
    ) {
        self.type = ErasedType(type)
        code = Bridge(toNative: toNative, serialize: serialize, deserialize: deserialize)
    }

    /// Creates a bridge for values of a native type that are stored as their raw values.
    ///
    /// - Parameters:
    ///   - type: The native type, as it appears in the types of keys.
    ///   - codable: The type that version 4 wrote as JSON: the `CodableForm`.
    ///   - toNative: Converts that to the native value. An error thrown here makes the key fail.
    public init<Native: RawRepresentable, CodableForm: Decodable>(
        _ type: Native.Type, from codable: CodableForm.Type,
        toNative: @escaping @Sendable (CodableForm) throws -> Native
    ) where Native.RawValue: Codable {
        self.type = ErasedType(type)
        code = RawValueBridge(toNative: toNative)
    }

    /// Creates a bridge for values of a native type that are stored as their raw values, which are the same as those
    /// that version 4 wrote. If the native type does not have a raw value, the key fails.
    ///
    /// - Parameters:
    ///   - type: The native type, as it appears in the types of keys.
    ///   - codable: The type that version 4 wrote as JSON: the `CodableForm`.
    public init<Native: RawRepresentable, CodableForm: Decodable & RawRepresentable>(
        _ type: Native.Type, from codable: CodableForm.Type
    ) where Native.RawValue: Codable, CodableForm.RawValue == Native.RawValue {
        self.type = ErasedType(type)
        code = SameRawValueBridge<Native, CodableForm>()
    }
}

/// The functions of a ``PreferenceBridge``, with its types erased.
protocol PreferenceBridging: Sendable {
    /// The name of the native type.
    var nativeName: String { get }

    /// Returns the value to store for a value of the JSON. `record` notes the values that are read.
    func stored(_ node: DocumentNode, of json: JSONPreference, _ record: ReadRecord) throws(PreferenceFailure)
        -> any Encodable

    /// Checks that a value of the property list is one that the bridge stores.
    func check(_ node: DocumentNode) throws(PreferenceFailure)
}

/// A bridge between types that are held statically, as by ``StageCode``.
private protocol TypedBridging: PreferenceBridging {
    associatedtype Native
    associatedtype CodableForm: Decodable
    associatedtype Stored: Codable

    func native(_ value: CodableForm) throws -> Native
    func serialized(_ native: Native) -> Stored?
    func deserialized(_ stored: Stored) -> Native?
}

extension TypedBridging {
    var nativeName: String { typeName(Native.self) }

    func stored(_ node: DocumentNode, of json: JSONPreference, _ record: ReadRecord) throws(PreferenceFailure)
        -> any Encodable
    {
        let value = try json.decode(CodableForm.self, from: node, recording: record)
        let native: Native
        do { native = try self.native(value) } catch {
            throw PreferenceFailure(error, reading: node, in: json.path, record)
        }
        guard let stored = serialized(native) else {
            throw PreferenceFailure(
                .mismatch(expected: .value(type: typeName(Native.self)), found: FoundValue(node)), at: node,
                in: json.path)
        }
        return stored
    }

    func check(_ node: DocumentNode) throws(PreferenceFailure) {
        let record = ReadRecord()
        let native: Native?
        do { native = deserialized(try DocumentDecoder().decode(Stored.self, from: node, recording: record)) } catch {
            throw PreferenceFailure(error, reading: node, record)
        }
        guard native == nil else { return }
        throw PreferenceFailure(.noCase(type: typeName(Native.self), found: FoundValue(node), cases: nil), at: node)
    }
}

private struct Bridge<Native, CodableForm: Decodable, Stored: Codable>: TypedBridging {
    let toNative: @Sendable (CodableForm) throws -> Native
    let serialize: @Sendable (Native) -> Stored?
    let deserialize: @Sendable (Stored) -> Native?

    func native(_ value: CodableForm) throws -> Native { try toNative(value) }
    func serialized(_ native: Native) -> Stored? { serialize(native) }
    func deserialized(_ stored: Stored) -> Native? { deserialize(stored) }
}

private struct RawValueBridge<Native: RawRepresentable, CodableForm: Decodable>: TypedBridging
where Native.RawValue: Codable {
    let toNative: @Sendable (CodableForm) throws -> Native

    func native(_ value: CodableForm) throws -> Native { try toNative(value) }
    func serialized(_ native: Native) -> Native.RawValue? { native.rawValue }
    func deserialized(_ stored: Native.RawValue) -> Native? { Native(rawValue: stored) }
}

private struct SameRawValueBridge<Native: RawRepresentable, CodableForm: Decodable & RawRepresentable>: TypedBridging
where Native.RawValue: Codable, CodableForm.RawValue == Native.RawValue {
    func native(_ value: CodableForm) throws -> Native {
        guard let native = Native(rawValue: value.rawValue) else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(
                    codingPath: [], debugDescription: "\(typeName(Native.self)) has no value \"\(value.rawValue)\""))
        }
        return native
    }

    func serialized(_ native: Native) -> Native.RawValue? { native.rawValue }
    func deserialized(_ stored: Native.RawValue) -> Native? { Native(rawValue: stored) }
}
