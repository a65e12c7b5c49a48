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
        /// The app's code ended the process.
        case crashed
        /// The app's code ran longer than it may.
        case timedOut
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
    public struct Culprit: Sendable, Hashable {
        /// Where the field is: in the document as it was read where there is a ``proof``, else in the document before
        /// the step.
        public var path: DocumentPath
        /// Whether the error itself names the field, or experiments prove it. If not, it is the likeliest candidate, or
        /// one of several, and to be shown as that.
        public var certain: Bool
        /// Other fields that could be the culprit instead: changing any one of them lets the migration pass.
        public var others: [DocumentPath]
        /// What experiments show; nil where none was made, or none shows anything.
        public var proof: CulpritProof?

        /// Makes a culprit from its parts.
        public init(
            path: DocumentPath, certain: Bool, others: [DocumentPath] = [], proof: CulpritProof? = nil
        ) {
            self.path = path
            self.certain = certain
            self.others = others
            self.proof = proof
        }
    }

    /// Why.
    public var reason: Reason
    /// The step that failed; nil when the document failed before the first step. Of preferences it is the step of the
    /// key that failed, which the document took with its other keys.
    public var step: Step?
    /// The field behind the failure, if there is one to name.
    public var culprit: Culprit?
    /// What the search for the field came to where experiments prove nothing; nil where they prove something, or none was
    /// made.
    public var search: FailureSearch?
    /// Where the culprit's value begins in the source; without a culprit the value at `path`, without that the
    /// innermost container on the way there; for a malformed document the offending byte.
    public var location: SourceLocation?
    /// How many values had been read when the decoding failed; nil where it was no decoding that failed. Of two runs that
    /// read the same it says which came further. It is in no report.
    package var readCount: Int?

    /// Where it fails, as far as that is shown: a field that is only likely to be behind it is not.
    package var shownPlace: DocumentPath? { culprit.flatMap { $0.certain ? $0.path : nil } ?? path }

    /// Makes a failure from its parts.
    public init(_ reason: Reason, step: Step? = nil, culprit: Culprit? = nil, location: SourceLocation? = nil) {
        self.reason = reason
        self.step = step
        self.culprit = culprit
        self.location = location
    }

    /// The failure of bytes that are no document.
    public init(parsing error: any Error) {
        guard let error = error as? DocumentParseError else {
            self.init(.unreadable(problem: .other(because: Reason(error))))
            return
        }
        self.init(.malformed(problem: error.problem), location: error.location)
    }

    /// The kind of error.
    public var kind: Kind { reason.kind }
    /// The path that the error names, of the old shape or the new one.
    public var path: DocumentPath? { reason.path }
    /// The reason as a sentence.
    public var message: String { reason.description }
    /// The versions that were tried, newest first, when none fits.
    public var tried: [DocumentVersion]? { reason.tried }
}

extension MigrationFailure {
    /// Whether two failures say the same; how many values had been read is no part of it.
    public static func == (left: MigrationFailure, right: MigrationFailure) -> Bool {
        left.reason == right.reason && left.step == right.step && left.culprit == right.culprit
            && left.search == right.search && left.location == right.location
    }

    /// Feeds what a failure says into a hasher.
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
        case kind, step, path, culprit, search, message, reason, location, tried
    }

    /// Reads a failure; one from a report without reasons keeps its words.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // As one expression with `??`, what is thrown here ended the process where Swift 6.3 optimized.
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
    }

    /// Writes every field, null for what is not there. The reason is written as its sentence, and a search only where one was
    /// made.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
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

    /// Reads a culprit; one of before there were experiments has no proof.
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

    /// Writes every field, null for a proof that is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(certain, forKey: .certain)
        try container.encode(others, forKey: .others)
        try container.encode(proof, forKey: .proof)
    }
}

extension MigrationFailure {
    /// The failure as it is told of a part of the document: paths begin at `part`.
    func told(ofPartAt part: DocumentPath) -> MigrationFailure {
        changingPaths { $0.inside(part) }
    }

    /// The failure of the part at `part` as it is told of the whole document.
    package func told(ofWholeWithPartAt part: DocumentPath) -> MigrationFailure { changingPaths { part.appending($0) } }

    /// The failure as it is told of a document in which every path is another.
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
    /// The way as from `base`, if it leads through there.
    func inside(_ base: DocumentPath) -> DocumentPath {
        hasPrefix(base) ? DocumentPath(Array(components.dropFirst(base.components.count))) : self
    }
}
