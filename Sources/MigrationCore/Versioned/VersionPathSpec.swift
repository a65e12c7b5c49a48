/// Where a document keeps its version: a type with the shape of just that part of the document.
///
///     struct InMetadata: VersionPathSpec {
///         static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.documentVersion
///         var metadata: Metadata
///         struct Metadata: Codable { var documentVersion: Int? }
///         init(withVersion version: Int?) { metadata = Metadata(documentVersion: version) }
///     }
///
/// Versions of a document may keep it in different places. What stands at the newest type's place decides alone; only
/// where a document has nothing there are the places of older types asked, and a version counts there if a type that has
/// it keeps it there. VersionedCodable asks at the newest type's place only, and refuses such a document.
public protocol VersionPathSpec: Codable {
    /// The way to the version within this type. It must not change while the program runs: declare it as a `static
    /// let`.
    nonisolated(unsafe) static var keyPathToVersion: KeyPath<Self, Int?> { get }

    /// The part of a document that says it is of that version.
    init(withVersion version: Int?)
}

/// A version kept in `version` at the root of the document.
public struct VersionKeyAtRootVersionPathSpec: VersionPathSpec {
    /// The way to `version`.
    public static let keyPathToVersion: KeyPath<Self, Int?> = \Self.version

    let version: Int?

    /// The part of a document that says it is of that version.
    public init(withVersion version: Int? = nil) { self.version = version }
}
