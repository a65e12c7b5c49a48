import DocumentModel
import MigrationCore

/// A check report as workflow commands of GitHub Actions ("Workflow commands", docs.github.com), with an annotation for
/// each document that needs attention.
enum WorkflowCommands {
    /// Returns the commands for a document; empty if all is well.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the failure is known, so that it doesn't fail the run.
    ///   - isStrict: Whether a document that drops or loses something counts as failed.
    static func lines(for result: CheckResult, isKnown: Bool, isStrict: Bool) -> [String] {
        if let sentence = result.problemSentence {
            let title = result.pathWords.isEmpty ? result.outcome.rawValue : result.pathWords
            let message = ([sentence] + result.problemReasons).joined(separator: "; ")
            return [line(isKnown ? "notice" : "error", result, title: isKnown ? "known: \(title)" : title, message)]
        }
        return result.lossSentences.map {
            line(isKnown ? "notice" : isStrict ? "error" : "warning", result, title: result.pathWords, $0)
        }
    }

    private static func line(_ command: String, _ result: CheckResult, title: String, _ message: String) -> String {
        let place = ResultLocation(result)
        var properties = [("file", place.file)]
        if let (line, column) = place.position { properties += [("line", "\(line)"), ("col", "\(column)")] }
        properties.append(("title", title))
        // Without this, the name of a part of a file would be missing.
        let message = place.file == result.source ? message : "\(result.source): \(message)"
        let list = properties.map { "\($0)=\(escaped($1, isProperty: true))" }.joined(separator: ",")
        return "::\(command) \(list)::\(escaped(message, isProperty: false))"
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
