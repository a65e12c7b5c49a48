import MigrationCore

/// A check report as one JSON value.
struct WholeReport: CheckWriter {
    private var results: [CheckResult] = []

    static let waitsForStreams = true

    init(_ reporting: CheckReporting, areStates: Bool) {}

    mutating func lines(for entry: CheckTally.Entry) -> String? {
        results.append(entry.result)
        return nil
    }

    func ending(_ tally: CheckTally) throws -> String {
        try JSONText.text(of: tally.summary.with(results: results), layout: .pretty)
    }
}
