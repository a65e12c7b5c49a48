import DocumentModel

/// Why a document could not be opened: the kind of error, the step, the field behind it, and its place in the source.
public struct MigrationFailure: Sendable, Hashable {
    /// The kinds of failure.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A step threw ``VersionedDecodingError/fieldNoLongerValid(_:)``.
        case fieldNoLongerValid
        /// The chain has no version that fits.
        case unsupportedVersion
        /// `DecodingError.keyNotFound`.
        case keyNotFound
        /// `DecodingError.typeMismatch`.
        case typeMismatch
        /// `DecodingError.valueNotFound`.
        case valueNotFound
        /// `DecodingError.dataCorrupted`.
        case dataCorrupted
        /// The text is not a document.
        case malformed
        /// The bytes could not be read.
        case unreadable
        /// A step threw an error of its own.
        case thrown
    }

    /// The step that failed.
    public struct Step: Sendable, Hashable, Codable {
        /// The version before.
        public var from: DocumentVersion
        /// The version that was not reached.
        public var to: DocumentVersion

        /// Makes a step from its ends.
        public init(from: DocumentVersion, to: DocumentVersion) {
            self.from = from
            self.to = to
        }
    }

    /// The field of the old document behind the failure.
    public struct Culprit: Sendable, Hashable, Codable {
        /// Where the field is in the document before the step.
        public var path: DocumentPath
        /// Whether the error itself names the field. If not, it is the likeliest candidate, and to be shown as that.
        public var certain: Bool

        /// Makes a culprit from its parts.
        public init(path: DocumentPath, certain: Bool) {
            self.path = path
            self.certain = certain
        }
    }

    /// The kind of error.
    public var kind: Kind
    /// The step that failed; nil when the document failed before the first step.
    public var step: Step?
    /// The path that the error names, of the old shape or the new one.
    public var path: DocumentPath?
    /// The field behind the failure, if there is one to name.
    public var culprit: Culprit?
    /// The error in words.
    public var message: String
    /// Where the culprit's value begins in the source; without a culprit the value at `path`, without that the innermost container on the
    /// way there; for a malformed document the offending byte.
    public var location: SourceLocation?
    /// The versions that were tried, newest first, when the version is not supported.
    public var tried: [DocumentVersion]?

    /// Makes a failure from its parts.
    public init(
        kind: Kind, step: Step? = nil, path: DocumentPath? = nil, culprit: Culprit? = nil, message: String,
        location: SourceLocation? = nil, tried: [DocumentVersion]? = nil
    ) {
        self.kind = kind
        self.step = step
        self.path = path
        self.culprit = culprit
        self.message = message
        self.location = location
        self.tried = tried
    }
}

extension MigrationFailure: Codable {
    private enum CodingKeys: String, CodingKey { case kind, step, path, culprit, message, location, tried }

    /// Writes every field, null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(step, forKey: .step)
        try container.encode(path, forKey: .path)
        try container.encode(culprit, forKey: .culprit)
        try container.encode(message, forKey: .message)
        try container.encode(location, forKey: .location)
        try container.encode(tried, forKey: .tried)
    }
}
