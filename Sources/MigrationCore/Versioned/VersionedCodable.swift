/// A type that represents one version of a document, and can be made from the previous version.
///
/// Give each shape that your document ever had its own type, and give the newest one the name that your app uses. Each
/// type declares its version, the type of the previous version, and how to make a value from that:
///
///     struct Poem: VersionedCodable {
///         var author: String
///         var lines: [String]
///
///         static let version: Int? = 2
///         typealias PreviousVersion = PoemV1
///
///         init(from old: PoemV1) throws {
///             author = old.author
///             lines = old.poem.components(separatedBy: "\n")
///         }
///     }
///
/// ### Reading and writing
/// - `JSONDecoder.decode(versioned:from:)` and `PropertyListDecoder.decode(versioned:from:)` read a document of any
///   version.
/// - `JSONEncoder.encode(versioned:)` and `PropertyListEncoder.encode(versioned:)` write a document of the newest
///   version.
/// - ``decodeTransparently(from:using:)`` and ``encodeTransparently(using:)`` do the same with any other coder.
///
/// ### Seeing what happens
/// - ``MigrationChain/init(_:named:decoding:encoding:notes:intendedLosses:isRepeatable:)`` creates a chain of the
///   types, which checks and traces documents.
///
/// - Warning: The version is written into the document next to the type's own fields. A field of the type at the same
///   path is overwritten when the document is written, and is read as the version when the document is read. Traces
///   warn about that.
public protocol VersionedCodable: Codable {
    /// The version that this type represents, or nil for the shape that documents had before they had a version key.
    ///
    /// It must not change while the program runs: declare it as a `static let`.
    static var version: Int? { get }

    /// The type of the previous version, or ``NothingEarlier`` if this is the oldest.
    associatedtype PreviousVersion: VersionedCodable

    /// The location of the version in the document. The default is `version` at the root.
    associatedtype VersionSpec: VersionPathSpec = VersionKeyAtRootVersionPathSpec

    /// Makes a value from one of the previous version. You don't need to implement this if that is ``NothingEarlier``.
    ///
    /// - Throws: ``VersionedDecodingError/fieldNoLongerValid(_:)`` if a value of the old version has no meaning in this
    ///   one, or any other error.
    init(from: PreviousVersion) throws
}
