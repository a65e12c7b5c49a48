import DocumentModel
import Foundation
import MigrationCore

/// A check report in the XML format that continuous integration servers read, with a test case for each document (the
/// schema is junit-10.xsd of Jenkins' xunit plugin, which others accept too).
struct JUnitReport: CheckWriter {
    private let isStrict: Bool
    private var cases: [String] = []
    private var failureCount = 0
    private var errorCount = 0
    private var skippedCount = 0
    private var seconds = 0.0

    static let isTimed = true

    init(_ reporting: CheckReporting, areStates: Bool) { isStrict = reporting.isStrict }

    mutating func lines(for entry: CheckTally.Entry) -> String? {
        let (result, isKnown) = (entry.result.reported, entry.isKnown)
        let time = result.seconds ?? 0
        seconds += time
        let attributes = [
            ("classname", result.chain ?? "no chain"), ("name", result.source), ("time", Self.time(time)),
        ]
        var content: [String] = []
        if let sentence = result.problemSentence, let kind = result.problemKind {
            let excerpt = entry.document.map { SourceExcerpt.lines(for: entry.result, of: $0) } ?? []
            let details =
                ["\(ResultLocation(result).words): \(sentence)", result.pathWords] + result.problemReasons + excerpt
            content.append(problem(kind, sentence, details.filter { !$0.isEmpty }, result, isKnown: isKnown))
        } else if isStrict, result.isDoubtful, isKnown {
            skippedCount += 1
            content.append(
                Self.element(
                    "skipped", [("message", "known: \(result.lossSentences.joined(separator: "; "))")], ""))
        } else if isStrict, result.isDoubtful {
            failureCount += 1
            content.append(
                Self.element(
                    "failure",
                    [
                        ("type", result.isLossy ? "lossy" : "notExamined"),
                        ("message", result.lossSentences.joined(separator: "; ")),
                    ], ""))
        } else if result.isLossy {
            content.append("<system-out>\(Self.escaped(result.lossSentences))</system-out>")
        }
        cases.append(Self.element("testcase", attributes, content.joined()))
        return nil
    }

    private mutating func problem(
        _ kind: String, _ sentence: String, _ details: [String], _ result: CheckResult, isKnown: Bool
    ) -> String {
        if isKnown {
            skippedCount += 1
            return Self.element("skipped", [("message", "known: \(sentence)")], "")
        }
        // An error isn't a failed assertion of a test: the document couldn't be judged.
        let isError = result.outcome == .unreadable || ["crashed", "timedOut"].contains(kind)
        if isError { errorCount += 1 } else { failureCount += 1 }
        return Self.element(
            isError ? "error" : "failure", [("type", kind), ("message", sentence)],
            Self.escaped(details))
    }

    func ending(_ tally: CheckTally) -> String {
        let counts = [
            ("name", "migration-inspector check"), ("tests", "\(cases.count)"), ("failures", "\(failureCount)"),
            ("errors", "\(errorCount)"),
        ]
        // For suites, the schema allows no more than milliseconds.
        let time = [("time", String(format: "%.3f", seconds))]
        let suite = Self.element(
            "testsuite", counts + [("skipped", "\(skippedCount)")] + time,
            "\n" + cases.map { "    \($0)\n" }.joined() + Self.output(tally.sections) + "  ")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            \(Self.element("testsuites", counts + time, "\n  \(suite)\n"))
            """
    }

    /// Returns what became of the documents over time, as output of the suite.
    private static func output(_ sections: [HistorySection]) -> String {
        let lines = sections.flatMap { ($0.title.map { [$0] } ?? []) + $0.lines }
        return lines.isEmpty ? "" : "    <system-out>\(escaped(lines))</system-out>\n"
    }

    private static func element(_ name: String, _ attributes: [(String, String)], _ content: String) -> String {
        let head = "<\(name)" + attributes.map { " \($0)=\"\(escaped([$1]))\"" }.joined()
        return content.isEmpty ? "\(head)/>" : "\(head)>\(content)</\(name)>"
    }

    /// Formats a time in seconds, to the microsecond.
    private static func time(_ seconds: Double) -> String { String(format: "%.6f", seconds) }

    /// Joins the lines, with visible escapes for characters that XML doesn't allow (XML 1.0, section 2.2).
    private static func escaped(_ lines: [String]) -> String {
        lines.map(SafeText.line).joined(separator: "\n").escaping { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n": "&#10;"
            default: nil
            }
        }
    }
}
