import Foundation

/// How version 5 stores the values of a key: the shape down to where one type decodes itself.
///
/// Containers are walked rather than decoded, so that elements keep the order in which they are stored (a set has
/// none), and an element that is wrong is known by its place.
indirect enum StoredForm: Sendable {
    /// A value of the property list that the type decodes itself from.
    case native(ErasedType<any Codable.Type>)
    /// A string with the JSON that the type decodes itself from.
    case json(ErasedType<any Codable.Type>)
    /// An array.
    case elements(StoredForm)
    /// A dictionary, every name of which describes a key of that type. `isNamed` if JSONEncoder writes such keys as
    /// names.
    case members(StoredForm, key: ErasedType<any PreferenceName.Type>, isNamed: Bool)
    /// What may be null in JSON, and is then not there in a property list.
    case optional(StoredForm)
    /// What a bridge of the app's own makes of the JSON.
    case bridged(any PreferenceBridging)
    /// A value of a type that is not `Codable` and has no bridge: a mistake in the declaration.
    case unknown(type: String)

    /// The form in which values of `type` are stored.
    ///
    /// What a type is besides `Codable` is asked here, when a chain is made with it, and never again.
    ///
    /// - Parameters:
    ///   - bridges: The app's own.
    ///   - isBridged: Whether Defaults hands the values to their bridges one by one, as it does below a key that is no
    ///     `String`. Numbers, strings, booleans, dates and data then are what any `Codable` value is: JSON strings.
    init(_ type: Any.Type, _ form: PreferenceForm, bridges: [PreferenceBridge] = [], isBridged: Bool = false) {
        if let bridge = bridges.first(where: { $0.type.type == type }) {
            self = .bridged(bridge.code)
        } else if let codable = type as? any Codable.Type, form == .jsonString || type == URL.self {
            self = .json(ErasedType(codable))
        } else if let container = type as? any PreferenceContainer.Type {
            self = container.stored(form, bridges, isBridged: isBridged)
        } else if let codable = type as? any Codable.Type {
            let isOwn = !Self.nativeTypes.contains(ObjectIdentifier(type))
            let isNative = isOwn ? form == .native : !isBridged
            self = isNative ? .native(ErasedType(codable)) : .json(ErasedType(codable))
        } else {
            self = .unknown(type: typeName(type))
        }
    }

    /// The name of a type inside that cannot be stored; nil if all can.
    var unknownType: String? {
        switch self {
        case .native, .json, .bridged: nil
        case .elements(let form), .members(let form, _, _), .optional(let form): form.unknownType
        case .unknown(let type): type
        }
    }

    /// Whether Defaults hands values of `type` to `UserDefaults` as they are, with all that they hold.
    static func isNative(_ type: Any.Type) -> Bool {
        (type as? any PreferenceContainer.Type)?.isNative ?? nativeTypes.contains(ObjectIdentifier(type))
    }

    /// The types that Defaults 5 hands to `UserDefaults` as they are.
    private static let nativeTypes = numberTypes.union(
        ([Bool.self, String.self, Date.self, Data.self] as [Any.Type]).map { ObjectIdentifier($0) })

    /// Those of them that are numbers.
    static let numberTypes: Set<ObjectIdentifier> = {
        let types: [Any.Type] = [
            Double.self, Float.self, CGFloat.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        return Set(types.map { ObjectIdentifier($0) })
    }()

    /// Whether the value is a plain string, whatever it says.
    var takesAnyString: Bool { if case .native(let type) = unwrapped { type.type == String.self } else { false } }

    /// Whether the whole value is a JSON string, as it is in version 4.
    var isJSONString: Bool { if case .json = unwrapped { true } else { false } }

    private var unwrapped: StoredForm { if case .optional(let form) = self { form.unwrapped } else { self } }
}

/// A type whose values Defaults stores one by one.
protocol PreferenceContainer {
    /// Whether Defaults hands its values to `UserDefaults` as they are.
    static var isNative: Bool { get }

    /// The form of its values; see ``StoredForm/init(_:_:bridges:isBridged:)``.
    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm
}

// Arrays and sets both are arrays in a property list.
extension Array: PreferenceContainer {
    static var isNative: Bool { StoredForm.isNative(Element.self) }

    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        .elements(StoredForm(Element.self, form, bridges: bridges, isBridged: isBridged))
    }
}

extension Set: PreferenceContainer {
    static var isNative: Bool { false }

    // The bridge of a set, unlike that of an array, hands elements that are native to `UserDefaults` as they are.
    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        let isBridged = isBridged && !StoredForm.isNative(Element.self)
        return .elements(StoredForm(Element.self, form, bridges: bridges, isBridged: isBridged))
    }
}

/// A type of keys that a property list can have as names.
typealias PreferenceName = Codable & LosslessStringConvertible

extension Dictionary: PreferenceContainer where Key: PreferenceName {
    static var isNative: Bool { Key.self == String.self && StoredForm.isNative(Value.self) }

    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        let isBridged = isBridged || Key.self != String.self
        return .members(
            StoredForm(Value.self, form, bridges: bridges, isBridged: isBridged), key: ErasedType(Key.self),
            isNamed: Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type)
    }
}

extension Optional: PreferenceContainer {
    static var isNative: Bool { StoredForm.isNative(Wrapped.self) }

    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        .optional(StoredForm(Wrapped.self, form, bridges: bridges, isBridged: isBridged))
    }
}
