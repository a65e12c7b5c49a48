import DocumentSources
import MigrationCore

/// A check report on the committed states of files, as text.
///
/// States are ordered from newest to oldest. Each line describes a state, and the end of the report says since when it
/// has been that way.
struct HistoryText: TurnsInTime {
    /// The states so far, newest first.
    private var states: [(result: CheckResult, document: DocumentReference)] = []

    /// Whether a document is a state, and not an error in place of the states of a file.
    private static func isState(_ document: DocumentReference) -> Bool {
        (document.problem == nil || document.revision != nil) && !document.isRest
    }

    mutating func add(_ result: CheckResult, of document: DocumentReference) {
        if Self.isState(document) { states.append((result, document)) }
    }

    /// Returns the line for one state and the notes on it; nil if the states of the file could not be found.
    static func lines(for result: CheckResult, of document: DocumentReference) -> [String]? {
        guard isState(document) else { return nil }
        let result = result.reported
        let what = result.outcome == .deleted ? absence(of: document) : result.pathWords
        let sign =
            switch result.outcome {
            case .current, .migrated: "✓"
            case .failed, .unreadable: "✗"
            case .unrecognized: "?"
            case .deleted: "–"
            }
        let state = "\(ResultLocation(result).beginning): \(sign) \(result.revision?.day ?? "now")"
        let side = document.revision?.isOnSide == true ? "  (on a side)" : ""
        let version = result.observed.map { $0.path == nil ? $0.words : "version \($0.version), observed" }
        var lines = ["\(state)  \(what.isEmpty ? version ?? "no chain" : what)  \(result.stateTitle)\(side)"]
        switch result.outcome {
        // Where versions are observed, the end of the report says that no chain claims the states.
        case .unrecognized where result.observed != nil: return lines.map(SafeText.line)
        case .unrecognized: lines.append("    " + result.warnings.unrecognizedSentence)
        case .failed, .unreadable:
            if let failure = result.failure { lines.append("    \(failure.sentence)\(CheckText.inside(failure))") }
        case .current, .migrated, .deleted: break
        }
        lines += CheckText.notes(on: result)
        return lines.map(SafeText.line)
    }

    /// The words for the state of the file in a commit that does not have it.
    private static func absence(of document: DocumentReference) -> String {
        if case .git(.absent(let absence))? = document.problem?.reason { absence.words } else { "was deleted" }
    }

    var summary: HistorySummary {
        let turns = HistoryTurns(states)
        return HistorySummary(
            turns: (turns.ofPresent + turns.ofSides).map {
                .init(of: $0.history.description, commit: $0.state.revision?.commit, change: $0.turn)
            },
            missing: turns.missing.first)
    }

    /// The changes over time, newest first, those on sides of merges, and what is missing.
    ///
    /// Two adjacent states may be on different lines, so each state is compared with those that it was derived from.
    var sections: [HistorySection] {
        let turns = HistoryTurns(states)
        var sections: [HistorySection] = []
        let isShallow = states.contains { $0.document.revision?.isInShallowClone == true }
        let sides =
            isShallow ? "On lines that this clone does not connect to the present:" : "On sides that were merged:"
        let areSeveral = Set(states.map(\.document.history)).count > 1
        for (title, lane) in [("Over time:", turns.ofPresent), (sides, turns.ofSides)]
        where !lane.isEmpty {
            var lines: [String] = []
            var last: FilePath?
            for (history, state, turn) in lane {
                if areSeveral, history != last { lines.append(" \(history):") }
                last = history
                let since =
                    state.revision == nil
                    ? "now, not committed" : "since \(state.stateName), \(state.stateTitle)"
                lines.append("  \(turn.words) \(since)")
            }
            sections.append(HistorySection(title: title, lines: lines))
        }
        let missing = turns.missing.map(\.sentence)
        return sections + (missing.isEmpty ? [] : [HistorySection(title: nil, lines: missing)])
    }
}

/// A part of what a report says about a history at its end.
struct HistorySection: Sendable {
    /// The title, with a colon; nil for sentences that need none.
    let title: String?
    let lines: [String]

    /// The title without a colon.
    var plainTitle: String? { title.map { $0.hasSuffix(":") ? String($0.dropLast()) : $0 } }

    /// The section as text, after a blank line.
    var text: String { ([""] + (title.map { [$0] } ?? []) + lines).map(SafeText.line).joined(separator: "\n") }
}

/// The changes in the histories of files.
struct HistoryTurns {
    /// The changes on the lines that lead to the present contents, newest first.
    private(set) var ofPresent: [(history: FilePath, state: CheckResult, turn: HistoryTurn)] = []
    /// The changes on sides of merges, newest first.
    private(set) var ofSides: [(history: FilePath, state: CheckResult, turn: HistoryTurn)] = []
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
            let isWhole = document.revision?.knowsPast ?? false
            let turns = result.turns(after: line, isWhole: isWhole).map { (document.history, result, $0) }
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
    /// The sentence about the missing states, with the command that gets them.
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
