import DocumentModel

/// A trace is a versioned document itself: when its shape changes, older trace files migrate with this library.
extension MigrationTrace: VersionedCodable {
    /// The version of the trace file.
    public static let version: Int? = 1
    /// There is no earlier one.
    public typealias PreviousVersion = NothingEarlier

    /// The version of a trace is in `traceVersion`, for `version` is the document's.
    public struct VersionSpec: VersionPathSpec {
        /// The way to `traceVersion`.
        public static let keyPathToVersion: KeyPath<Self, Int?> = \Self.traceVersion
        let traceVersion: Int?

        /// The part of a trace file that says it is of that version.
        public init(withVersion version: Int?) { traceVersion = version }
    }

    private enum CodingKeys: String, CodingKey {
        case traceVersion, source, format, chain, versions, target, detection, steps, path, parts, dropped, warnings,
            outcome
        case failure, document, result, decodingSeconds
    }

    /// Reads a trace; differences between the documents are found anew.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let steps = try container.decode([MigrationStep].self, forKey: .steps)
        self.init(
            source: try container.decode(String.self, forKey: .source),
            format: try container.decodeIfPresent(DocumentFormat.self, forKey: .format),
            chain: try container.decodeIfPresent(String.self, forKey: .chain),
            versions: try container.decodeIfPresent([ChainVersion].self, forKey: .versions) ?? [],
            target: try container.decodeIfPresent(DocumentVersion.self, forKey: .target),
            detection: try container.decode(VersionDetection.self, forKey: .detection),
            steps: steps,
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path),
            parts: try container.decode([MigrationTrace].self, forKey: .parts),
            dropped: try container.decode([DocumentPath].self, forKey: .dropped),
            warnings: try container.decode([String].self, forKey: .warnings),
            outcome: try container.decode(MigrationOutcome.self, forKey: .outcome),
            failure: try container.decodeIfPresent(MigrationFailure.self, forKey: .failure),
            document: try container.decodeIfPresent(Document.self, forKey: .document) ?? steps.first?.before,
            result: try container.decodeIfPresent(Document.self, forKey: .result),
            decodingSeconds: try container.decodeIfPresent(Double.self, forKey: .decodingSeconds) ?? 0)
    }

    /// Writes every field, null for what is not there, and the changes and the patch of every step.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Beside being written as the version, it comes first, where a person looks.
        try container.encode(Self.version, forKey: .traceVersion)
        try container.encode(source, forKey: .source)
        try container.encode(format, forKey: .format)
        try container.encode(chain, forKey: .chain)
        try container.encode(versions, forKey: .versions)
        try container.encode(target, forKey: .target)
        try container.encode(detection, forKey: .detection)
        try container.encode(steps, forKey: .steps)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encode(parts, forKey: .parts)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(warnings, forKey: .warnings)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(failure, forKey: .failure)
        // The first step holds the document already.
        if steps.isEmpty { try container.encode(document?.inJSON(), forKey: .document) }
        try container.encode(result?.inJSON(), forKey: .result)
        try container.encode(decodingSeconds, forKey: .decodingSeconds)
    }
}

extension MigrationStep: Codable {
    private enum CodingKeys: String, CodingKey {
        case from, to, fromType, toType, note, seconds, before, after, changes, patch
    }

    /// Reads a step; its changes are found anew.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try container.decodeIfPresent(DocumentVersion.self, forKey: .from) ?? .unversioned,
            to: try container.decodeIfPresent(DocumentVersion.self, forKey: .to) ?? .unversioned,
            fromType: try container.decode(String.self, forKey: .fromType),
            toType: try container.decode(String.self, forKey: .toType),
            note: try container.decodeIfPresent(String.self, forKey: .note),
            seconds: try container.decode(Double.self, forKey: .seconds),
            before: try container.decode(Document.self, forKey: .before),
            after: try container.decodeIfPresent(Document.self, forKey: .after))
    }

    /// Writes the step with its changes and its patch, which are empty for the step that failed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(fromType, forKey: .fromType)
        try container.encode(toType, forKey: .toType)
        try container.encode(note, forKey: .note)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(before.inJSON(), forKey: .before)
        try container.encode(after?.inJSON(), forKey: .after)
        let difference = difference
        try container.encode(difference?.changes.map(WrittenChange.init) ?? [], forKey: .changes)
        let patch = (difference?.patch ?? JSONPatch()).document
        // A patch is JSON of itself, but its values are the documents'.
        try container.encode(before.format.isPropertyList ? DocumentEncoder().encode(patch) : patch, forKey: .patch)
    }
}

extension Document {
    /// The document as a trace file has it, whichever encoder writes that: what only property lists have is wrapped, as by ``JSONWriter``.
    fileprivate func inJSON() throws -> Document {
        format.isPropertyList ? try DocumentEncoder().encode(self) : self
    }
}

/// A change as a trace file has it. The values stand for themselves, so what is not there is left out rather than null.
private struct WrittenChange: Encodable {
    let change: DocumentChange

    private enum CodingKeys: String, CodingKey { case kind, path, from, old, new }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(change.kind, forKey: .kind)
        try container.encode(change.path, forKey: .path)
        try container.encodeIfPresent(change.from, forKey: .from)
        try container.encodeIfPresent(change.old.map { try Document(copying: $0).inJSON() }, forKey: .old)
        try container.encodeIfPresent(change.new.map { try Document(copying: $0).inJSON() }, forKey: .new)
    }
}

extension VersionDetection: Codable {
    private enum CodingKeys: String, CodingKey { case version, path, attempts }

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

    /// Writes every field, null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(path, forKey: .path)
        try container.encode(attempts, forKey: .attempts)
    }
}

extension VersionDetection.Attempt: Codable {
    private enum CodingKeys: String, CodingKey { case version, type, path, found, reason }

    /// Reads an attempt.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            version: try container.decodeIfPresent(DocumentVersion.self, forKey: .version) ?? .unversioned,
            type: try container.decode(String.self, forKey: .type),
            path: try container.decodeIfPresent(DocumentPath.self, forKey: .path),
            found: try container.decodeIfPresent(Document.self, forKey: .found),
            reason: try container.decodeIfPresent(String.self, forKey: .reason))
    }

    /// Writes every field, null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(type, forKey: .type)
        try container.encode(path, forKey: .path)
        try container.encode(found?.inJSON(), forKey: .found)
        try container.encode(reason, forKey: .reason)
    }
}
