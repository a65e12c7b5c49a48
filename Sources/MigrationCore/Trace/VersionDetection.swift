import DocumentModel

/// The version of a document, and how it was determined.
public struct VersionDetection: Sendable, Equatable {
    /// The version that was found, even if the chain does not know it. Nil if no version could be determined.
    public var version: DocumentVersion?
    /// The path of the version, or nil if the document has no version key.
    public var path: DocumentPath?
    /// The versions that were examined, newest first.
    public var attempts: [Attempt]

    /// One version that was examined.
    public struct Attempt: Sendable, Equatable {
        /// The version.
        public var version: DocumentVersion
        /// The type of that version.
        public var type: String
        /// The path where this version's type keeps the version key, or nil if it keeps none.
        public var path: DocumentPath?
        /// The value found at that path, or nil if there was none.
        public var found: Document?
        /// Why the document does not have this version, or nil if it has.
        public var reason: Reason?

        /// Creates an attempt from its parts.
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

    /// Creates a detection from its parts.
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
        // In files, an unversioned document and one of unknown version are both written as null. The attempts show which
        // it is.
        let other = decoder.messageDocuments == nil ? attempts.first { $0.reason == nil }?.version : nil
        self.init(
            version: try container.decodeIfPresent(DocumentVersion.self, forKey: .version) ?? other,
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path), attempts: attempts)
    }
}
