import MigrationCore

/// The documents of a check report that is a page for people, which has the problems before all documents.
struct CheckItems {
    /// The lines of a text report about a document.
    struct Item {
        let line: String
        let notes: [String]
        let isProblem: Bool
    }

    static let causesTitle = "What failures have in common"
    static let problemsTitle = "Problems"

    private let reporting: CheckReporting
    private let areStates: Bool
    private(set) var all: [Item] = []

    init(_ reporting: CheckReporting, areStates: Bool) { (self.reporting, self.areStates) = (reporting, areStates) }

    /// Adds a document.
    mutating func add(_ entry: CheckTally.Entry) {
        let state = areStates ? entry.document.flatMap { HistoryText.lines(for: entry.result, of: $0) } : nil
        let text = state ?? CheckText.lines(for: entry.result, isKnown: entry.isKnown)
        // In a text report, the notes are indented below the line with the outcome.
        let lines = text.map { String($0.trimmingPrefix { $0 == " " }) }
        guard let first = lines.first else { return }
        let isProblem = entry.result.outcome.isProblem || reporting.isStrict && entry.result.isDoubtful
        all.append(Item(line: first, notes: Array(lines.dropFirst()), isProblem: isProblem && !entry.isKnown))
    }

    /// The documents to list apart from all of them. There are none in a history, whose sections say since when it
    /// fails.
    var problems: [Item] { areStates ? [] : all.filter(\.isProblem) }

    /// The title of the list of all documents.
    var allTitle: String { areStates ? "All states" : "All documents" }

    /// Returns the causes that several failures share.
    static func causes(of report: CheckReport) -> [String] {
        report.causes.filter { $0.count > 1 }.map(\.sentence)
    }
}
