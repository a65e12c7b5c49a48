import Foundation

/// A shape that a document has or had, made from the one before it.
///
/// This is the least that opening a document of any version can cost with Foundation: read the version, decode the type of that version,
/// run the initializers. VersionedCodable does the same.
public protocol VersionedDocument: Codable {
    associatedtype Earlier: VersionedDocument

    /// The number of the shape.
    static var version: Int? { get }

    /// Makes this shape from the one before it.
    init(from earlier: Earlier) throws
}

/// The shape before the first.
public enum Nothing: VersionedDocument {
    public static var version: Int? { nil }

    public init(from earlier: Nothing) throws { throw UnsupportedVersion() }
    public init(from decoder: any Decoder) throws { throw UnsupportedVersion() }
    public func encode(to encoder: any Encoder) throws {}
}

/// No shape has the document's version.
public struct UnsupportedVersion: Error {}

/// Where a document says which shape it has.
private struct VersionKey: Decodable {
    var version: Int?
}

extension JSONDecoder {
    /// Opens a document of any version.
    public func open<Document: VersionedDocument>(_ type: Document.Type, from data: Data) throws -> Document {
        try open(type, from: data, version: decode(VersionKey.self, from: data).version)
    }

    private func open<Document: VersionedDocument>(_ type: Document.Type, from data: Data, version: Int?) throws
        -> Document
    {
        if type.version == version { return try decode(type, from: data) }
        return try Document(from: open(Document.Earlier.self, from: data, version: version))
    }
}

extension ReadyTree {
    /// Opens a document of any version without parsing anything: the limit of what any decoder can reach.
    ///
    /// - Parameter each: Given the value of each version that was made from the one before it.
    public func open<Document: VersionedDocument>(
        _ type: Document.Type, each: (any Encodable) throws -> Void = { _ in }
    ) throws -> Document {
        try open(type, version: decode(VersionKey.self).version, each)
    }

    private func open<Document: VersionedDocument>(
        _ type: Document.Type, version: Int?, _ each: (any Encodable) throws -> Void
    ) throws -> Document {
        if type.version == version { return try decode(type) }
        let document = try Document(from: open(Document.Earlier.self, version: version, each))
        try each(document)
        return document
    }
}
