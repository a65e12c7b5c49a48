import DocumentModel
import Foundation

/// Reads JSON documents of any version of a ``Versionable`` type.
///
///     let complex = try VersionableDecoder().decode(Complex.self, from: data)
public final class VersionableDecoder: Sendable {
    /// A decoder.
    public init() {}

    /// Reads a document, and carries it forward if it is of an earlier version. A document of the newest version is
    /// decoded as it is.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - data: The JSON document.
    ///   - decoder: What decodes the version, and then the document.
    /// - Throws: What the decoder throws, what a migration throws, and an error for a payload that no JSON document can
    ///   hold.
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

extension Document {
    /// The JSON document that `data` is.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, as JSONDecoder does.
    init(payload data: Data) throws {
        do {
            try self.init(parsing: SourceBytes(data))
        } catch let error as DocumentParseError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
    }
}

extension Versionable {
    /// The versions, oldest first. Computed, because nothing says that versions may be passed between threads.
    ///
    /// Versions with names come in the order in which they are declared: `<` of the names would put `v10` before `v2`. An
    /// order that the enum defines itself counts.
    static var sortedVersions: [Version] {
        let declared = Array(Version.allCases)
        return ordersByName(declared) ? declared : declared.sorted()
    }

    /// The versions after `version`, in their order: the steps that a document of it has to take.
    static func versions(after version: Version) -> [Version] {
        Array(sortedVersions.drop { $0 != version }.dropFirst())
    }

    /// Whether `<` of the versions is that of their names.
    private static func ordersByName(_ versions: [Version]) -> Bool {
        zip(versions, versions.dropFirst()).allSatisfy { one, other in
            guard let name = one.rawValue as? String, let otherName = other.rawValue as? String else { return false }
            return (one < other) == (name < otherName)
        }
    }

    /// The first two versions that `<` has the other way round than their declaration, where that counts.
    static var versionsOutOfOrder: (Version, Version)? {
        let versions = sortedVersions
        return zip(versions, versions.dropFirst()).first { $1 < $0 }
    }

    /// Takes a document one step, to `version`.
    ///
    /// - Parameter isExplained: Whether what the migration throws comes with what it had done by then, as a
    ///   ``StepError``.
    /// - Throws: What the migration throws, and ``ReasonError`` for what no document can hold.
    static func migrated(_ document: Document, to version: Version, isExplained: Bool = false) throws -> Document {
        guard var payload = PayloadValue.value(of: document.root) as? [String: Any] else {
            throw DecodingError.typeMismatch(
                [String: Any].self,
                .init(
                    codingPath: [], debugDescription: "Expected an object to migrate, found \(document.root.briefText)."
                ))
        }
        let before = payload
        do {
            try migrate(to: version)(&payload)
        } catch {
            throw isExplained ? StepError(thrown: error, field: field(changedFrom: before, to: payload)) : error
        }
        payload["version"] = version.rawValue
        return try PayloadWriter.document(of: payload, editedFrom: document.root)
    }

    /// The one top-level field that a closure had taken away or changed when it threw; nil if there is not just one.
    private static func field(changedFrom before: [String: Any], to after: [String: Any]) -> DocumentPath? {
        let changed = before.filter { name, value in
            !NSDictionary(dictionary: [name: value]).isEqual(to: [name: after[name] ?? NSNull()])
        }
        return changed.count == 1 ? changed.first.map { DocumentPath([.key($0.key)]) } : nil
    }
}
