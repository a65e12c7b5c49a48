import MigrationCore

/// The sign of a document's outcome. One that opens but loses something, or has a warning, has a sign of its own.
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
