import DocumentModel

/// One of the shapes in which values of a type were stored, and how the value is made from it.
///
///     FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) }
///
/// Give the shapes of a type, newest first, to ``Swift/Decoder/decodeFirst(_:_:)``, or make the type ``FallbackDecodable``.
public struct FallbackShape<Value>: Sendable {
    /// What the author says about values of this shape.
    let note: String?
    let typeName: String
    /// Reads a value of the shape from a decoder.
    let decode: @Sendable (any Decoder) throws -> Any
    /// Reads one from a document.
    let decodeNode: @Sendable (DocumentNode, DocumentDecoder, ReadRecord?) throws -> Any
    /// Makes a value of what was decoded as the shape.
    let make: @Sendable (Any) throws -> Value
    /// Writes a value; nil where the type of the value only decodes.
    let encode: (@Sendable (Value, DocumentEncoder, DocumentFormat) throws -> Document)?
    /// The fields that the shape asks for.
    let fields: @Sendable ([CodingUserInfoKey: any Sendable]) -> TypeFields

    /// A shape.
    ///
    /// - Parameters:
    ///   - type: The type that has this shape; a private one will do.
    ///   - note: What to tell a person who looks at how a value of this shape was carried forward.
    ///   - make: Makes the value. If it throws, the document is taken to be of another shape.
    public init<Shape: Decodable & SendableMetatype>(
        _ type: Shape.Type, note: String? = nil, make: @escaping @Sendable (Shape) throws -> Value
    ) {
        self.init(type, note, make, encode: nil)
    }

    /// A shape of a value that the app also writes.
    ///
    /// - Parameters:
    ///   - type: The type that has this shape; a private one will do.
    ///   - note: What to tell a person who looks at how a value of this shape was carried forward.
    ///   - make: Makes the value. If it throws, the document is taken to be of another shape.
    public init<Shape: Decodable & SendableMetatype>(
        _ type: Shape.Type, note: String? = nil, make: @escaping @Sendable (Shape) throws -> Value
    ) where Value: Encodable & SendableMetatype {
        self.init(type, note, make) { value, encoder, format in try encoder.encode(value, as: format) }
    }

    private init<Shape: Decodable & SendableMetatype>(
        _ type: Shape.Type, _ note: String?, _ make: @escaping @Sendable (Shape) throws -> Value,
        encode: (@Sendable (Value, DocumentEncoder, DocumentFormat) throws -> Document)?
    ) {
        self.note = note
        typeName = String(describing: type)
        decode = { try Shape(from: $0) }
        decodeNode = { try $1.decode(Shape.self, from: $0, recording: $2) }
        self.make = { shape in
            guard let shape = shape as? Shape else {
                throw StageMismatch(expected: "\(Shape.self)", found: "\(Swift.type(of: shape))")
            }
            return try make(shape)
        }
        self.encode = encode
        fields = { TypeFields(of: Shape.self, userInfo: $0) }
    }
}
