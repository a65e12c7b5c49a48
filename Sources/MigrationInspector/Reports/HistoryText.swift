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
        guard document.problem == nil || document.revision != nil, !document.isRest else { return nil }
        states.append((result, document))
        let result = result.reported
        let what = result.outcome == .deleted ? Self.absence(of: document) : result.pathWords
        let sign =
            switch result.outcome {
            case .current, .migrated: "✓"
            case .failed, .unreadable: "✗"
            case .unrecognized: "?"
            case .deleted: "–"
            }
        let state = "\(ResultLocation(result).beginning): \(sign) \(result.revision?.day ?? "now")"
        let side = document.revision?.isOnSide == true ? "  (on a side)" : ""
        var lines = ["\(state)  \(what.isEmpty ? "no chain" : what)  \(result.stateTitle)\(side)"]
        switch result.outcome {
        case .unrecognized: lines.append("    " + result.warnings.unrecognizedSentence)
        case .failed, .unreadable:
            if let failure = result.failure { lines.append("    \(failure.sentence)\(CheckText.inside(failure))") }
        case .current, .migrated, .deleted: break
        }
        lines += CheckText.notes(on: result)
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    /// What the commit has in place of the file.
    private static func absence(of document: DocumentReference) -> String {
        if case .git(.absent(let absence))? = document.problem?.reason { absence.words } else { "was deleted" }
    }

    /// The changes over time, for a report in another format.
    var summary: HistorySummary {
        let turns = HistoryTurns(states)
        return HistorySummary(
            turns: (turns.ofPresent + turns.ofSides).map { .init(commit: $0.revision?.commit, change: $1) },
            missing: turns.missing.first)
    }

    /// The changes over time, newest first, and the states that are missing. Empty if there are none.
    ///
    /// Two adjacent states may be on different lines, so each state is compared with those that it was derived from.
    var ending: String {
        let turns = HistoryTurns(states)
        var lines: [String] = []
        let isShallow = states.contains { $0.document.revision?.isInShallowClone == true }
        let sides =
            isShallow ? "On lines that this clone does not connect to the present:" : "On sides that were merged:"
        for (title, lane) in [("Over time:", turns.ofPresent), (sides, turns.ofSides)]
        where !lane.isEmpty {
            lines += ["", title]
            for (state, turn) in lane {
                let since =
                    state.revision == nil
                    ? "now, not committed" : "since \(state.stateName), \(state.stateTitle)"
                lines.append(SafeText.line("  \(turn.words) \(since)"))
            }
        }
        let missing = turns.missing.map(\.sentence)
        return (lines + (missing.isEmpty ? [] : [""] + missing)).joined(separator: "\n")
    }
}

/// The changes in the histories of files.
struct HistoryTurns {
    /// The changes on the lines that lead to the present contents, newest first.
    private(set) var ofPresent: [(state: CheckResult, turn: HistoryTurn)] = []
    /// The changes on sides of merges, newest first.
    private(set) var ofSides: [(state: CheckResult, turn: HistoryTurn)] = []
    /// The states about which nothing is known, by reason.
    private(set) var missing: [MissingStates] = []

    init(_ states: [(result: CheckResult, document: DocumentReference)]) {
        let before = states.map(\.document).statesBefore()
        for (position, (result, document)) in states.enumerated() {
            let line = sequence(state: position) { position in
                before[position].first.map { earlier in
                    position = earlier
                    return states[earlier].result
                }
            }
            let revision = document.revision
            let isWhole = revision?.isAtBorder == false && revision?.unsearchedRenames == nil
            let turns = result.turns(after: line, isWhole: isWhole).map { (result, $0) }
            if document.revision?.lane ?? 0 == 0 { ofPresent += turns } else { ofSides += turns }
        }
        let unread = states.filter { $0.result.outcome == .unreadable && $0.document.revision != nil }
        let left = unread.count { $0.document.problem?.reason == .git(.notHere) }
        if left > 0 { missing.append(.partial(left)) }
        if unread.count > left { missing.append(.unreadable(unread.count - left)) }
        if states.contains(where: { $0.document.revision?.isAtBorder == true }) { missing.append(.shallow) }
    }
}

extension MissingStates {
    /// What is missing, and the command that gets it.
    fileprivate var sentence: String {
        switch self {
        case .shallow: "Earlier states, if there are any, are not in this clone; 'git fetch --unshallow' gets them."
        case .partial(1): "1 state is not in this clone; 'git fetch --refetch --no-filter' gets it."
        case .partial(let count):
            "\(count) states are not in this clone; 'git fetch --refetch --no-filter' gets them."
        case .unreadable(1): "1 state could not be read; nothing is said that rests on it."
        case .unreadable(let count): "\(count) states could not be read; nothing is said that rests on them."
        }
    }
}

extension CheckResult {
    /// The commit and the day of the state.
    fileprivate var stateName: String { revision.map { "\($0.shortCommit) \($0.day)" } ?? "now" }

    /// The author and the subject of the commit.
    fileprivate var stateTitle: String { revision.map { "\($0.author): \($0.subject)" } ?? "not committed" }
}
