/// A type that stands for one version of a document, and knows how to make itself from the version before.
///
/// Give each shape that your document ever had a type of its own, the newest one the name that your app uses. Each type
/// says which version it is, which type came before it, and how to make one of itself from that:
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
/// - `JSONEncoder.encode(versioned:)` and `PropertyListEncoder.encode(versioned:)` write one of the newest.
/// - ``decodeTransparently(from:using:)`` and ``encodeTransparently(using:)`` do the same with any other coder.
///
/// ### Seeing what happens
/// - ``MigrationChain/init(_:named:decoding:encoding:notes:intendedLosses:isRepeatable:)`` makes a chain of the types, which checks and traces
///   documents.
///
/// - Warning: The version is written into the document beside the type's own fields. A field of the type at the same
///   path is overwritten when the document is written, and is read in place of the version when it is read. A trace
///   warns of it.
public protocol VersionedCodable: Codable {
    /// The version that this type stands for; nil for the shape that documents had before they had a version key.
    ///
    /// It must not change while the program runs: declare it as a `static let`.
    static var version: Int? { get }

    /// The type of the version before, or ``NothingEarlier`` if this is the oldest.
    associatedtype PreviousVersion: VersionedCodable

    /// Where the document keeps its version; unless you say otherwise, in `version` at the root.
    associatedtype VersionSpec: VersionPathSpec = VersionKeyAtRootVersionPathSpec

    /// Makes a value from one of the version before. Not needed where that is ``NothingEarlier``.
    ///
    /// - Throws: ``VersionedDecodingError/fieldNoLongerValid(_:)`` when a value of the old version has no meaning in
    ///   this one; any other error of your own.
    init(from: PreviousVersion) throws
}
