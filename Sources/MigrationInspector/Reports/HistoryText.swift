import DocumentSources
import MigrationCore

/// A check report on the committed states of files, as text.
///
/// States are ordered from newest to oldest. Each line describes a state, and the end of the report says since when it
/// has been that way.
struct HistoryText: Sendable {
    /// The states so far, newest first.
    private var states: [(result: CheckResult, document: DocumentReference)] = []

    /// Returns the lines for one state; nil if the states of the file could not be found.
    ///
    /// - Parameter document: The state. The next one is older, or of another file.
    mutating func lines(for result: CheckResult, of document: DocumentReference) -> String? {
        guard document.problem == nil else { return nil }
        states.append((result, document))
        let result = result.reported
        let what = result.pathWords.isEmpty ? "no chain" : result.pathWords
        let sign = result.isPassed ? "✓" : result.outcome == .unrecognized ? "?" : "✗"
        let state = "\(ResultLocation(result).beginning): \(sign) \(result.revision?.day ?? "now")"
        var lines = ["\(state)  \(what)  \(result.stateTitle)"]
        switch result.outcome {
        case .unrecognized: lines.append("    " + result.warnings.unrecognizedSentence)
        case .failed, .unreadable:
            if let failure = result.failure { lines.append("    \(failure.sentence)\(CheckText.inside(failure))") }
        case .current, .migrated: break
        }
        lines += CheckText.notes(on: result)
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    /// The changes over time, newest first; empty if there are none. Two adjacent states may be on different branches,
    /// so each state is compared with those that it was derived from.
    var ending: String {
        let turns = zip(states, states.map(\.document).statesBefore()).flatMap { state, before in
            let since =
                state.result.revision == nil
                ? "now, not committed" : "since \(state.result.stateName), \(state.result.stateTitle)"
            return state.result.turns(after: before.map { states[$0].result }).map { "\($0) \(since)" }
        }
        return turns.isEmpty
            ? "" : (["", "Over time:"] + turns.map { SafeText.line("  \($0)") }).joined(separator: "\n")
    }
}

extension CheckResult {
    /// The commit and the day of the state.
    fileprivate var stateName: String { revision.map { "\($0.shortCommit) \($0.day)" } ?? "now" }

    /// The author and the subject of the commit.
    fileprivate var stateTitle: String { revision.map { "\($0.author): \($0.subject)" } ?? "not committed" }
}
