/// A type whose values Defaults stores one by one.
protocol PreferenceContainer {
    static var contents: PreferenceContents { get }
}

/// What is in a value of such a type.
enum PreferenceContents {
    /// The elements of an array or a set, which both are arrays in a property list.
    case elements(any Codable.Type)
    /// The values of a dictionary, whose keys have to be read from the names.
    case members(any Codable.Type, key: any PreferenceName.Type)
    /// A value, or none.
    case optional(any Codable.Type)
}

extension Array: PreferenceContainer where Element: Codable {
    static var contents: PreferenceContents { .elements(Element.self) }
}

extension Set: PreferenceContainer where Element: Codable {
    static var contents: PreferenceContents { .elements(Element.self) }
}

/// A type of keys that a property list can have as names.
typealias PreferenceName = Codable & LosslessStringConvertible

extension Dictionary: PreferenceContainer where Key: PreferenceName, Value: Codable {
    static var contents: PreferenceContents { .members(Value.self, key: Key.self) }
}

extension Optional: PreferenceContainer where Wrapped: Codable {
    static var contents: PreferenceContents { .optional(Wrapped.self) }
}
