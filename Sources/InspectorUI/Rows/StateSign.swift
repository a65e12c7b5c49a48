import MigrationCore

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
        return StyledText(glyphs.sign(sign), sign.style)
    }
}
