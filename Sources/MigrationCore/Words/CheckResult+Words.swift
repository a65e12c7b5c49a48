import DocumentModel

extension CheckResult: CustomStringConvertible {
    /// The outcome as a sentence: `v1.json (version 1): keyNotFound at $.number in the step from 2 to 3, line 1, column
    /// 1: …`.
    public var description: String {
        let title = source + (version.map { " (version \($0))" } ?? "")
        guard let failure else { return "\(title): \(outcome.rawValue)" }
        let step = failure.step.map { " in the step from \($0.from) to \($0.to)" } ?? ""
        let place = failure.location.map { ", \($0)" } ?? ""
        return "\(title): \(failure.kind.words(at: failure.path))\(step)\(place): \(failure.message)"
    }
}

extension CheckResult {
    /// Returns what changed with this state of a document, compared with the states directly before it: `version 3`,
    /// `fails`, `opens`. The caller adds "since". Empty if there was no earlier state, or if one of them was the same.
    package func turns(after before: [CheckResult]) -> [String] {
        guard !before.isEmpty else { return [] }
        var turns: [String] = []
        if let version, before.allSatisfy({ $0.version != nil && $0.version != version && $0.chain == chain }) {
            turns.append("version \(version)")
        }
        if before.allSatisfy({ $0.outcome.isProblem != outcome.isProblem }) {
            turns.append(outcome.wordsSince)
        } else if outcome.isProblem, before.allSatisfy({ $0.outcome != outcome }) {
            turns.append(outcome.wordsSince)
        } else if outcome.isProblem, let cause = FailureCause(self),
            before.allSatisfy({ FailureCause($0).map { !$0.isLike(cause) } ?? true })
        {
            turns.append("fails of another cause")
        }
        return turns
    }
}

extension MigrationOutcome {
    /// Whether the document needs attention, so that a check exits with 1.
    package var isProblem: Bool {
        switch self {
        case .current, .migrated: false
        case .failed, .unrecognized, .unreadable: true
        }
    }

    /// The outcome of this state and the following ones.
    fileprivate var wordsSince: String {
        switch self {
        case .failed: "fails"
        case .unrecognized: "unrecognized"
        case .unreadable: "unreadable"
        case .current, .migrated: "opens"
        }
    }
}

extension DocumentRevision {
    /// A sentence about earlier names of the file that were not searched for, or nil if nothing was left out.
    package var unsearchedSentence: String? {
        let because: String
        switch unsearchedRenames {
        case .tooManyFiles(let added, let removed): because = "it adds \(added) files and removes \(removed)"
        case .contentsMissing: because = "contents that would be compared are not here"
        case nil: return nil
        }
        return "renames were not looked for in commit \(shortCommit): \(because); "
            + "the file may have had another name before"
    }
}
