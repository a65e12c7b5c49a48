import DocumentModel

/// Which version a document is, and how that was found out.
public struct VersionDetection: Sendable, Equatable {
    /// The version as it was found, also when the chain does not know it; nil when none could be made out.
    public var version: DocumentVersion?
    /// Where it was found; nil when the document has no version key.
    public var path: DocumentPath?
    /// The versions that were looked at, newest first.
    public var attempts: [Attempt]

    /// One version that was looked at.
    public struct Attempt: Sendable, Equatable {
        /// The version.
        public var version: DocumentVersion
        /// The type that stands for it.
        public var type: String
        /// Where this version's type keeps the version key; nil when it keeps none.
        public var path: DocumentPath?
        /// What was found there; nil when nothing was.
        public var found: Document?
        /// Why the document is not of this version; nil for the version that it is.
        public var reason: Reason?

        /// Makes an attempt from its parts.
        public init(
            version: DocumentVersion, type: String, path: DocumentPath? = nil, found: Document? = nil, reason: Reason?
        ) {
            self.version = version
            self.type = type
            self.path = path
            self.found = found
            self.reason = reason
        }
    }

    /// Makes a detection from its parts.
    public init(version: DocumentVersion? = nil, path: DocumentPath? = nil, attempts: [Attempt] = []) {
        self.version = version
        self.path = path
        self.attempts = attempts
    }
}

extension VersionDetection: Codable {
    private enum CodingKeys: String, NullableCodingKey { case version, path, attempts }

    /// Reads a detection.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let attempts = try container.decode([Attempt].self, forKey: .attempts)
        // A document without a version and one of unknown version both have null; which it is, the attempts say.
        let version = try container.decodeIfPresent(DocumentVersion.self, forKey: .version)
        self.init(
            version: version ?? attempts.first { $0.reason == nil }?.version,
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path), attempts: attempts)
    }
}
