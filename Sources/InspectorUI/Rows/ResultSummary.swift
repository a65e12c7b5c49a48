import DisplayText
import MigrationCore

/// A document's path through its versions in a few characters: `v3`, `v1 → 3`, `v1 ✗ 2`, `–`.
enum VersionSummary {
    static func runs(_ result: CheckResult?, repertoire: Repertoire) -> [StyledText] {
        let glyphs = Glyphs.glyphs(for: repertoire)
        guard let result else { return [] }
        let from = result.version.map(name) ?? ""
        switch result.outcome {
        // If the outcome is migrated but the version is already the target, only parts were migrated.
        case .current,
            .migrated where result.version == result.target:
            return [StyledText(from, .succeeded)]
        case .migrated:
            return [
                StyledText(from), StyledText(" \(glyphs.arrow) ", .dim),
                StyledText(result.target?.description ?? "", .succeeded),
            ]
        case .failed:
            guard let step = result.failure?.step else {
                return from.isEmpty
                    ? [StyledText(glyphs.dash, .dim)] : [StyledText("\(from) \(glyphs.failed)", .failed)]
            }
            return [StyledText(from), StyledText(" \(glyphs.failed) \(step.to)", .failed)]
        case .unrecognized:
            guard let observed = result.observed, observed.path != nil else { return [StyledText(glyphs.dash, .dim)] }
            let name = TextWidth.truncate(name(observed.version), to: longestObserved, middle: true, glyphs: glyphs)
            return [StyledText(name, .dim)]
        case .unreadable:
            return [StyledText(glyphs.dash, .dim)]
        case .deleted: return [StyledText("deleted", .dim)]
        }
    }

    /// The width at which observed versions, which may be any text, are cut.
    private static let longestObserved = 20

    /// Returns the name of a version. Numbers are prefixed with `v`.
    static func name(_ version: DocumentVersion) -> String {
        if case .number = version { "v\(version)" } else { version.description }
    }
}

/// The sign of a document's outcome. Documents that open with a loss or a warning have their own signs. Of several signs,
/// the greatest is the one that needs attention most.
enum StateSign: Int, Comparable, Sendable {
    case opens, warns, loses, unchecked, unrecognized, deleted, unreadable, failed

    init(_ result: CheckResult?) {
        guard let result else {
            self = .unchecked
            return
        }
        self =
            switch result.outcome {
            case .failed: .failed
            case .unreadable: .unreadable
            case .unrecognized: .unrecognized
            case .deleted: .deleted
            case .current, .migrated: result.isLossy ? .loses : result.warnings.isEmpty ? .opens : .warns
            }
    }

    static func < (left: StateSign, right: StateSign) -> Bool { left.rawValue < right.rawValue }

    /// Returns the sign as it is drawn.
    func drawn(_ glyphs: Glyphs) -> StyledText {
        switch self {
        case .unchecked: StyledText(glyphs.separator, .dim)
        case .opens: StepRow.Sign.succeeded.drawn(glyphs)
        case .warns: StepRow.Sign.warning.drawn(glyphs)
        case .loses: StepRow.Sign.loss.drawn(glyphs)
        case .unrecognized: StepRow.Sign.unrecognized.drawn(glyphs)
        case .deleted: StepRow.Sign.removed.drawn(glyphs)
        case .unreadable: StepRow.Sign.unreadable.drawn(glyphs)
        case .failed: StepRow.Sign.failed.drawn(glyphs)
        }
    }

    static func text(_ result: CheckResult?, _ glyphs: Glyphs) -> StyledText { StateSign(result).drawn(glyphs) }
}
