/// The top-level fields that a type reads from a document.
struct TypeFields: Sendable, Equatable {
    struct Field: Sendable, Hashable {
        var name: String
        /// Whether a document without the field does not decode.
        var isRequired: Bool
    }

    /// In the order in which they are read.
    var fields: [Field] = []
    /// Whether these are all; a type whose decoding stops at a value that cannot be made up is known only up to there.
    var isComplete = true

    var names: Set<String> { Set(fields.map(\.name)) }

    mutating func note(_ name: String, required: Bool) {
        if !fields.contains(where: { $0.name == name }) { fields.append(Field(name: name, isRequired: required)) }
    }
}

extension TypeFields {
    /// Learns the fields of `type` by letting it decode itself from a document that has every field it asks for.
    ///
    /// Each value is made up: empty, zero, or the first case of an enum. What the type then is does not matter; which keys it asked for
    /// does. A key that it asks to be there, or reads only if it is, counts as optional.
    init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        let notes = FieldProbe.Notes()
        do {
            _ = try type.init(from: FieldProbe(notes: notes, userInfo: userInfo))
        } catch is FieldProbe.Stopped {
            notes.fields.isComplete = false
        } catch {
            // The type refused the made-up values; it had asked for them by then.
        }
        self = notes.fields
    }
}
