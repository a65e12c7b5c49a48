import DocumentSources
import InspectorUI
import MigrationCore

/// A check report as text.
struct CheckText: CheckWriter {
    private let reporting: CheckReporting
    private let areStates: Bool
    /// The notes on the state above.
    private var lastNotes: [String] = []

    static let isForUsers = true

    init(_ reporting: CheckReporting, areStates: Bool) { (self.reporting, self.areStates) = (reporting, areStates) }

    mutating func lines(for entry: CheckTally.Entry) -> String? {
        // Who follows a value asks about that only.
        if reporting.followed != nil { return nil }
        let state = areStates ? entry.document.flatMap { HistoryText.lines(for: entry.result, of: $0) } : nil
        guard let state else {
            return Self.lines(for: entry.result, isKnown: entry.isKnown).joined(separator: "\n")
        }
        let notes = Array(state.dropFirst())
        defer { lastNotes = notes }
        let isRepeated = !reporting.isFull && notes.count > 1 && notes == lastNotes
        return (isRepeated ? [state[0], "    as in the state above"] : state).joined(separator: "\n")
    }

    func ending(_ tally: CheckTally) -> String {
        var lines = tally.followed.flatMap(\.lines).map(SafeText.line)
        if reporting.followed == nil { lines += tally.turns?.sections.map(\.text) ?? [] }
        lines.append(Self.summary(of: tally.summary))
        if !tally.observed.lines.isEmpty { lines += ([""] + tally.observed.lines).map(SafeText.line) }
        if reporting.isStrict, tally.lossyCount > 0 { lines.append(Self.lossy(tally.lossyCount)) }
        if tally.unexaminedCount > 0 { lines.append(Self.notExamined(tally.unexaminedCount)) }
        return (lines + tally.comparison.map(SafeText.line)).joined(separator: "\n")
    }

    /// Returns the line for one document, and the notes on it. The line begins with `FILE:LINE:COLUMN: `, which editors
    /// can open, if a failure has a location, or else with the name of the document.
    ///
    /// - Parameter isKnown: Whether the failure is known, so that it doesn't fail the run.
    static func lines(for result: CheckResult, isKnown: Bool = false) -> [String] {
        let reported = result.reported
        let line = line(for: reported) + (isKnown ? " (known)" : "")
        return ([line] + notes(on: reported)).map(SafeText.line)
    }

    /// Returns notes on a document that aren't failures but that users should know.
    static func notes(on result: CheckResult) -> [String] {
        var lines: [String] = []
        lines += result.fieldSentences.map { "    \($0)" }
        lines += result.stepSentences.map { "    \($0)" }
        // The warnings of an unrecognized document are the reasons why each chain rejects it.
        lines +=
            result.outcome == .unrecognized
            ? result.problemReasons.map { "    \($0)" }
            : result.warnings.map { "    warning: \($0)" }
        if let sentence = result.revision?.unsearchedSentence { lines.append("    warning: \(sentence)") }
        return lines
    }

    private static func line(for result: CheckResult) -> String {
        let chain = result.pathWords
        let sign = result.reopens?.failure == nil ? "✓" : "!"
        switch result.outcome {
        case .current: return "\(result.source): \(sign) \(chain), current"
        case .migrated: return "\(result.source): \(sign) \(chain)"
        case .unrecognized: return "\(result.source): ? \(result.problemSentence ?? "")"
        case .deleted:
            return "\(result.source): – " + (result.revision?.renamedTo.map { "renamed to \($0)" } ?? "deleted")
        case .failed, .unreadable:
            guard let failure = result.failure else { return "\(result.source): ✗ \(chain)" }
            let head = chain.isEmpty ? "" : "\(chain): "
            return "\(ResultLocation(result).beginning): ✗ \(head)\(failure.sentence)\(inside(failure))"
        }
    }

    /// Returns the location of a failure within a string of the document, which isn't a location in the file.
    static func inside(_ failure: MigrationFailure) -> String {
        failure.location.flatMap { $0.within == nil ? nil : " (\($0))" } ?? ""
    }

    /// Returns the number of documents that lose something, in words.
    static func lossy(_ count: Int) -> String {
        count == 1 ? "1 document drops or loses something" : "\(count) documents drop or lose something"
    }

    /// Returns the number of documents that weren't completely examined, in words.
    static func notExamined(_ count: Int) -> String {
        count == 1 ? "1 document was not examined whole" : "\(count) documents were not examined whole"
    }

    /// Returns only the counts.
    static func counts(of report: CheckReport) -> String {
        let counts = report.counts
        let documents = counts.documents == 1 ? "1 document" : "\(counts.documents) documents"
        let outcomes = MigrationOutcome.counted.map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", ")
        return "\(documents): \(outcomes)"
    }

    /// Returns the counts and what the failures have in common.
    static func summary(of report: CheckReport) -> String {
        var lines = ["", counts(of: report)]
        let shared = report.causes.filter { $0.count > 1 }
        if !shared.isEmpty { lines += ["", "What failures have in common:"] }
        lines += shared.map { "  \($0.sentence)" }
        return lines.map(SafeText.line).joined(separator: "\n")
    }
}
