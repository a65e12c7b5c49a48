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

extension HistoryTurn {
    /// The change, to put before "since" and the state: `version 3`, `version 3, observed,`, `fails`, `opens`.
    package var words: String {
        switch self {
        case .version(_, let version): "version \(version)"
        case .observed(_, .unversioned): "no version observed"
        case .observed(_, let version): "version \(version), observed,"
        case .outcome(.deleted?, _): "there again"
        case .outcome(_, .deleted): "deleted"
        case .renamed(_, let name): "renamed to \(name)"
        case .outcome(_, .failed): "fails"
        case .outcome(_, .unrecognized): "unrecognized"
        case .outcome(_, .unreadable): "unreadable"
        case .outcome(_, .current), .outcome(_, .migrated): "opens"
        case .cause: "fails for another reason"
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
