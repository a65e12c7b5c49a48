import DocumentModel

/// The outcomes of many documents, and what their failures have in common.
public struct CheckReport: Sendable {
    /// How many documents came to each outcome.
    public struct Counts: Sendable, Hashable {
        /// The number of documents.
        public private(set) var documents = 0
        private var byOutcome: [MigrationOutcome: Int] = [:]

        /// No documents.
        public init() {}

        /// The number of documents with that outcome.
        public subscript(outcome: MigrationOutcome) -> Int { byOutcome[outcome, default: 0] }

        /// Counts one document more.
        public mutating func add(_ outcome: MigrationOutcome) {
            documents += 1
            byOutcome[outcome, default: 0] += 1
        }
    }

    /// Failures that share kind, chain, step, path and culprit.
    public struct Cause: Sendable, Hashable {
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
        public var count: Int
        /// What the first of the errors says.
        public var message: String
        /// The first ten of the documents.
        public var sources: [String]
    }

    /// How many documents came to each outcome.
    public private(set) var counts = Counts()
    /// What came of each document, in the order in which they were found; empty when they were reported one by one.
    public private(set) var results: [CheckResult] = []
    /// What the failures have in common, most frequent first.
    public var causes: [Cause] {
        causesByKey.values.sorted { left, right in
            left.cause.count != right.cause.count ? left.cause.count > right.cause.count : left.order < right.order
        }
        .map(\.cause)
    }

    private var causesByKey: [CauseKey: OrderedCause] = [:]

    /// A report of no documents.
    public init() {}

    /// Adds a document; with `keepingResult` false only counts it.
    public mutating func add(_ result: CheckResult, keepingResult: Bool = true) {
        counts.add(result.outcome)
        if keepingResult { results.append(result) }
        guard let failure = result.failure else { return }
        let key = CauseKey(
            kind: failure.kind, chain: result.chain, step: failure.step, path: failure.path,
            culprit: failure.culprit?.path)
        var entry =
            causesByKey[key] ?? OrderedCause(order: causesByKey.count, cause: Cause(key, message: failure.message))
        entry.cause.count += 1
        if entry.cause.sources.count < 10 { entry.cause.sources.append(result.source) }
        causesByKey[key] = entry
    }

    /// A cause, and how many were known before it.
    private struct OrderedCause: Sendable {
        var order: Int
        var cause: Cause
    }

    fileprivate struct CauseKey: Hashable, Sendable {
        var kind: MigrationFailure.Kind
        var chain: String?
        var step: MigrationFailure.Step?
        var path: DocumentPath?
        var culprit: DocumentPath?
    }
}

extension CheckReport.Cause {
    /// The cause of no failure yet.
    fileprivate init(_ key: CheckReport.CauseKey, message: String) {
        self.init(
            kind: key.kind, chain: key.chain, step: key.step, path: key.path, culprit: key.culprit, count: 0,
            message: message, sources: [])
    }
}

extension CheckReport.Cause: Codable {
    private enum CodingKeys: String, NullableCodingKey {
        case kind, chain, step, path, culprit, count, message, sources
    }
}
