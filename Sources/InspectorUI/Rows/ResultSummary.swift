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
        case .unrecognized, .unreadable:
            return [StyledText(glyphs.dash, .dim)]
        case .deleted: return [StyledText("deleted", .dim)]
        }
    }

    /// Returns the name of a version. Numbers are prefixed with `v`.
    static func name(_ version: DocumentVersion) -> String {
        if case .number = version { "v\(version)" } else { version.description }
    }
}

/// The sign of a document's outcome. Documents that open with a loss or a warning have their own signs.
enum StateSign {
    static func text(_ result: CheckResult?, _ glyphs: Glyphs) -> StyledText {
        guard let result else { return StyledText(glyphs.separator, .dim) }
        let sign: StepRow.Sign =
            if result.outcome.isProblem {
                StepRow.Sign(result.outcome)
            } else if result.isLossy {
                .loss
            } else {
                result.warnings.isEmpty ? StepRow.Sign(result.outcome) : .warning
            }
        return sign.drawn(glyphs)
    }
}
