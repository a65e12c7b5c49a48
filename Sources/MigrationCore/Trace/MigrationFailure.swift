import DocumentModel

/// Why a document could not be opened: the kind of error, the step, the field that caused it, and its source location.
public struct MigrationFailure: Sendable, Hashable {
    /// The kinds of failure.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A step threw ``VersionedDecodingError/fieldNoLongerValid(_:)``.
        case fieldNoLongerValid
        /// No version of the chain fits.
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
        /// A step threw another error.
        case thrown
        /// The app's code ended the process.
        case crashed
        /// The app's code ran longer than allowed.
        case timedOut
    }

    /// The step that failed.
    public struct Step: Sendable, Hashable, Codable {
        /// The version before the step.
        public var from: DocumentVersion
        /// The version that was not reached.
        public var to: DocumentVersion

        /// Creates a step from its ends.
        public init(from: DocumentVersion, to: DocumentVersion) {
            self.from = from
            self.to = to
        }
    }

    /// The field of the old document that caused the failure.
    public struct Culprit: Sendable, Hashable {
        /// The path of the field. It leads into the document as it was read if there is a ``proof``, and into the
        /// document before the step otherwise.
        public var path: DocumentPath
        /// Whether a decoder refused this value, or experiments prove it. If not, the field is only the likeliest
        /// candidate, or one of several, and should be presented that way.
        public var certain: Bool
        /// Other fields that could be the culprit instead: changing any one of them gets the migration to pass.
        public var others: [DocumentPath]
        /// The evidence of experiments, or nil if none were run or they show nothing.
        public var proof: CulpritProof?

        /// Creates a culprit from its parts.
        public init(
            path: DocumentPath, certain: Bool, others: [DocumentPath] = [], proof: CulpritProof? = nil
        ) {
            self.path = path
            self.certain = certain
            self.others = others
            self.proof = proof
        }
    }

    /// The reason for the failure.
    public var reason: Reason
    /// The step that failed, or nil if the document failed before the first step. For preferences, it is the step of
    /// the key that failed, which the document took with its other keys.
    public var step: Step?
    /// The field that caused the failure, if one can be named.
    public var culprit: Culprit?
    /// The result of the search for the field if experiments prove nothing. Nil if they prove something, or if none
    /// were run.
    public var search: FailureSearch?
    /// The start of the culprit's value in the source. Without a culprit, it is the value at `path`, or else the
    /// innermost container on that path. For a malformed document, it is the offending byte.
    public var location: SourceLocation?
    /// The number of values that had been read when decoding failed, or nil if the failure was not in decoding. If two
    /// runs read the same values, it shows which one got further. Reports don't include it.
    package var readCount: Int?

    /// The path of the failure to show, as far as it is known. A culprit that is only likely doesn't count.
    package var shownPlace: DocumentPath? { culprit.flatMap { $0.certain ? $0.path : nil } ?? path }

    /// Creates a failure from its parts.
    public init(_ reason: Reason, step: Step? = nil, culprit: Culprit? = nil, location: SourceLocation? = nil) {
        self.reason = reason
        self.step = step
        self.culprit = culprit
        self.location = location
    }

    /// Creates the failure for bytes that are not a document.
    public init(parsing error: any Error) {
        guard let error = error as? DocumentParseError else {
            self.init(.unreadable(problem: .other(because: Reason(error))))
            return
        }
        self.init(.malformed(problem: error.problem), location: error.location)
    }

    /// The kind of error.
    public var kind: Kind { reason.kind }
    /// The path that the error names, in the old shape or the new one.
    public var path: DocumentPath? { reason.path }
    /// The reason as a sentence.
    public var message: String { reason.description }
    /// The versions that were tried, newest first, if none fits.
    public var tried: [DocumentVersion]? { reason.tried }
}

extension MigrationFailure {
    /// Returns whether two failures report the same thing. The number of values read is not compared.
    public static func == (left: MigrationFailure, right: MigrationFailure) -> Bool {
        left.reason == right.reason && left.step == right.step && left.culprit == right.culprit
            && left.search == right.search && left.location == right.location
    }

