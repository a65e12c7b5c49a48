/// A change of a document's version or outcome from one state of its history to the next one on the same line.
public enum HistoryTurn: Sendable, Hashable {
    /// The document has another version.
    case version(from: DocumentVersion, to: DocumentVersion)
    /// The document has another observed version. No chain claims it, so nothing migrates.
    case observed(from: DocumentVersion, to: DocumentVersion)
    /// The document opens, fails, is deleted or is back. Nil stands for the time before the first state.
    case outcome(from: MigrationOutcome?, to: MigrationOutcome)
    /// The document has another path in this state.
    case renamed(from: MigrationOutcome, to: String)
    /// The document failed before, but in another way.
    case cause
}

extension CheckResult {
    /// Returns the changes in this state of a document's history.
    ///
    /// A state after a deletion is compared with the last state before it. Nothing is claimed of a state after one that
    /// could not be read, which may have been the same.
    ///
    /// - Parameters:
    ///   - line: The earlier states on the line that leads to this one, the nearest first. No more of them are asked for
    ///     than needed.
    ///   - isWhole: Whether this is the first state of the document if there is no earlier one.
    package func turns(after line: some Sequence<CheckResult>, isWhole: Bool) -> [HistoryTurn] {
        if outcome == .unreadable { return [] }
        var isBack = false
        var existing: CheckResult?
        for earlier in line {
            if outcome == .deleted {
                if earlier.outcome == .deleted { return [] }
                return [
                    revision?.renamedTo.map { .renamed(from: earlier.outcome, to: $0) }
                        ?? .outcome(from: earlier.outcome, to: .deleted)
                ]
            }
            existing = earlier.outcome == .deleted ? nil : earlier
            if existing != nil { break }
            isBack = true
        }
        let back = isBack ? [HistoryTurn.outcome(from: .deleted, to: outcome)] : []
        if let existing { return back + turns(since: existing) }
        // A deleted document was there before, even if its states are missing.
        return isWhole && !isBack && outcome.isProblem ? [.outcome(from: nil, to: outcome)] : back
    }

    private func turns(since earlier: CheckResult) -> [HistoryTurn] {
        if earlier.outcome == .unreadable { return [] }
        var turns: [HistoryTurn] = []
        if let version, let old = earlier.version, version != old, chain == earlier.chain {
            turns.append(.version(from: old, to: version))
        }
        if let observed, let old = earlier.observed, observed.version != old.version {
            turns.append(.observed(from: old.version, to: observed.version))
        }
        if outcome.isProblem != earlier.outcome.isProblem || outcome.isProblem && outcome != earlier.outcome {
            turns.append(.outcome(from: earlier.outcome, to: outcome))
        } else if outcome.isProblem, let cause = FailureCause(self),
            FailureCause(earlier).map({ !$0.isLike(cause) }) ?? true
        {
            turns.append(.cause)
        }
        return turns
    }
}
