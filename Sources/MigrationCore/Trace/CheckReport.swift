import DocumentModel

/// The outcomes of many documents, and what their failures have in common.
public struct CheckReport: Sendable {
    /// The number of documents with each outcome.
    public struct Counts: Sendable, Hashable {
        /// The number of documents.
        public var documents: Int { byOutcome.values.reduce(0, +) }
        private var byOutcome: [MigrationOutcome: Int] = [:]

        /// Returns the number of documents with the given outcome.
        public subscript(outcome: MigrationOutcome) -> Int { byOutcome[outcome, default: 0] }

        /// Counts one more document.
        fileprivate mutating func add(_ outcome: MigrationOutcome) {
            byOutcome[outcome, default: 0] += 1
        }

        /// Whether every document is current or migrates.
        public var areAllPassed: Bool { byOutcome.allSatisfy { $0.value == 0 || !$0.key.isProblem } }
    }

    /// Failures with the same kind, chain, step, path, and culprit. Crashes also share what ended the process, and
    /// where.
    public struct Cause: Sendable, Hashable, Codable {
        /// The kind of error.
        public var kind: MigrationFailure.Kind
        /// The chain.
        public var chain: String?
        /// The step that failed, or nil if the failure came before the first step.
        public var step: MigrationFailure.Step?
        /// The path named by the errors.
        public var path: DocumentPath?
        /// The field that caused the errors.
        public var culprit: DocumentPath?
        /// What ended the process, and where in the code. Nil, and left out when encoded, if nothing ended it.
        public var crash: String?
        /// The number of documents.
        public var count = 0
        /// The message of the first error.
        public var message = ""
        /// The first ten of the documents.
        public var sources: [String] = []

        private enum CodingKeys: String, NullableCodingKey {
            case kind, chain, step, path, culprit, crash, count, message, sources
        }

        /// The maximum number of sources to list.
        fileprivate static let mostSources = 10

        /// Writes every field, with null for missing values, except `crash`, which is left out if nil.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encode(chain, forKey: .chain)
            try container.encode(step, forKey: .step)
            try container.encode(path, forKey: .path)
            try container.encode(culprit, forKey: .culprit)
            if let crash { try container.encode(crash, forKey: .crash) }
            try container.encode(count, forKey: .count)
            try container.encode(message, forKey: .message)
            try container.encode(sources, forKey: .sources)
        }

        fileprivate func comes(before other: Cause) -> Bool {
            if count != other.count { return count > other.count }
            return FailureCause(self).order.lexicographicallyPrecedes(FailureCause(other).order)
        }
    }

    /// The number of documents with each outcome.
    public private(set) var counts = Counts()
    /// The results of the documents in the order in which they were found. Empty if they were reported one by one.
    public private(set) var results: [CheckResult] = []
    /// The exit status of the check if the counts don't determine it: a requested path could not be read, losses count
    /// as failures, or failures were known before. Nil if the status is 0 when all documents pass and 1 otherwise.
    public var exitStatus: Int? {
        didSet { if exitStatus == Self.exitStatus(of: counts) { exitStatus = nil } }
    }

    /// The changes in the histories of documents; nil if the documents aren't committed states of files.
    public var history: HistorySummary?

    /// What happened to a value that was followed through the documents, newest first; nil if none was.
    package var followed: [FollowedRow]?

    /// The causes of the failures, most frequent first. Equally frequent causes always have the same order.
    public var causes: [Cause] { foundCauses.sorted { $0.comes(before: $1) } }

    /// The causes in the order in which they were found.
    private var foundCauses: [Cause] = []
    /// The index of each cause in `foundCauses`.
    private var causePositions: [FailureCause: Int] = [:]

    /// Creates a report of no documents.
    public init() {}

    private static func exitStatus(of counts: Counts) -> Int { counts.areAllPassed ? 0 : 1 }

    /// A copy with the same counts and causes, but no results.
    public var withoutResults: CheckReport { with(results: []) }

    /// Returns a copy with the same counts and causes, and the given results.
    public func with(results: [CheckResult]) -> CheckReport {
        var report = self
        report.results = results
        return report
    }

    /// Adds a document. If `keepingResult` is false, the document is only counted.
    public mutating func add(_ result: CheckResult, keepingResult: Bool = true) {
        if keepingResult { results.append(result) }
        guard result.outcome != .deleted else { return }
        counts.add(result.outcome)
        guard let key = FailureCause(result) else { return }
        let position = causePositions[key] ?? foundCauses.count
        if position == foundCauses.count {
            causePositions[key] = position
            foundCauses.append(
                Cause(
                    kind: key.kind, chain: key.chain, step: key.step, path: key.path, culprit: key.culprit,
                    crash: key.crash, message: result.failure?.message ?? ""))
        }
        foundCauses[position].count += 1
        if foundCauses[position].sources.count < Cause.mostSources {
            foundCauses[position].sources.append(result.source)
        }
    }

    /// The maximum number of documents in a report. Not every JSON reader represents a larger number exactly (RFC 8259,
    /// section 6).
    public static let mostDocuments = 1 << 53 - 1

    /// An error thrown if two reports together have more documents than ``CheckReport/mostDocuments``.
    public struct TooManyDocuments: Error {}

    /// Adds the report of other documents, as if they had been added after those of this one. The sum doesn't depend on
    /// how the reports are grouped.
    ///
    /// - Throws: ``TooManyDocuments``, in which case nothing is added.
    public mutating func add(_ other: CheckReport) throws(TooManyDocuments) {
        guard counts.documents + other.counts.documents <= Self.mostDocuments else { throw TooManyDocuments() }
        let worst = max(
            exitStatus ?? Self.exitStatus(of: counts), other.exitStatus ?? Self.exitStatus(of: other.counts))
        counts.add(other.counts)
        exitStatus = worst
        results += other.results
        for cause in other.foundCauses {
            let key = FailureCause(cause)
            guard let position = causePositions[key] else {
                causePositions[key] = foundCauses.count
                foundCauses.append(cause)
                continue
            }
            foundCauses[position].count += cause.count
            let room = Cause.mostSources - foundCauses[position].sources.count
            foundCauses[position].sources += cause.sources.prefix(max(0, room))
        }
    }
}

