import DocumentModel
import Foundation

/// The form in which version 5 stores the values of a key, down to the types that decode themselves.
///
/// Containers are traversed rather than decoded, so that elements keep their stored order (a set has none), and an
/// invalid element is identified by its path.
indirect enum StoredForm: Sendable {
    /// A property list value that the type decodes itself from.
    case native(ErasedType<any Codable.Type>)
    /// A string of JSON that the type decodes itself from.
    case json(ErasedType<any Codable.Type>)
    /// An array.
    case elements(StoredForm)
    /// A dictionary whose names all convert to a key of the given type. `isNamed` is true if JSONEncoder writes such
    /// keys as names.
    case members(StoredForm, key: ErasedType<any PreferenceName.Type>, isNamed: Bool)
    /// A value that may be null in JSON, and is then left out of a property list.
    case optional(StoredForm)
    /// A value that a bridge of the app converts from the JSON.
    case bridged(any PreferenceBridging)
    /// A value of a type that is neither `Codable` nor bridged, which is a mistake in the declaration.
    case unknown(type: String)

    /// Creates the form in which values of `type` are stored.
    ///
    /// The conformances of the type besides `Codable` are checked here, when a chain is created with it, and never
    /// again.
    ///
    /// - Parameters:
    ///   - bridges: The app's bridges.
    ///   - isBridged: Whether Defaults passes the values to their bridges one by one, as it does inside a dictionary
    ///     whose keys are not `String`. Numbers, strings, Booleans, dates, and data are then stored like any `Codable`
    ///     value: as JSON strings.
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

    /// The name of a type inside that cannot be stored, or nil if all can.
    var unknownType: String? {
        switch self {
        case .native, .json, .bridged: nil
        case .elements(let form), .members(let form, _, _), .optional(let form): form.unknownType
        case .unknown(let type): type
        }
    }

    /// Returns whether Defaults passes values of `type` to `UserDefaults` unchanged, with all their contents.
    static func isNative(_ type: Any.Type) -> Bool {
        (type as? any PreferenceContainer.Type)?.isNative ?? nativeTypes.contains(ObjectIdentifier(type))
    }

    /// The types whose values Defaults 5 passes to `UserDefaults` unchanged.
    private static let nativeTypes = numberTypes.union(
        ([Bool.self, String.self, Date.self, Data.self] as [Any.Type]).map { ObjectIdentifier($0) })

    /// The number types among them.
    static let numberTypes: Set<ObjectIdentifier> = {
        let types: [Any.Type] = [
            Double.self, Float.self, CGFloat.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        return Set(types.map { ObjectIdentifier($0) })
    }()

    /// Whether version 4 stored the value as it is too.
    var isPlain: Bool {
        if case .native(let type) = unwrapped { Self.nativeTypes.contains(ObjectIdentifier(type.type)) } else { false }
    }

    /// The form as the type that is stored: `[String: JSON of Period]`.
    var words: String {
        switch self {
        case .native(let type): typeName(type.type)
        case .json(let type): "JSON of \(typeName(type.type))"
        case .elements(let form): "[\(form.words)]"
        case .members(let form, _, _): "[String: \(form.words)]"
        case .optional(let form): form.words + "?"
        case .bridged(let bridge): "value of \(bridge.nativeName)"
        case .unknown(let type): type
        }
    }

    /// The fields inside a value that is stored at a path, in JSON or natively.
    func fields(at path: DocumentPath) -> [VersionOutline.Field] {
        switch self {
        case .native(let type), .json(let type): VersionOutline(of: type.type, userInfo: [:]).fields(at: path)
        case .elements(let form): form.fields(at: path.appending(.everyElement))
        case .members(let form, _, _): form.fields(at: path.appending(.everyMember))
        case .optional(let form): form.fields(at: path)
        case .bridged, .unknown: []
        }
    }

    /// Whether the value is a plain string, regardless of its contents.
    var takesAnyString: Bool { if case .native(let type) = unwrapped { type.type == String.self } else { false } }

    /// Whether the whole value is a JSON string, as in version 4.
    var isJSONString: Bool { if case .json = unwrapped { true } else { false } }

    private var unwrapped: StoredForm { if case .optional(let form) = self { form.unwrapped } else { self } }
}

/// A type whose values Defaults stores element by element.
protocol PreferenceContainer {
    /// Whether Defaults passes its values to `UserDefaults` unchanged.
    static var isNative: Bool { get }

    /// Returns the form of its values. See ``StoredForm/init(_:_:bridges:isBridged:)``.
    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm
}

// Both arrays and sets are arrays in a property list.
extension Array: PreferenceContainer {
    static var isNative: Bool { StoredForm.isNative(Element.self) }

    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        .elements(StoredForm(Element.self, form, bridges: bridges, isBridged: isBridged))
    }
}

extension Set: PreferenceContainer {
    static var isNative: Bool { false }

    // The bridge of a set, unlike that of an array, passes native elements to `UserDefaults` unchanged.
    static func stored(_ form: PreferenceForm, _ bridges: [PreferenceBridge], isBridged: Bool) -> StoredForm {
        let isBridged = isBridged && !StoredForm.isNative(Element.self)
        return .elements(StoredForm(Element.self, form, bridges: bridges, isBridged: isBridged))
    }
}

/// A type of keys that can be names in a property list.
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
