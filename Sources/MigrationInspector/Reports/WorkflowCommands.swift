import DocumentModel
import MigrationCore

/// A check report as workflow commands of GitHub Actions ("Workflow commands", docs.github.com), with an annotation for
/// each document that needs attention.
struct WorkflowCommands: CheckWriter {
    private let isStrict: Bool

    init(_ reporting: CheckReporting, areStates: Bool) { isStrict = reporting.isStrict }

    func lines(for entry: CheckTally.Entry) -> String? {
        let (result, isKnown) = (entry.result.reported, entry.isKnown)
        if let sentence = result.problemSentence {
            let title = result.pathWords.isEmpty ? result.outcome.rawValue : result.pathWords
            let message = ([sentence] + result.problemReasons).joined(separator: "; ")
            return line(isKnown ? "notice" : "error", result, title: isKnown ? "known: \(title)" : title, message)
        }
        let command = isKnown ? "notice" : isStrict ? "error" : "warning"
        let lines = result.lossSentences.map { line(command, result, title: result.pathWords, $0) }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    func ending(_ tally: CheckTally) -> String {
        (tally.sections.map(line) + [CheckText.counts(of: tally.summary)]).joined(separator: "\n")
    }

    /// Returns the command for what became of documents over time.
    private func line(for section: HistorySection) -> String {
        let title = section.plainTitle ?? "History"
        let text = section.lines.map { SafeText.line(String($0.trimmingPrefix { $0 == " " })) }
        let message = text.map { Self.escaped($0, isProperty: false) }.joined(separator: "%0A")
        return "::notice title=\(Self.escaped(title, isProperty: true))::\(message)"
    }

    private func line(_ command: String, _ result: CheckResult, title: String, _ message: String) -> String {
        let place = ResultLocation(result)
        var properties = [("file", place.file)]
        if let (line, column) = place.position { properties += [("line", "\(line)"), ("col", "\(column)")] }
        properties.append(("title", title))
        // Without this, the name of a part of a file would be missing.
        let message = place.file == result.source ? message : "\(result.source): \(message)"
        let list = properties.map { "\($0)=\(Self.escaped($1, isProperty: true))" }.joined(separator: ",")
        return "::\(command) \(list)::\(Self.escaped(message, isProperty: false))"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        SafeText.line(text).escaping { scalar in
            switch scalar {
            case "%": "%25"
            case ":" where isProperty: "%3A"
            case "," where isProperty: "%2C"
            default: nil
            }
        }
    }
}