extension CheckReport.Counts {
    fileprivate mutating func add(_ other: CheckReport.Counts) { byOutcome.merge(other.byOutcome, uniquingKeysWith: +) }
}

extension CheckReport.Counts: Codable {
    /// Reads the number of documents with each outcome.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PathCodingKey.self)
        for outcome in MigrationOutcome.counted {
            let key = PathCodingKey(outcome.rawValue)
            let count = try container.decode(Int.self, forKey: key)
            guard count >= 0, count <= CheckReport.mostDocuments - documents else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(count) is no number of documents")
            }
            if count > 0 { byOutcome[outcome] = count }
        }
        let key = PathCodingKey("documents")
        let all = try container.decode(Int.self, forKey: key)
        guard all == documents else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container,
                debugDescription: "\(all) is not the sum of the outcomes, which is \(documents)")
        }
    }

    /// Writes the number of documents, in total and with each outcome.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        try container.encode(documents, forKey: PathCodingKey("documents"))
        for outcome in MigrationOutcome.counted {
            try container.encode(self[outcome], forKey: PathCodingKey(outcome.rawValue))
        }
    }
}

extension CheckReport: Codable {
    private enum CodingKeys: String, CodingKey { case exitStatus, results, causes, followed }

    /// Reads a report, or the summary of one, which has no results.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        counts = try Counts(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        exitStatus = try container.decodeIfPresent(UInt8.self, forKey: .exitStatus).map(Int.init)
        results = try container.decodeIfPresent([CheckResult].self, forKey: .results) ?? []
        foundCauses = try container.decode([Cause].self, forKey: .causes)
        var failureCount = counts[.failed] + counts[.unreadable]
        for cause in foundCauses {
            guard cause.count > 0, cause.count <= failureCount else {
                throw DecodingError.dataCorruptedError(
                    forKey: .causes, in: container,
                    debugDescription: "the causes count fewer documents than one, or more than fail")
            }
            failureCount -= cause.count
        }
        for (position, cause) in foundCauses.enumerated() { causePositions[FailureCause(cause)] = position }
    }

    /// Writes the counts, the results and the causes.
    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, withResults: true) }

    private func encode(to encoder: any Encoder, withResults: Bool) throws {
        try counts.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(exitStatus, forKey: .exitStatus)
        if withResults { try container.encode(results, forKey: .results) }
        try container.encode(causes, forKey: .causes)
        try history?.encode(to: encoder)
        try container.encodeIfPresent(followed, forKey: .followed)
    }

    /// A report without its results. It is the last line of output if each result had its own line.
    public struct Summary: Codable {
        private struct Contents: Codable {
            let report: CheckReport
            init(_ report: CheckReport) { self.report = report }
            init(from decoder: any Decoder) throws { report = try CheckReport(from: decoder) }
            func encode(to encoder: any Encoder) throws { try report.encode(to: encoder, withResults: false) }
        }

        private let summary: Contents

        /// The summarized report. It has no results if the summary was decoded.
        public var report: CheckReport { summary.report }

        /// Creates the summary of `report`.
        public init(_ report: CheckReport) { summary = Contents(report) }
    }
}
