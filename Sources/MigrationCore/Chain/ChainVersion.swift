/// One version of a chain.
public struct ChainVersion: Sendable, Hashable, Codable {
    /// The version.
    public var version: DocumentVersion
    /// The name of the type that stands for it.
    public var type: String

    /// Makes a version from its parts.
    public init(version: DocumentVersion, type: String) {
        self.version = version
        self.type = type
    }
}
