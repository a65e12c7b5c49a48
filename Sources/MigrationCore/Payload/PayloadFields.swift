/// The top-level fields of one version of a payload, by which documents are recognised.
///
///     .init(required: ["text"], optional: ["number"])
public struct PayloadFields: Sendable, Hashable {
    /// What every document of the version has.
    public var required: [String]
    /// What a document of the version may have.
    public var optional: [String]

    /// Fields that must be there, and fields that may be. The version key need not be named.
    public init(required: [String] = [], optional: [String] = []) {
        self.required = required
        self.optional = optional
    }

    var typeFields: TypeFields {
        var fields = TypeFields()
        for name in required { fields.note(name, required: true) }
        for name in optional { fields.note(name, required: false) }
        return fields
    }
}
