/// The form in which version 5 of Defaults keeps the values of a key.
///
/// What comes of the JSON string `[{"id":"0"}]`, by which version 4 kept an array of structs:
///
/// | form | version 5 |
/// | --- | --- |
/// | ``standard`` | an array of strings, `{"id":"0"}` |
/// | ``native`` | an array of dictionaries |
/// | ``jsonString`` | the string itself |
public enum PreferenceForm: Sendable, Hashable {
    /// What Defaults 5 does with the type unless it is told otherwise.
    ///
    /// Numbers, strings, booleans, dates and data are native, and so are arrays, sets and dictionaries; a `Codable` struct or enum, and a
    /// URL, is a JSON string, alone as well as inside an array, a set or a dictionary.
    case standard

    /// Property list values throughout: a `Codable` struct is a dictionary, an enum its raw value.
    ///
    /// This is what the two optional migrations of Defaults lead to: a native type in the place of a `Codable` one, or a bridge to a
    /// dictionary. Only URLs stay JSON strings, for Defaults has no other form for them.
    case native

    /// A JSON string, whatever the type; the same in both versions, so nothing migrates.
    case jsonString
}
