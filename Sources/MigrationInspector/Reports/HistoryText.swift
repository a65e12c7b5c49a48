import DocumentSources
import MigrationCore

/// A check report on the committed states of files, for a person to read.
///
/// States come newest first, so a line says what a state is, and at the end stands since when it is so.
struct HistoryText: Sendable {
    /// What is said of a state at the end, where it is another than the one before it in time.
    private var turns: [String] = []
    /// The state above, which is newer, of the same file.
    private var newer: (result: CheckResult, document: DocumentReference)?

    /// The lines of one state.
    ///
    /// - Parameter document: That whose state it is; the next one is older, or of another file.
    mutating func lines(for result: CheckResult, of document: DocumentReference) -> String {
        // Two that stand one below the other may be of two branches.
        if let newer, newer.document.isBehind(document) { note(newer.result, after: result) }
        newer = (result, document)
        let versions = [result.chain, VersionText.path(of: result)].compactMap(\.self).filter { !$0.isEmpty }
        let what = versions.isEmpty ? "no chain" : versions.joined(separator: " ")
        let sign = result.isPassed ? "✓" : result.outcome == .unrecognized ? "?" : "✗"
        var lines = ["\(sign) \(result.stateName)  \(what)  \(result.stateTitle)"]
        switch result.outcome {
        case .unrecognized: lines.append("    " + result.warnings.unrecognizedSentence)
        case .failed, .unreadable:
            if let failure = result.failure.map(document.tells) {
                lines.append("    \(document.place(of: failure)): \(failure.sentence)")
            }
        case .current, .migrated: break
        }
        lines += CheckText.notes(on: result, of: document)
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    private mutating func note(_ newer: CheckResult, after older: CheckResult) {
        let since = newer.revision == nil ? "now, not committed" : "since \(newer.stateName), \(newer.stateTitle)"
        if newer.version != older.version, let version = newer.version, newer.chain == older.chain {
            turns.append("version \(version) \(since)")
        }
        if newer.isPassed != older.isPassed {
            turns.append("\(newer.isPassed ? "opens" : newer.outcome.sinceWords) \(since)")
        } else if !newer.isPassed, FailureCause(newer) != FailureCause(older) {
            turns.append("fails of another cause \(since)")
        }
    }

    /// What changed over time, newest first; empty where nothing did.
    var ending: String {
        turns.isEmpty ? "" : (["", "Over time:"] + turns.map { SafeText.line("  \($0)") }).joined(separator: "\n")
    }
}

extension CheckResult {
    /// The state by its commit and its day.
    fileprivate var stateName: String { revision.map { "\($0.shortCommit) \($0.day)" } ?? "now" }

    /// What its author says of it.
    fileprivate var stateTitle: String { revision.map { "\($0.author): \($0.subject)" } ?? "not committed" }
}

extension MigrationOutcome {
    /// The outcome of a state and of those after it.
    fileprivate var sinceWords: String {
        switch self {
        case .unreadable: "unreadable"
        case .unrecognized: "unrecognized"
        case .failed, .current, .migrated: "fails"
        }
    }
}
