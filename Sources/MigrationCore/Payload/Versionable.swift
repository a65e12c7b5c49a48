import Foundation

/// A type whose old documents are carried forward by closures that edit the document before it is decoded.
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
/// - ``VersionableContainer`` holds a versionable value inside a larger one.
///
/// ### Seeing what happens
/// - ``MigrationChain/init(_:named:decoding:notes:intendedLosses:isRepeatable:fields:)`` makes a chain that checks and traces documents.
/// - ``checkSamples(_:decoding:)`` runs stored samples of older versions.
public protocol Versionable: Codable {
    /// The versions.
    associatedtype Version: VersionType

    /// Edits a document, which is a dictionary of what JSONSerialization makes: strings, numbers, booleans, null,
    /// arrays and dictionaries.
    ///
    /// A closure that may throw is good for ``Migration/migrate(_:)`` too; this name is for those that are kept and
    /// called elsewhere.
    typealias MigrationClosure = (inout [String: Any]) -> Void

    /// How a document of the version before becomes one of `version`.
    static func migrate(to version: Version) -> Migration

    /// The newest version; the last case unless you say otherwise.
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

/// How a document becomes one of the next version.
public enum Migration {
    /// There is nothing to do.
    case none
    /// The closure edits the document. Its `version` is set afterwards.
    ///
    /// The closure may throw: ``VersionedDecodingError/fieldNoLongerValid(_:)`` for a value without meaning in the next
    /// version, or any error of its own.
    case migrate((inout [String: Any]) throws -> Void)

    func callAsFunction(_ payload: inout [String: Any]) throws {
        switch self {
        case .none: break
        case .migrate(let closure): try closure(&payload)
        }
    }
}

/// The part of a document that says which version of a ``Versionable`` type it is.
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
/// Because a migration switches over the cases, the compiler asks for a migration when a case is added.
///
/// Where the raw values are names, the versions come in the order in which they are declared, also where `<` of the names
/// says otherwise, as of `v2` and `v10`; a trace warns of that. An enum that defines `<` itself has its own order.
public protocol VersionType: CaseIterable, Codable, Comparable, RawRepresentable {}

extension VersionType where RawValue: Comparable {
    /// Versions come in the order of their raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
