import DocumentSources
import MigrationCore

/// A check report on the committed states of files, for a person to read.
///
/// States come newest first, so a line says what a state is, and at the end stands since when it is so.
struct HistoryText: Sendable {
    /// The states so far, newest first.
    private var states: [(result: CheckResult, document: DocumentReference)] = []

    /// The lines of one state; nil of a file whose states could not be found.
    ///
    /// - Parameter document: The state; the next one is older, or of another file.
    mutating func lines(for result: CheckResult, of document: DocumentReference) -> String? {
        guard document.problem == nil else { return nil }
        states.append((result, document))
        let result = result.told
        let what = result.pathWords.isEmpty ? "no chain" : result.pathWords
        let sign = result.isPassed ? "✓" : result.outcome == .unrecognized ? "?" : "✗"
        let state = "\(ResultPlace(result).beginning): \(sign) \(result.revision?.day ?? "now")"
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

    /// What changed over time, newest first; empty where nothing did. Two that stand one below the other may be of two
    /// branches, so each is seen beside those that it came from.
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
    /// The state by its commit and its day.
    fileprivate var stateName: String { revision.map { "\($0.shortCommit) \($0.day)" } ?? "now" }

    /// What its author says of it.
    fileprivate var stateTitle: String { revision.map { "\($0.author): \($0.subject)" } ?? "not committed" }
}
