import DocumentModel

/// A key of an app's preferences, with the type of its values and the form in which Defaults 5 stores them.
///
///     StoredPreference("recentSearches", [String].self)
///     StoredPreference("windows", [Window].self)                      // an array of JSON strings
///     StoredPreference("timeZone", TimeZone.self, storedAs: .native)  // a dictionary
///     StoredPreference("period", Period.self, storedAs: .native)      // the raw value
///
/// Declare an optional value by its type without the question mark: a key may always be absent, and a stored null is
/// removed. Declare elements that may be null with it (`[String?].self`). Property lists have no null, so null elements
/// are left out, as Defaults does.
public struct StoredPreference: Sendable {
    /// The name under which the value is stored.
    public let name: String
    /// The name of its type.
    let typeName: String
    /// The form in which version 5 stores the value.
    let form: StoredForm
    /// Converts the JSON of version 4 to that of version 5. Nil if they are the same.
    let conversion: (any PreferenceConversion)?

    /// The form in which version 4 stored the value, as the type that is stored.
    var oldForm: String {
        form.isPlain && conversion == nil ? form.words : "JSON of \(conversion?.oldName ?? typeName)"
    }

    /// Creates a key whose values have the same type in both versions.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value that the JSON was written from. In the optional migrations of Defaults, it is
    ///     the `CodableForm`.
    ///   - form: The form in which version 5 stores the value.
    public init<Value: Codable>(
        _ name: String, _ type: Value.Type, storedAs form: PreferenceForm = .standard
    ) {
        self.name = name
        typeName = MigrationCore.typeName(type)
        self.form = StoredForm(type, form)
        conversion = nil
    }

    /// Creates a key whose values the app's own bridges store natively: the optional migrations of Defaults.
    ///
    ///     let period = PreferenceBridge(Period.self, from: CodablePeriod.self)
    ///     StoredPreference("periods", [String: Period].self, bridges: period)
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value in version 5: a native type, or arrays, sets, and dictionaries of it. A type
    ///     that is neither `Codable` nor bridged causes a ``ChainDeclarationError``.
    ///   - bridges: The bridge of each native type.
    public init<Value>(_ name: String, _ type: Value.Type, bridges: PreferenceBridge...) {
        self.name = name
        typeName = MigrationCore.typeName(type)
        form = StoredForm(type, .standard, bridges: bridges)
        conversion = nil
    }

    /// Creates a key whose values changed their type between the versions, and not only the form in which they are
    /// stored.
    ///
    ///     StoredPreference("minutes", Int.self, from: Period.self) { $0 == .oneHour ? 60 : 30 }
    ///
    /// A stored value that can be decoded as the new type counts as converted. But if the new type is `String`, any
    /// string can be, so the JSON of the old type is tried first: `"1 Hour"` with quotation marks is the old `Period`,
    /// and the trace reports in a warning how it was read; `1 Hour` without them is the new string.
    ///
    /// Use this for a `toNative()` that does more than pass on the value, and for a bridge whose dictionary differs
    /// from what the type's `Codable` conformance would write: declare the type that is stored.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - type: The type of the value in version 5.
    ///   - form: The form in which version 5 stores the value.
    ///   - old: The type that version 4 wrote as a JSON string.
    ///   - convert: Converts the old value to the new one. An error thrown here makes only this key fail;
    ///     `fieldNoLongerValid` names a field, as in any step.
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

/// Converts the value of a key from version 4 to version 5, both as JSON.
protocol PreferenceConversion: Sendable {
    /// The old type, and its name.
    var oldType: any Decodable.Type { get }
    var oldName: String { get }

    /// Returns whether the old type can be decoded from the JSON.
    func reads(_ node: DocumentNode) -> Bool

    /// Returns the new value. `record` notes the parts of the old value that are read.
    func converted(
        _ json: JSONPreference, _ record: ReadRecord, for observer: (any RunObserver)?
    ) throws(PreferenceFailure) -> Document
}

/// The conversion between two types that are held statically, as by ``StageCode``.
private struct Conversion<Old: Decodable, Value: Codable>: PreferenceConversion {
    let convert: @Sendable (Old) throws -> Value

    var oldType: any Decodable.Type { Old.self }
    var oldName: String { typeName(Old.self) }

    func reads(_ node: DocumentNode) -> Bool { (try? DocumentDecoder().decode(Old.self, from: node)) != nil }

    func converted(
        _ json: JSONPreference, _ record: ReadRecord, for observer: (any RunObserver)?
    ) throws(PreferenceFailure) -> Document {
        observer?.note(.decoding, stage: 0)
        let value = try json.decode(Old.self, from: json.document.root, recording: record)
        observer?.note(.stepping, stage: 1)
        do { return try DocumentEncoder().encode(convert(value)) } catch {
            throw PreferenceFailure(converting: error, in: json, record)
        }
    }
}

/// The form in which version 5 of Defaults stores the values of a key.
///
/// Version 4 stored an array of structs as the JSON string `[{"id":"0"}]`. Version 5 stores it as follows:
///
/// | form | version 5 |
/// | --- | --- |
/// | ``standard`` | an array of strings, `{"id":"0"}` |
/// | ``native`` | an array of dictionaries |
/// | ``jsonString`` | the string itself |
public enum PreferenceForm: Sendable, Hashable {
    /// The form that Defaults 5 uses for the type by default.
    ///
    /// Numbers, strings, Booleans, dates, and data are native, and so are arrays, sets, and dictionaries. A `Codable`
    /// struct or enum, and a URL, is a JSON string, both as a value and inside an array, a set, or a dictionary. Inside
    /// a dictionary whose keys are not `String`, such as `[Int: Int]`, numbers and the other native types are JSON
    /// strings too.
    case standard

    /// Property list values throughout: a `Codable` struct is stored as a dictionary, and an enum as its raw value.
    ///
    /// This is the result of both optional migrations of Defaults: a native type in place of a `Codable` one, or a
    /// bridge to a dictionary. Only URLs remain JSON strings, because Defaults has no other form for them.
    case native

    /// A JSON string for any type. Both versions store the same, so nothing migrates.
    case jsonString
}
