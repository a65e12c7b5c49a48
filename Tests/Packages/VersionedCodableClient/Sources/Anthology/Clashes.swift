import MigrationCore

/// A poem with a field where the version is written.
public struct PoemWithClash: VersionedCodable {
    public var content: String
    public var version: Int

    public static let version: Int? = 1
    public typealias PreviousVersion = NothingEarlier

    public init(content: String, version: Int) {
        self.content = content
        self.version = version
    }
}

/// A sonnet with a field of another type where the version is written.
public struct SonnetWithClash: VersionedCodable {
    let metadata: Metadata

    struct Metadata: Codable {
        var version: String
    }

    public static let version: Int? = 1
    public typealias PreviousVersion = NothingEarlier
    public typealias VersionSpec = VersionPath

    public struct VersionPath: VersionPathSpec {
        public static let keyPathToVersion: KeyPath<SonnetWithClash.VersionPath, Int?> = \Self.metadata.version

        let metadata: Metadata

        struct Metadata: Codable {
            var version: Int?
        }

        public init(withVersion version: Int?) { metadata = Metadata(version: version) }
    }

    public init(version: String) { metadata = Metadata(version: version) }
}
