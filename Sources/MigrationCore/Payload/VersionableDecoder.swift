import DocumentModel
import Foundation

/// Reads JSON documents of any version of a ``Versionable`` type.
///
///     let complex = try VersionableDecoder().decode(Complex.self, from: data)
public final class VersionableDecoder: Sendable {
    /// A decoder.
    public init() {}

    /// Reads a document, and carries it forward if it is of an earlier version. A document of the newest version is decoded as it is.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - data: The JSON document.
    ///   - decoder: What decodes the version, and then the document.
    /// - Throws: What the decoder throws, what a migration throws, and an error for a payload that no JSON document can hold.
    public func decode<T>(
        _ type: T.Type, from data: Data, usingDecoder decoder: JSONDecoder = .init()
    ) throws -> T where T: Versionable {
        let stored = try decoder.decode(VersionContainer<T.Version>.self, from: data).version
        return try decode(type, of: stored, from: data, usingDecoder: decoder)
    }

    /// Reads a document that is known to be of version `stored`.
    func decode<T: Versionable>(
        _ type: T.Type, of stored: T.Version, from data: Data, usingDecoder decoder: JSONDecoder
    ) throws -> T {
        guard stored != T.version else { return try decoder.decode(T.self, from: data) }
        let document = try T.versions(after: stored).reduce(Document(payload: data)) { document, version in
            try T.migrated(document, to: version)
        }
        return try decoder.decode(T.self, from: JSONWriter().data(document.root))
    }
}
