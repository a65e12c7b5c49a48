/// How much is measured.
enum Extent: Sendable {
    /// Small documents and few rounds: shows that a row runs, not how fast.
    case quick
    /// The sizes that the row promises.
    case full

    /// A number for each extent.
    func callAsFunction(quick: Int, full: Int) -> Int { self == .quick ? quick : full }
}

/// One line of the benchmark: one thing measured over another.
struct Row: Sendable {
    /// What the command line calls it.
    let name: String
    /// What the command line calls all rows of its kind.
    let group: String
    /// What is compared with what.
    let summary: String
    /// Whether a quick run has it when no row is named.
    var isQuick = true
    let measure: @Sendable (Extent) throws -> Measurement

    static let all =
        documentRows + parsingRows + differenceRows + memoryRows + startRows + keyRows + manyDocumentsRows + strictRows
        + storeRows + growthRows
}

/// What was measured for a row.
struct Measurement {
    /// The measured thing over what it is compared with: the median over all rounds, each of which measures both.
    let ratio: Double
    /// The medians of both sides, in ``unit``.
    let subject: Double
    let reference: Double
    var unit = Unit.seconds
    /// The number of rounds.
    let rounds: Int
    /// The size of the documents together, in bytes, where they have one size.
    var bytes: Int?
    /// How many documents, elements, levels.
    var count = 1

    enum Unit: String {
        case seconds, bytes
    }
}
