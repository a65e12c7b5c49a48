import DocumentModel

/// The outcome of one document: what a check keeps of a trace.
public struct CheckResult: Sendable, Hashable {
    /// The name of the document.
    public var source: String
    /// The form of the document; nil if that could not be made out.
    public var format: DocumentFormat?
    /// What the document lies in; nil for one that is a file of its own.
    public var container: DocumentContainer?
    /// The name of the chain; nil if none claims the document.
    public var chain: String?
    /// The version as it was found; `unversioned` (null) also where the document has no version key, nil (null) where
    /// none was found out.
    public var version: DocumentVersion?
    /// Where the version was found.
    public var versionPath: DocumentPath?
    /// The version that was to be reached.
    public var target: DocumentVersion?
    /// What came of it.
    public var outcome: MigrationOutcome
    /// Why it failed, if it did.
    public var failure: MigrationFailure?
    /// The topmost fields of the document that nothing read, elements of arrays folded to `[*]`.
    public var dropped: [DocumentPath]
    /// What a person should know though nothing failed.
    public var warnings: [Reason]

    /// Makes a result from its parts.
    public init(
        source: String, format: DocumentFormat? = nil, container: DocumentContainer? = nil, chain: String? = nil,
        version: DocumentVersion? = nil,
        versionPath: DocumentPath? = nil, target: DocumentVersion? = nil, outcome: MigrationOutcome,
        failure: MigrationFailure? = nil, dropped: [DocumentPath] = [], warnings: [Reason] = []
    ) {
        self.source = source
        self.format = format
        self.container = container
        self.chain = chain
        self.version = version
        self.versionPath = versionPath
        self.target = target
        self.outcome = outcome
        self.failure = failure
        self.dropped = dropped
        self.warnings = warnings
    }

    /// What a check would have kept of `trace`.
    public init(_ trace: MigrationTrace) {
        self.init(
            source: trace.source, format: trace.format, chain: trace.chain, version: trace.detection.version,
            versionPath: trace.detection.path, target: trace.target, outcome: trace.outcome, failure: trace.failure,
            dropped: trace.dropped, warnings: trace.toldWarnings)
    }
}

extension CheckResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case source, format, container, chain, version, versionPath, target, outcome, failure, dropped, warnings
    }

    /// Reads a result back. A version of null is taken for that of a document without a version key when the document
    /// got as far as its first step, and for one that was not made out otherwise.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try container.decode(String.self, forKey: .source),
            format: try container.decodeIfPresent(DocumentFormat.self, forKey: .format),
            container: try container.decodeIfPresent(DocumentContainer.self, forKey: .container),
            chain: try container.decodeIfPresent(String.self, forKey: .chain),
            version: try container.decodeIfPresent(DocumentVersion.self, forKey: .version),
            versionPath: try container.decodeIfPresent(DocumentPath.self, forKey: .versionPath),
            target: try container.decodeIfPresent(DocumentVersion.self, forKey: .target),
            outcome: try container.decode(MigrationOutcome.self, forKey: .outcome),
            failure: try container.decodeIfPresent(MigrationFailure.self, forKey: .failure),
            dropped: try container.decode([DocumentPath].self, forKey: .dropped),
            warnings: try container.decode([String].self, forKey: .warnings).map { .text($0) })
        let wasDecoded = outcome == .current || outcome == .migrated || failure?.step != nil
        if version == nil, wasDecoded { version = .unversioned }
    }

    /// Writes every field, null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(format, forKey: .format)
        try container.encode(self.container, forKey: .container)
        try container.encode(chain, forKey: .chain)
        try container.encode(version, forKey: .version)
        try container.encode(versionPath, forKey: .versionPath)
        try container.encode(target, forKey: .target)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(failure, forKey: .failure)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(warnings.map(\.description), forKey: .warnings)
    }
}

/// What came of opening a document.
public enum MigrationOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The document was of the newest version already.
    case current
    /// The document was carried forward to the newest version.
    case migrated
    /// The document could not be parsed, decoded or carried forward.
    case failed
    /// No chain, or more than one, claims the document.
    case unrecognized
    /// The document could not be read at all.
    case unreadable
}
