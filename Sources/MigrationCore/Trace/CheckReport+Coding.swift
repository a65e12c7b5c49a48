import DocumentModel

// Reports say every field, with null for what has no meaning, so that a script may rely on their being there.

extension CheckReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case documents, current, migrated, failed, unrecognized, unreadable, results, causes
    }

    /// Reads a report back; counts and causes follow from its results.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for result in try container.decode([CheckResult].self, forKey: .results) { add(result) }
    }

    /// Writes the counts, the results and the causes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try encodeCounts(to: &container)
        try container.encode(results, forKey: .results)
        try container.encode(causes, forKey: .causes)
    }

    private func encodeCounts(to container: inout KeyedEncodingContainer<CodingKeys>) throws {
        try container.encode(counts.documents, forKey: .documents)
        try container.encode(counts[.current], forKey: .current)
        try container.encode(counts[.migrated], forKey: .migrated)
        try container.encode(counts[.failed], forKey: .failed)
        try container.encode(counts[.unrecognized], forKey: .unrecognized)
        try container.encode(counts[.unreadable], forKey: .unreadable)
    }

    /// The report without its results: the last line when each result had a line of its own.
    public struct Summary: Encodable {
        private let report: CheckReport

        /// The summary of `report`.
        public init(_ report: CheckReport) { self.report = report }

        private enum OuterKeys: String, CodingKey { case summary }

        /// Writes `{"summary": {…}}`.
        public func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: OuterKeys.self)
            var container = outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .summary)
            try report.encodeCounts(to: &container)
            try container.encode(report.causes, forKey: .causes)
        }
    }
}
