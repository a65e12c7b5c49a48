import DocumentModel
import MigrationCore

/// Messages about documents whose values were replaced.
enum RedactionWords {
    static let partlyRead = "what comes after it cannot be read"

    static func redacting(runs: Int) -> String { "redacting: \(runs) runs" }

    static func notRedacted(because problem: RedactionProblem) -> String { "\(problem); nothing was written" }

    /// How to redact the names of members.
    static let hint = "\(Option.redactKeys.name) replaces them"

    static let keysAreKept = "keys are kept (\(hint))"
}
