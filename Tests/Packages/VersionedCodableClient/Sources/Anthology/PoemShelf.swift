import Foundation
import MigrationCore

/// Keeps documents of any versioned type, as JSON or as binary property lists.
public struct PoemShelf {
    public var isBinary = false

    public init() {}

    public func archive<Document: VersionedCodable>(_ document: Document) throws -> Data {
        if isBinary {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode(versioned: document)
        }
        return try JSONEncoder().encode(versioned: document)
    }

    public func open<Document: VersionedCodable>(_ type: Document.Type, from data: Data) throws -> Document {
        isBinary
            ? try PropertyListDecoder().decode(versioned: type, from: data)
            : try JSONDecoder().decode(versioned: type, from: data)
    }

    /// Returns the versions of a type, newest first.
    public static func versions(of type: any VersionedCodable.Type) -> [Int?] {
        func previous<T: VersionedCodable>(_ type: T.Type) -> any VersionedCodable.Type { T.PreviousVersion.self }
        return type == NothingEarlier.self ? [] : [type.version] + versions(of: previous(type))
    }
}

/// A custom coder, with a first line that identifies the format, followed by JSON.
public struct BannerCoder {
    public static let banner = Data("ANTHOLOGY\n".utf8)

    public init() {}

    public func encode(_ value: any VersionedCodable) throws -> Data {
        try value.encodeTransparently { try Self.banner + JSONEncoder().encode($0) }
    }

    public func decode<T: VersionedCodable>(_ type: T.Type, from data: Data) throws -> T {
        try T.decodeTransparently(
            from: data, using: { try JSONDecoder().decode($0, from: $1.dropFirst(Self.banner.count)) })
    }
}
