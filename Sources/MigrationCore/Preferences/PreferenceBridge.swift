import DocumentModel

/// How values of a type of your own are stored natively, alone and as elements of arrays, sets and dictionaries: what the
/// optional migrations of Defaults' guide are made of.
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
/// The native type need not be `Codable`: only what version 4 wrote, and what is stored, are.
public struct PreferenceBridge: Sendable {
    /// The native type.
    let type: ErasedType<Any.Type>
    let code: any PreferenceBridging

    /// Values of a native type with a bridge.
    ///
    /// - Parameters:
    ///   - type: The native type, as it stands in the types of keys.
    ///   - codable: What version 4 wrote as JSON: the `CodableForm`.
    ///   - toNative: Makes the native value of that. What it throws is a failure of the key.
    ///   - serialize: What is stored of a native value; nil, where it cannot be stored, is a failure of the key.
    ///   - deserialize: The native value of what is stored; nil where that is not one.
    public init<Native, CodableForm: Decodable, Stored: Codable>(
        _ type: Native.Type, from codable: CodableForm.Type,
        toNative: @escaping @Sendable (CodableForm) throws -> Native,
        serialize: @escaping @Sendable (Native) -> Stored?,
        deserialize: @escaping @Sendable (Stored) -> Native?
    ) {
        self.type = ErasedType(type)
        code = Bridge(toNative: toNative, serialize: serialize, deserialize: deserialize)
    }

    /// Values of a native type that are stored as their raw values.
    ///
    /// - Parameters:
    ///   - type: The native type, as it stands in the types of keys.
    ///   - codable: What version 4 wrote as JSON: the `CodableForm`.
    ///   - toNative: Makes the native value of that. What it throws is a failure of the key.
    public init<Native: RawRepresentable, CodableForm: Decodable>(
        _ type: Native.Type, from codable: CodableForm.Type,
        toNative: @escaping @Sendable (CodableForm) throws -> Native
    ) where Native.RawValue: Codable {
        self.type = ErasedType(type)
        code = RawValueBridge(toNative: toNative)
    }

    /// Values of a native type that are stored as their raw values, which are those of what version 4 wrote. One that the
    /// native type does not have is a failure of the key.
    ///
    /// - Parameters:
    ///   - type: The native type, as it stands in the types of keys.
    ///   - codable: What version 4 wrote as JSON: the `CodableForm`.
    public init<Native: RawRepresentable, CodableForm: Decodable & RawRepresentable>(
        _ type: Native.Type, from codable: CodableForm.Type
    ) where Native.RawValue: Codable, CodableForm.RawValue == Native.RawValue {
        self.type = ErasedType(type)
        code = SameRawValueBridge<Native, CodableForm>()
    }
}

/// What a ``PreferenceBridge`` does, whatever its types are.
protocol PreferenceBridging: Sendable {
    /// What is stored of a value of the JSON; `record` notes what is read.
    func stored(_ node: DocumentNode, of json: JSONPreference, _ record: ReadRecord) throws(PreferenceFailure)
        -> any Encodable

    /// Makes sure that a value of the property list is one that the bridge stores.
    func check(_ node: DocumentNode) throws(PreferenceFailure)
}

/// A bridge between types, which are held statically as ``StageCode`` holds its type.
private protocol TypedBridging: PreferenceBridging {
    associatedtype Native
    associatedtype CodableForm: Decodable
    associatedtype Stored: Codable

    func native(_ value: CodableForm) throws -> Native
    func serialized(_ native: Native) -> Stored?
    func deserialized(_ stored: Stored) -> Native?
}

extension TypedBridging {
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
