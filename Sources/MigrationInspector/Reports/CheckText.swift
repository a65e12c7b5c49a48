import DocumentSources
import InspectorUI
import MigrationCore

/// A check report for a person to read.
enum CheckText {
    /// The line of one document, and behind it what a person should know. The line begins `FILE:LINE:COLUMN: ` where a
    /// failure has a place, which editors know how to open, else with the name of the document.
    ///
    /// - Parameter isKnown: Whether the failure is one that is not to fail the run.
    static func lines(for result: CheckResult, isKnown: Bool = false) -> String {
        let told = result.told
        let line = line(for: told) + (isKnown ? " (known)" : "")
        return ([line] + notes(on: told)).map(SafeText.line).joined(separator: "\n")
    }

    /// What a person should know of a document though it is no failure.
    static func notes(on result: CheckResult) -> [String] {
        var lines: [String] = []
        lines += result.fieldSentences.map { "    \($0)" }
        lines += result.stepSentences.map { "    \($0)" }
        // The warnings of an unrecognized document are what every chain has against it.
        lines +=
            result.outcome == .unrecognized
            ? result.problemReasons.map { "    \($0)" }
            : result.warnings.map { "    warning: \($0)" }
        if let sentence = result.revision?.unsearchedSentence { lines.append("    warning: \(sentence)") }
        return lines
    }

    private static func line(for result: CheckResult) -> String {
        let chain = result.pathWords
        switch result.outcome {
        case .current: return "\(result.source): ✓ \(chain), current"
        case .migrated: return "\(result.source): ✓ \(chain)"
        case .unrecognized: return "\(result.source): ? \(result.warnings.unrecognizedSentence)"
        case .failed, .unreadable:
            guard let failure = result.failure else { return "\(result.source): ✗ \(chain)" }
            let head = chain.isEmpty ? "" : "\(chain): "
            return "\(ResultPlace(result).beginning): ✗ \(head)\(failure.sentence)\(inside(failure))"
        }
    }

    /// Where a failure is in a string of the document, which is no place in the file.
    static func inside(_ failure: MigrationFailure) -> String {
        failure.location.flatMap { $0.within == nil ? nil : " (\($0))" } ?? ""
    }

    /// How many documents lose something.
    static func lossy(_ count: Int) -> String {
        count == 1 ? "1 document drops or loses something" : "\(count) documents drop or lose something"
    }

    /// How many documents were not looked at whole.
    static func notExamined(_ count: Int) -> String {
        count == 1 ? "1 document was not examined whole" : "\(count) documents were not examined whole"
    }

    /// The counts alone.
    static func counts(of report: CheckReport) -> String {
        let counts = report.counts
        let documents = counts.documents == 1 ? "1 document" : "\(counts.documents) documents"
        let outcomes = MigrationOutcome.allCases.map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", ")
        return "\(documents): \(outcomes)"
    }

    /// The counts, and what the failures have in common.
    static func summary(of report: CheckReport) -> String {
        var lines = ["", counts(of: report)]
        let shared = report.causes.filter { $0.count > 1 }
        if !shared.isEmpty { lines += ["", "What failures have in common:"] }
        lines += shared.map { "  \($0.sentence)" }
        return lines.map(SafeText.line).joined(separator: "\n")
    }
}
