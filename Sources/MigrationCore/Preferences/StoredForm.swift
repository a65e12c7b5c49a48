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

    /// The form in which values of `type` are stored.
    ///
    /// What a type is besides `Codable` is asked here, when a chain is made with it, and never again.
    init(_ type: any Codable.Type, _ form: PreferenceForm) {
        if form == .jsonString || type == URL.self {
            self = .json(ErasedType(type))
        } else if let container = type as? any PreferenceContainer.Type {
            self = container.stored(form)
        } else if form == .native || Self.nativeTypes.contains(ObjectIdentifier(type)) {
            self = .native(ErasedType(type))
        } else {
            self = .json(ErasedType(type))
        }
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
    static func stored(_ form: PreferenceForm) -> StoredForm
}

// Arrays and sets both are arrays in a property list.
extension Array: PreferenceContainer where Element: Codable {
    static func stored(_ form: PreferenceForm) -> StoredForm { .elements(StoredForm(Element.self, form)) }
}

extension Set: PreferenceContainer where Element: Codable {
    static func stored(_ form: PreferenceForm) -> StoredForm { .elements(StoredForm(Element.self, form)) }
}

/// A type of keys that a property list can have as names.
typealias PreferenceName = Codable & LosslessStringConvertible

extension Dictionary: PreferenceContainer where Key: PreferenceName, Value: Codable {
    static func stored(_ form: PreferenceForm) -> StoredForm {
        .members(
            StoredForm(Value.self, form), key: ErasedType(Key.self),
            isNamed: Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type)
    }
}

extension Optional: PreferenceContainer where Wrapped: Codable {
    static func stored(_ form: PreferenceForm) -> StoredForm { .optional(StoredForm(Wrapped.self, form)) }
}
