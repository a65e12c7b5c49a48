import DocumentModel
import Foundation

/// Reads JSON documents of any version of a ``Versionable`` type.
///
///     let complex = try VersionableDecoder().decode(Complex.self, from: data)
public final class VersionableDecoder: Sendable {
    /// Creates a decoder.
    public init() {}

    /// Reads a document, and migrates it if it has an earlier version. A document of the newest version is decoded
    /// unchanged.
    ///
    /// In a release build, the values are decoded as by `JSONDecoder.decode(versioned:from:)`: without text between
    /// the closures and the type, and with the errors of the decoder.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - data: The JSON document.
    ///   - decoder: The decoder for the version, and then for the document.
    /// - Throws: Any error of the decoder or a migration, or an error if no JSON document can hold the payload.
    public func decode<T>(
        _ type: T.Type, from data: Data, usingDecoder decoder: JSONDecoder = .init()
    ) throws -> T where T: Versionable {
        let source = PayloadSource(data, decoder)
        return try decode(type, of: source.value(VersionContainer<T.Version>.self).version, from: source)
    }

    /// Reads a document that is known to have the version `stored`.
    func decode<T: Versionable>(
        _ type: T.Type, of stored: T.Version, from data: Data, usingDecoder decoder: JSONDecoder
    ) throws -> T {
        try decode(type, of: stored, from: PayloadSource(data, decoder))
    }

    private func decode<T: Versionable>(_ type: T.Type, of stored: T.Version, from source: PayloadSource) throws -> T {
        guard stored != T.version else { return try source.value(T.self) }
        let document = try T.versions(after: stored).reduce(source.document) { document, version in
            try T.migrated(document, to: version)
        }
        return try FastJSONDecoding(document, as: source.decoder)?.value(T.self)
            ?? FastJSONDecoding.asking { try source.decoder.decode(T.self, from: JSONWriter().data(document.root)) }
    }
}

/// The JSON document that a ``VersionableDecoder`` reads.
private struct PayloadSource {
    private let data: Data
    let decoder: JSONDecoder
    private let fast: FastJSONDecoding?

    init(_ data: Data, _ decoder: JSONDecoder) {
        (self.data, self.decoder) = (data, decoder)
        fast = FastJSONDecoding(data, as: decoder)
    }

    var document: Document { get throws { try fast?.document ?? Document(payload: data) } }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try fast?.value(type) ?? FastJSONDecoding.asking { try decoder.decode(type, from: data) }
    }
}

extension Document {
    /// Creates the JSON document in `data`.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, like JSONDecoder.
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
    /// The versions, oldest first. This is a computed property because versions need not be `Sendable`.
    ///
    /// Versions with names have the order of their declaration, because `<` on the names would put `v10` before `v2`.
    /// If the enum defines its own order, that one counts.
    static var sortedVersions: [Version] {
        let declared = Array(Version.allCases)
        return ordersByName(declared) ? declared : declared.sorted()
    }

    /// Returns the versions after `version` in order: the steps that a document of that version must take.
    static func versions(after version: Version) -> [Version] {
        Array(sortedVersions.drop { $0 != version }.dropFirst())
    }

    /// Returns whether `<` compares the names of the versions.
    private static func ordersByName(_ versions: [Version]) -> Bool {
        zip(versions, versions.dropFirst()).allSatisfy { one, other in
            guard let name = one.rawValue as? String, let otherName = other.rawValue as? String else { return false }
            return (one < other) == (name < otherName)
        }
    }

    /// The first two versions that `<` orders differently from their declaration, if the declaration counts.
    static var versionsOutOfOrder: (Version, Version)? {
        let versions = sortedVersions
        return zip(versions, versions.dropFirst()).first { $1 < $0 }
    }

    /// Migrates a document by one step, to `version`.
    ///
    /// - Parameter isExplained: Whether to wrap an error of the migration, together with the changes made before it, in
    ///   a ``StepError``.
    /// - Throws: Any error of the migration, and ``ReasonError`` if no document can hold a value.
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

    /// Returns the only top-level field that a closure had removed or changed when it threw an error, or nil if there
    /// isn't exactly one.
    private static func field(changedFrom before: [String: Any], to after: [String: Any]) -> DocumentPath? {
        let changed = before.filter { name, value in
            !NSDictionary(dictionary: [name: value]).isEqual(to: [name: after[name] ?? NSNull()])
        }
        return changed.count == 1 ? changed.first.map { DocumentPath([.key($0.key)]) } : nil
    }
}
