import MigrationCore

/// A place in a timeline from which something is another than before.
enum Turn {
    /// What turns between two neighbors.
    static func words(from before: CheckResult, to after: CheckResult) -> [String] {
        var words: [String] = []
        if before.version != after.version, let version = after.version {
            let earlier = before.version.map { ", was \($0)" } ?? ""
            words.append("version \(version) since here\(earlier)")
        }
        switch (before.outcome.isProblem, after.outcome.isProblem) {
        case (false, true): words.append("\(after.outcome.wordsSinceHere) since here")
        case (true, false): words.append("opens since here")
        case (true, true) where FailureCause(before)?.atAnyPosition != FailureCause(after)?.atAnyPosition:
            words.append("another cause since here")
        default: break
        }
        return words
    }
}

extension MigrationOutcome {
    fileprivate var wordsSinceHere: String {
        switch self {
        case .failed: "fails"
        case .unrecognized: "of no chain"
        case .unreadable: "unreadable"
        case .current, .migrated: "opens"
        }
    }
}
