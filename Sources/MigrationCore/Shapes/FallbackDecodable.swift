import DocumentModel

/// A type whose values are decoded from the first of several shapes that fits.
///
///     struct User: Encodable {
///         var name: String
///         var id: String
///     }
///
///     extension User: FallbackDecodable {
///         private struct UserV1: Decodable { let name: String, email: String }
///         private struct UserV2: Decodable { let name: String, id: String }
///
///         static let shapes = [
///             FallbackShape(UserV2.self) { User(name: $0.name, id: $0.id) },
///             FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) },
///         ]
///     }
///
/// You decode such a type as before: `JSONDecoder().decode(User.self, from: data)` reads every shape, at the root or
/// anywhere inside a larger value. A ``MigrationTrace`` shows each such value as a part, with the attempts.
///
/// - Warning: The first shape that fits is used. If an old document also has everything that the newest shape asks for,
///   for example because its new fields are optional, the document is read as a new one, and fields that only the old
///   shape reads are lost. Traces and checks warn about that.
public protocol FallbackDecodable: Decodable {
    /// The shapes, newest first.
    static var shapes: [FallbackShape<Self>] { get }
}

extension FallbackDecodable {
    /// Decodes the value from the first of ``shapes`` that fits.
    ///
    /// - Throws: The error of the oldest shape, if none fits.
    public init(from decoder: any Decoder) throws { self = try decoder.decodeFirst(of: Self.shapes) }
}

/// One of the shapes in which values of a type were stored, with the code that makes a value from it.
///
///     FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) }
///
/// Pass the shapes of a type, newest first, to ``Swift/Decoder/decodeFirst(_:_:)``, or make the type conform to
/// ``FallbackDecodable``.
public struct FallbackShape<Value>: Sendable {
    /// The author's note about values of this shape.
    let note: String?
    /// The code of the type that has the shape.
    let code: any FallbackCode<Value>
    /// Writes values, or nil if the value is not known to be `Encodable`.
    let writer: (any ValueWriter<Value>)?

    /// Creates a shape.
    ///
    /// - Parameters:
    ///   - type: The type that has this shape. It can be private.
    ///   - note: A note for the user about the migration of values of this shape.
    ///   - make: Makes the value. If it throws, the document is assumed to have another shape.
    public init<Shape: Decodable>(
        _ type: Shape.Type, note: String? = nil, make: @escaping @Sendable (Shape) throws -> Value
    ) {
        self.note = note
        code = ShapeMaker(make: make)
        writer = nil
    }

    var typeName: String { code.typeName }
}

extension FallbackShape where Value: Encodable {
    /// Creates a shape of values that can be encoded, so that a trace shows the result.
    ///
    /// - Parameters:
    ///   - type: The type that has this shape. It can be private.
    ///   - note: A note for the user about the migration of values of this shape.
    ///   - make: Makes the value. If it throws, the document is assumed to have another shape.
    public init<Shape: Decodable>(
        _ type: Shape.Type, note: String? = nil, make: @escaping @Sendable (Shape) throws -> Value
    ) {
        self.note = note
        code = ShapeMaker(make: make)
        writer = EncodableWriter()
    }
}

/// The code of one shape. Its conformances are those that the app passed with the type (see ``StageCode``).
protocol FallbackCode<Value>: FieldSource {
    associatedtype Value

    var typeName: String { get }

    /// Reads a value of the shape from a decoder.
    func decode(from decoder: any Decoder) throws -> Any

    /// Reads a value of the shape from a node.
    func decode(_ node: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any

    /// Makes a value from what was decoded as the shape.
    func value(from decoded: Any) throws -> Value
}

private struct ShapeMaker<Shape: Decodable, Value>: FallbackCode {
    let make: @Sendable (Shape) throws -> Value

    var typeName: String { MigrationCore.typeName(Shape.self) }

    func fields(userInfo: [CodingUserInfoKey: any Sendable]) -> TypeFields {
        TypeFields(of: Shape.self, userInfo: userInfo)
    }

    func outline(userInfo: [CodingUserInfoKey: any Sendable]) -> VersionOutline {
        VersionOutline(of: Shape.self, userInfo: userInfo)
    }

    func decode(from decoder: any Decoder) throws -> Any { try Shape(from: decoder) }

    func decode(_ node: DocumentNode, _ decoder: DocumentDecoder, _ record: ReadRecord?) throws -> Any {
        try decoder.decode(Shape.self, from: node, recording: record)
    }

    func value(from decoded: Any) throws -> Value { try make(StageMismatch.cast(decoded)) }
}

/// Writes the values of a type.
protocol ValueWriter<Value>: Sendable {
    associatedtype Value

    func document(of value: Value, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document
}

private struct EncodableWriter<Value: Encodable>: ValueWriter {
    func document(of value: Value, _ encoder: DocumentEncoder, _ format: DocumentFormat) throws -> Document {
        try encoder.encode(value, as: format)
    }
}
