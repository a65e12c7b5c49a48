/// A type whose values are read from the first of several shapes that fits.
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
/// Nothing changes where such a type is decoded: `JSONDecoder().decode(User.self, from: data)` reads every shape, at the root or anywhere
/// inside a larger value. A ``MigrationTrace`` shows each such value as a part, with what was tried.
///
/// - Warning: The first shape that fits is taken. Where an old document also has all that the newest shape asks for, because what is new
///   is optional, say, it is taken for a new one, and what only the old shape reads is lost. Traces and checks warn of that.
public protocol FallbackDecodable: Decodable {
    /// The shapes, newest first.
    static var shapes: [FallbackShape<Self>] { get }
}

extension FallbackDecodable {
    /// Reads the value from the first of ``shapes`` that fits.
    ///
    /// - Throws: What the oldest shape throws, when none fits.
    public init(from decoder: any Decoder) throws { self = try decoder.decodeFirst(of: Self.shapes) }
}
