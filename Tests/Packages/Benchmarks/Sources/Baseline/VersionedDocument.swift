import Foundation

/// A current or earlier shape of a document, made from the shape before it.
///
/// This is the least work that opening a document of any version can take with Foundation: read the version, decode the
/// type of that version, run the initializers. VersionedCodable does the same.
public protocol VersionedDocument: Codable {
    associatedtype Earlier: VersionedDocument

    /// The number of the shape.
    static var version: Int? { get }

    /// Makes this shape from the one before it.
    init(from earlier: Earlier) throws
}

/// The shape before the first one.
public enum Nothing: VersionedDocument {
    public static var version: Int? { nil }

    public init(from earlier: Nothing) throws { throw UnsupportedVersion() }
    public init(from decoder: any Decoder) throws { throw UnsupportedVersion() }
    public func encode(to encoder: any Encoder) throws {}
}

/// An error for a document whose version no shape has.
public struct UnsupportedVersion: Error {}

/// The part of a document that contains its version.
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
