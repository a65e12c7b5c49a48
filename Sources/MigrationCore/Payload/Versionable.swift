import Foundation

/// A type whose old documents are migrated by closures that edit the document before it is decoded.
///
///     extension Complex: Versionable {
///         enum Version: Int, VersionType {
///             case v1 = 1
///             case v2 = 2
///         }
///
///         static func migrate(to version: Version) -> Migration {
///             switch version {
///             case .v1: .none
///             case .v2: .migrate { payload in payload["text"] = "defaultText" }
///             }
///         }
///     }
///
/// The document keeps its version under the key `version`, where the type's own `version` property is stored.
///
/// ### Reading
/// - ``VersionableDecoder`` reads a document of any version.
/// - ``VersionableContainer`` contains a versionable value inside a larger one.
///
/// ### Seeing what happens
/// - ``MigrationChain/init(_:named:decoding:notes:intendedLosses:isRepeatable:fields:)`` creates a chain that checks
///   and traces documents.
/// - ``checkSamples(_:decoding:)`` checks stored samples of older versions.
public protocol Versionable: Codable {
    /// The versions.
    associatedtype Version: VersionType

    /// A closure that edits a document. The document is a dictionary of the values that JSONSerialization creates:
    /// strings, numbers, Booleans, null, arrays, and dictionaries.
    ///
    /// ``Migration/migrate(_:)`` also accepts a closure that throws. Use this name for closures that you store and call
    /// elsewhere.
    typealias MigrationClosure = (inout [String: Any]) -> Void

    /// Returns how a document of the previous version becomes one of `version`.
    static func migrate(to version: Version) -> Migration

    /// The newest version. The default is the last case.
    static var version: Version { get }

    /// The version that is stored in the document.
    var version: Version { get }
}

extension Versionable {
    /// The last case of ``Version``.
    public static var version: Version {
        let cases = Version.allCases
        return cases[cases.index(cases.endIndex, offsetBy: -1)]
    }
}

/// The way in which a document becomes one of the next version.
public enum Migration {
    /// There is nothing to do.
    case none
    /// The closure edits the document. Its `version` is set afterward.
    ///
    /// The closure may throw ``VersionedDecodingError/fieldNoLongerValid(_:)`` for a value without meaning in the next
    /// version, or any other error.
    case migrate((inout [String: Any]) throws -> Void)

    func callAsFunction(_ payload: inout [String: Any]) throws {
        switch self {
        case .none: break
        case .migrate(let closure): try closure(&payload)
        }
    }
}

/// The part of a document that states the version of a ``Versionable`` type.
struct VersionContainer<Version: VersionType>: Codable {
    var version: Version
}

/// The versions of a ``Versionable`` type, oldest first, as the cases of an enum.
///
///     enum Version: Int, VersionType {
///         case v1 = 1
///         case v2 = 2
///     }
///
/// Because a migration switches over the cases, the compiler requires a migration when you add a case.
///
/// If the raw values are names, the versions have the order of their declaration, even if `<` orders the names
/// differently, as with `v2` and `v10`. Traces warn about that. An enum that implements `<` itself has its own order.
public protocol VersionType: CaseIterable, Codable, Comparable, RawRepresentable {}

extension VersionType where RawValue: Comparable {
    /// Orders versions by their raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
