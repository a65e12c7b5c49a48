import DocumentModel

/// A key of an app's preferences, with the type of its values and the form in which Defaults 5 keeps them.
///
///     StoredPreference("recentSearches", [String].self)
///     StoredPreference("windows", [Window].self)                      // an array of JSON strings
///     StoredPreference("timeZone", TimeZone.self, storedAs: .native)  // a dictionary
///     StoredPreference("period", Period.self, storedAs: .native)      // the raw value
///
/// An optional value is declared by its type without the question mark: a key may always be absent, and a stored null is
/// removed. Elements that may be null are declared with it (`[String?].self`); property lists have no null, so those that
/// are null are left out, as Defaults does.
public struct StoredPreference: Sendable {
    /// The name under which the value is stored.
    public let name: String
    /// The name of its type.
    let typeName: String
    /// How the value is stored by version 5.
    let form: StoredForm
    /// Makes the value of version 5, as JSON, from the JSON of version 4; nil where they are the same.
    let conversion: (any PreferenceConversion)?

    /// A key whose values are of the same type in both versions.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value, as its JSON was made from: for the optional migrations of Defaults, the
    ///     `CodableForm`.
    ///   - form: How version 5 stores it.
    public init<Value: Codable>(
        _ name: String, _ type: Value.Type, storedAs form: PreferenceForm = .standard
    ) {
        self.name = name
        typeName = MigrationCore.typeName(type)
        self.form = StoredForm(type, form)
        conversion = nil
    }

    /// A key with values of types that are stored natively by bridges of the app's own: the optional migrations of Defaults.
    ///
    ///     let period = PreferenceBridge(Period.self, from: CodablePeriod.self)
    ///     StoredPreference("periods", [String: Period].self, bridges: period)
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value as of version 5: a native type, or arrays, sets and dictionaries of it. A type that
    ///     is not `Codable` and has no bridge is a ``ChainDeclarationError``.
    ///   - bridges: One for each native type.
    public init<Value>(_ name: String, _ type: Value.Type, bridges: PreferenceBridge...) {
        self.name = name
        typeName = MigrationCore.typeName(type)
        form = StoredForm(type, .standard, bridges: bridges)
        conversion = nil
    }

    /// A key whose values changed their type between the versions, and not only the form in which they are stored.
    ///
    ///     StoredPreference("minutes", Int.self, from: Period.self) { $0 == .oneHour ? 60 : 30 }
    ///
    /// A stored value that already reads as the new type counts as converted. Only where the new type is `String`,
    /// which any string is, the JSON of the old type comes first: `"1 Hour"` in its quotation marks is the old
    /// `Period`, and the trace says in a warning how it was taken; `1 Hour` without them is the new string.
    ///
    /// This is the place for what a `toNative()` does beyond passing the value on, and for a bridge whose dictionary is
    /// not what the type's `Codable` would write: declare the type that is stored.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value as of version 5.
    ///   - form: How version 5 stores it.
    ///   - old: The type that version 4 wrote as a JSON string.
    ///   - convert: Makes the new value from the old. What it throws is a failure of this key alone;
    ///     `fieldNoLongerValid` names a field as in any step.
    public init<Old: Decodable, Value: Codable>(
        _ name: String, _ type: Value.Type, storedAs form: PreferenceForm = .standard, from old: Old.Type,
        _ convert: @escaping @Sendable (Old) throws -> Value
    ) {
        self.name = name
        typeName = MigrationCore.typeName(type)
        self.form = StoredForm(type, form)
        conversion = Conversion(convert: convert)
    }
}

/// Makes the value of a key as of version 5 from that of version 4; both are JSON.
protocol PreferenceConversion: Sendable {
    /// The name of the old type.
    var oldName: String { get }

    /// Whether the old type decodes itself from the JSON.
    func reads(_ node: DocumentNode) -> Bool

    /// The new value; `record` notes what is read of the old one.
    func converted(_ json: JSONPreference, _ record: ReadRecord) throws(PreferenceFailure) -> Document
}

/// The conversion between two types, which are held statically as ``StageCode`` holds its type.
private struct Conversion<Old: Decodable, Value: Codable>: PreferenceConversion {
    let convert: @Sendable (Old) throws -> Value

    var oldName: String { typeName(Old.self) }

    func reads(_ node: DocumentNode) -> Bool { (try? DocumentDecoder().decode(Old.self, from: node)) != nil }

    func converted(_ json: JSONPreference, _ record: ReadRecord) throws(PreferenceFailure) -> Document {
        RunPlace.note(.decoding, stage: 0)
        let value = try json.decode(Old.self, from: json.document.root, recording: record)
        RunPlace.note(.stepping, stage: 1)
        do { return try DocumentEncoder().encode(convert(value)) } catch {
            throw PreferenceFailure(converting: error, in: json, record)
        }
    }
}

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
    /// Numbers, strings, booleans, dates and data are native, and so are arrays, sets and dictionaries; a `Codable`
    /// struct or enum, and a URL, is a JSON string, alone as well as inside an array, a set or a dictionary. Below a key
    /// that is no `String`, as in `[Int: Int]`, numbers and the others are JSON strings too.
    case standard

    /// Property list values throughout: a `Codable` struct is a dictionary, an enum its raw value.
    ///
    /// This is what the two optional migrations of Defaults lead to: a native type in the place of a `Codable` one, or
    /// a bridge to a dictionary. Only URLs stay JSON strings, for Defaults has no other form for them.
    case native

    /// A JSON string, whatever the type; the same in both versions, so nothing migrates.
    case jsonString
}
