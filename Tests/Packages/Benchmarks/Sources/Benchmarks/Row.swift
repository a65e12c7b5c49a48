/// The extent of a measurement.
enum Extent: Sendable {
    /// Small documents and few rounds, which show that a row runs, but not how fast.
    case quick
    /// The sizes in the row's description.
    case full

    /// Returns the number for this extent.
    func callAsFunction(quick: Int, full: Int) -> Int { self == .quick ? quick : full }
}

/// One row of the benchmark: one thing measured over another.
struct Row: Sendable {
    /// The row's name on the command line.
    let name: String
    /// The name of all rows of its kind on the command line.
    let group: String
    /// A description of the two things that are compared.
    let summary: String
    /// Whether a quick run includes the row if none is named.
    var isQuick = true
    let measure: @Sendable (Extent) throws -> Measurement

    static let all =
        documentRows + parsingRows + differenceRows + memoryRows + startRows + keyRows + manyDocumentsRows + strictRows
        + storeRows + growthRows
}

/// The measurement of a row.
struct Measurement {
    /// The ratio of the measured thing to the reference: the median over all rounds, each of which measures both.
    let ratio: Double
    /// The medians of both sides, in ``unit``.
    let subject: Double
    let reference: Double
    var unit = Unit.seconds
    /// The number of rounds.
    let rounds: Int
    /// The total size of the documents in bytes, if they have one size.
    var bytes: Int?
    /// The number of documents, elements or levels.
    var count = 1

    enum Unit: String {
        case seconds, bytes
    }
}
