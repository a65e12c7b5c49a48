import DocumentModel

/// The shapes that a document without a version key had over time, oldest first, each made from the one before.
///
///     ShapeVersions(UserV1.self)
///         .then(UserV2.self) { UserV2(name: $0.name, id: $0.email) }
///
/// A document is of the newest shape that it decodes as. Where types alone cannot tell two shapes apart, because one ignores what makes
/// the other, say which keys a shape has or has not:
///
///     ShapeVersions(BookV1.self, forbidding: ["createdAt"])
///         .then(BookV2.self, requiring: ["createdAt"]) { BookV2(active: $0.active, createdAt: nil) }
public struct ShapeVersions<Newest: Codable & SendableMetatype>: Sendable {
    let shapes: [Shape]

    /// Begins with the oldest shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of the shape has, whatever their value, null included.
    ///   - forbidding: Top-level keys that a document of the shape has not.
    public init(_ type: Newest.Type, requiring: [String] = [], forbidding: [String] = []) {
        shapes = [Shape(type, required: requiring, forbidden: forbidding, note: nil, migrate: nil)]
    }

    private init(shapes: [Shape]) { self.shapes = shapes }

    /// Goes on with the next shape.
    ///
    /// - Parameters:
    ///   - requiring: Top-level keys that a document of the shape has, whatever their value, null included.
    ///   - forbidding: Top-level keys that a document of the shape has not.
    ///   - note: What to tell a person who looks at the step to this shape.
    ///   - migrate: Makes a value of this shape from one of the shape before. May throw ``VersionedDecodingError/fieldNoLongerValid(_:)`` or
    ///     any error of its own.
    public func then<Next: Codable & SendableMetatype>(
        _ type: Next.Type, requiring: [String] = [], forbidding: [String] = [], note: String? = nil,
        migrate: @escaping @Sendable (Newest) throws -> Next
    ) -> ShapeVersions<Next> {
        let shape = Shape(type, required: requiring, forbidden: forbidding, note: note) { old in
            guard let old = old as? Newest else {
                throw StageMismatch(expected: "\(Newest.self)", found: "\(Swift.type(of: old))")
            }
            return try migrate(old)
        }
        return ShapeVersions<Next>(shapes: shapes + [shape])
    }
}

/// One shape, its type erased.
struct Shape: Sendable {
    let typeName: String
    /// Keys that must be there, and keys that must not.
    let required: [String]
    let forbidden: [String]
    let note: String?
    let migrate: (@Sendable (Any) throws -> Any)?
    let encode: @Sendable (Any, DocumentEncoder, DocumentFormat) throws -> Document
    /// The fields that the type asks for, and those that must be there besides.
    let fields: @Sendable ([CodingUserInfoKey: any Sendable]) -> TypeFields
    private let decodeValue: @Sendable (DocumentNode, DocumentDecoder, ReadRecord?) throws -> Any

    init<Value: Codable & SendableMetatype>(
        _ type: Value.Type, required: [String], forbidden: [String], note: String?,
        migrate: (@Sendable (Any) throws -> Any)?
    ) {
        typeName = String(describing: type)
        self.required = required
        self.forbidden = forbidden
        self.note = note
        self.migrate = migrate
        encode = { value, encoder, format in
            guard let value = value as? Value else {
                throw StageMismatch(expected: "\(Value.self)", found: "\(Swift.type(of: value))")
            }
            return try encoder.encode(value, as: format)
        }
        fields = { TypeFields(of: Value.self, userInfo: $0).requiring(required) }
        decodeValue = { try $1.decode(Value.self, from: $0, recording: $2) }
    }

    /// The value of that shape; throws where the document is of another.
    func decode(_ root: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        for name in required where root[name] == nil {
            let reason: Reason =
                root.kind == .object
                ? .requiredKeyAbsent(path: DocumentPath([.key(name)]))
                : .mismatch(path: .root, expected: .object, found: FoundValue(root))
            throw ShapeMismatch(reason: reason)
        }
        for name in forbidden where root[name] != nil {
            throw ShapeMismatch(reason: .forbiddenKeyPresent(path: DocumentPath([.key(name)])))
        }
        return try decodeValue(root, decoder, record)
    }
}

extension TypeFields {
    /// The same fields, those of the given names required.
    fileprivate func requiring(_ names: [String]) -> TypeFields {
        var fields = TypeFields()
        for field in self.fields { fields.note(field.name, required: field.isRequired || names.contains(field.name)) }
        for name in names { fields.note(name, required: true) }
        fields.isComplete = isComplete
        return fields
    }
}

/// A document has not the keys that a shape wants.
struct ShapeMismatch: ReasonedError {
    let reason: Reason
}
