/// The location of a document's version: a type with the shape of only that part of the document.
///
///     struct InMetadata: VersionPathSpec {
///         static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.documentVersion
///         var metadata: Metadata
///         struct Metadata: Codable { var documentVersion: Int? }
///         init(withVersion version: Int?) { metadata = Metadata(documentVersion: version) }
///     }
///
/// Versions of a document may keep it in different locations. A value in the newest type's location is the only one
/// that counts. If a document has none there, the locations of older types are read, and a version counts if it belongs
/// to a type with that location. VersionedCodable reads only the newest type's location, and refuses such a document.
public protocol VersionPathSpec: Codable {
    /// The key path to the version within this type. It must not change while the program runs: declare it as a `static
    /// let`.
    nonisolated(unsafe) static var keyPathToVersion: KeyPath<Self, Int?> { get }

    /// Creates the part of a document that states the given version.
    init(withVersion version: Int?)
}

/// A version that is kept in `version` at the root of the document.
public struct VersionKeyAtRootVersionPathSpec: VersionPathSpec {
    /// The key path to `version`.
    public static let keyPathToVersion: KeyPath<Self, Int?> = \Self.version

    let version: Int?

    /// Creates the part of a document that states the given version.
    public init(withVersion version: Int? = nil) { self.version = version }
}