    /// Hashes the properties that a failure reports.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(step)
        hasher.combine(culprit)
        hasher.combine(search)
        hasher.combine(location)
    }
}

extension MigrationFailure: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, step, path, culprit, search, message, reason, location, tried, readCount
    }

    /// Reads a failure. If its report has no reasons, the message is kept as the reason.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // As a single expression with `??`, an error thrown here crashed the process in optimized builds with Swift
        // 6.3.
        let reason: Reason
        if let written = try container.decodeIfPresent(Reason.self, forKey: .reason) {
            reason = written
        } else {
            reason = .text(
                try container.decode(String.self, forKey: .message),
                kind: try container.decode(Kind.self, forKey: .kind),
                path: try container.decodeIfPresent(DocumentPath.self, forKey: .path),
                tried: try container.decodeIfPresent([DocumentVersion].self, forKey: .tried))
        }
        self.init(
            reason,
            step: try container.decodeIfPresent(Step.self, forKey: .step),
            culprit: try container.decodeIfPresent(Culprit.self, forKey: .culprit),
            location: try container.decodeIfPresent(SourceLocation.self, forKey: .location))
        search = try container.decodeIfPresent(FailureSearch.self, forKey: .search)
        readCount = try container.decodeIfPresent(Int.self, forKey: .readCount)
    }

    /// Writes every field, with null for missing values. The reason is written as a sentence, and the search only if
    /// one was made.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if encoder.messageDocuments != nil {
            try container.encode(reason, forKey: .reason)
            try container.encode(step, forKey: .step)
            try container.encode(culprit, forKey: .culprit)
            try container.encode(location, forKey: .location)
            return try container.encode(readCount, forKey: .readCount)
        }
        try container.encode(kind, forKey: .kind)
        try container.encode(step, forKey: .step)
        try container.encode(path, forKey: .path)
        try container.encode(culprit, forKey: .culprit)
        try container.encodeIfPresent(search, forKey: .search)
        try container.encode(message, forKey: .message)
        try container.encode(location, forKey: .location)
        try container.encode(tried, forKey: .tried)
    }
}

extension MigrationFailure.Culprit: Codable {
    private enum CodingKeys: String, CodingKey { case path, certain, others, proof }

    /// Reads a culprit. In reports from before there were experiments, it has no proof.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try container.decode(DocumentPath.self, forKey: .path),
            certain: try container.decode(Bool.self, forKey: .certain),
            others: try container.decodeIfPresent([DocumentPath].self, forKey: .others) ?? [],
            proof: try container.decodeIfPresent(CulpritProof.self, forKey: .proof))
    }

    /// Writes every field, with null for a missing proof.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(certain, forKey: .certain)
        try container.encode(others, forKey: .others)
        try container.encode(proof, forKey: .proof)
    }
}

extension MigrationFailure {
    /// Returns the failure as seen from the part at `part`: paths begin there.
    func reported(ofPartAt part: DocumentPath) -> MigrationFailure {
        changingPaths { $0.inside(part) }
    }

    /// Returns the failure of the part at `part` as seen from the whole document.
    package func relocated(toWholeWithPartAt part: DocumentPath) -> MigrationFailure {
        changingPaths { part.appending($0) }
    }

    /// Returns the failure with every path converted by `change`.
    package func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> MigrationFailure {
        var failure = self
        failure.reason = reason.changingPaths(change)
        failure.culprit = culprit.map { culprit in
            Culprit(
                path: change(culprit.path), certain: culprit.certain, others: culprit.others.map(change),
                proof: culprit.proof?.changingPaths(change))
        }
        failure.location?.within = location?.within.map(change)
        return failure
    }
}

extension DocumentPath {
    /// Returns the path relative to `base`, or the whole path if it doesn't lead through `base`.
    package func inside(_ base: DocumentPath) -> DocumentPath {
        hasPrefix(base) ? DocumentPath(Array(components.dropFirst(base.components.count))) : self
    }
}
