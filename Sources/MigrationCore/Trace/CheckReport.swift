import DocumentModel

/// The outcomes of many documents, and what their failures have in common.
public struct CheckReport: Sendable {
    /// How many documents came to each outcome.
    public struct Counts: Sendable, Hashable {
        /// The number of documents.
        public var documents: Int { byOutcome.values.reduce(0, +) }
        private var byOutcome: [MigrationOutcome: Int] = [:]

        /// The number of documents with that outcome.
        public subscript(outcome: MigrationOutcome) -> Int { byOutcome[outcome, default: 0] }

        /// Counts one document more.
        fileprivate mutating func add(_ outcome: MigrationOutcome) {
            byOutcome[outcome, default: 0] += 1
        }
    }

    /// Failures that share kind, chain, step, path and culprit; crashes also what ended the process, and where.
    public struct Cause: Sendable, Hashable, Codable {
        /// The kind of error.
        public var kind: MigrationFailure.Kind
        /// The chain.
        public var chain: String?
        /// The step that failed; nil before the first.
        public var step: MigrationFailure.Step?
        /// The path that the errors name.
        public var path: DocumentPath?
        /// The field behind them.
        public var culprit: DocumentPath?
        /// The number of documents.
        public var count = 0
        /// What the first of the errors says.
        public var message = ""
        /// The first ten of the documents.
        public var sources: [String] = []

        private enum CodingKeys: String, NullableCodingKey {
            case kind, chain, step, path, culprit, count, message, sources
        }
    }

    /// How many documents came to each outcome.
    public private(set) var counts = Counts()
    /// What came of each document, in the order in which they were found; empty when they were reported one by one.
    public private(set) var results: [CheckResult] = []
    /// What the failures have in common, most frequent first.
    public var causes: [Cause] { foundCauses.sorted { $0.count > $1.count } }

    /// The causes in the order in which they were found.
    private var foundCauses: [Cause] = []
    /// Where each of them is.
    private var causePositions: [FailureCause: Int] = [:]

    /// A report of no documents.
    public init() {}

    /// Adds a document; with `keepingResult` false only counts it.
    public mutating func add(_ result: CheckResult, keepingResult: Bool = true) {
        counts.add(result.outcome)
        if keepingResult { results.append(result) }
        guard let key = FailureCause(result) else { return }
        let position = causePositions[key] ?? foundCauses.count
        if position == foundCauses.count {
            causePositions[key] = position
            foundCauses.append(
                Cause(
                    kind: key.kind, chain: key.chain, step: key.step, path: key.path, culprit: key.culprit,
                    message: result.failure?.message ?? ""))
        }
        foundCauses[position].count += 1
        if foundCauses[position].sources.count < 10 { foundCauses[position].sources.append(result.source) }
    }
}

extension CheckReport.Counts: Encodable {
    /// Writes the number of documents, and how many came to each outcome.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        try container.encode(documents, forKey: PathCodingKey("documents"))
        for outcome in MigrationOutcome.allCases {
            try container.encode(self[outcome], forKey: PathCodingKey(outcome.rawValue))
        }
    }
}

extension CheckReport: Codable {
    private enum CodingKeys: String, CodingKey { case results, causes }

    /// Reads a report back; counts and causes follow from its results.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for result in try container.decode([CheckResult].self, forKey: .results) { add(result) }
    }

    /// Writes the counts, the results and the causes.
    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, withResults: true) }

    private func encode(to encoder: any Encoder, withResults: Bool) throws {
        try counts.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if withResults { try container.encode(results, forKey: .results) }
        try container.encode(causes, forKey: .causes)
    }

    /// The report without its results: the last line when each result had a line of its own.
    public struct Summary: Encodable {
        private struct Contents: Encodable {
            let report: CheckReport
            func encode(to encoder: any Encoder) throws { try report.encode(to: encoder, withResults: false) }
        }

        private let summary: Contents

        /// The summary of `report`.
        public init(_ report: CheckReport) { summary = Contents(report: report) }
    }
}
