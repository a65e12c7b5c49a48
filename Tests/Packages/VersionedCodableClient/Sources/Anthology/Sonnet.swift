import Foundation
import MigrationCore

/// A sonnet with its version inside its metadata.
public struct Sonnet: VersionedCodable {
    public var author: String
    public var body: [Stanza]

    public enum Stanza: Codable, Equatable {
        case quatrain([String])
        case couplet([String])
    }

    public static let version: Int? = 2
    public typealias PreviousVersion = SonnetV1
    public typealias VersionSpec = InMetadata

    public init(from old: SonnetV1) throws {
        author = old.author
        body = old.body.quatrains.map(Stanza.quatrain) + old.body.couplets.map(Stanza.couplet)
    }

    public struct InMetadata: VersionPathSpec {
        public static let keyPathToVersion: KeyPath<Sonnet.InMetadata, Int?> = \Self.metadata.documentVersion

        var metadata: Metadata

        struct Metadata: Codable {
            var documentVersion: Int?
        }

        public init(withVersion version: Int?) { metadata = Metadata(documentVersion: version) }
    }
}

/// A sonnet with its version at the root, under another name.
public struct SonnetV1: VersionedCodable {
    public var author: String
    var body: Body

    struct Body: Codable {
        var quatrains: [[String]]
        var couplets: [[String]]
    }

    public static let version: Int? = 1
    public typealias PreviousVersion = NothingEarlier

    public struct VersionSpec: VersionPathSpec {
        public static let keyPathToVersion: KeyPath<Self, Int?> = \Self._version

        var _version: Int?

        public init(withVersion _version: Int? = nil) { self._version = _version }
    }
}
