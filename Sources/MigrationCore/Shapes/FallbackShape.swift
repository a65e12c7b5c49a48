/// One of the shapes in which values of a type were stored, and how the value is made from it.
///
///     FallbackShape(UserV1.self) { User(name: $0.name, id: $0.email) }
///
/// Give the shapes of a type, newest first, to ``Swift/Decoder/decodeFirst(_:_:)``, or make the type ``FallbackDecodable``.
public struct FallbackShape<Value>: Sendable {
    /// What the author says about values of this shape.
    let note: String?
    let type: any (Decodable & SendableMetatype).Type
    /// Reads a value from a decoder.
    let decode: @Sendable (any Decoder) throws -> Value
    /// Makes a value of what was decoded as ``type``.
    let make: @Sendable (Any) throws -> Value

    /// A shape.
    ///
    /// - Parameters:
    ///   - type: The type that has this shape; a private one will do.
    ///   - note: What to tell a person who looks at how a value of this shape was carried forward.
    ///   - make: Makes the value. If it throws, the document is taken to be of another shape.
    public init<Shape: Decodable & SendableMetatype>(
        _ type: Shape.Type, note: String? = nil, make: @escaping @Sendable (Shape) throws -> Value
    ) {
        self.note = note
        self.type = type
        decode = { try make(Shape(from: $0)) }
        self.make = { shape in
            guard let shape = shape as? Shape else {
                throw StageMismatch(expected: "\(Shape.self)", found: "\(Swift.type(of: shape))")
            }
            return try make(shape)
        }
    }

    var typeName: String { String(describing: type) }
}
