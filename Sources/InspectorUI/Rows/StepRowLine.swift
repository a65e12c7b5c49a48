/// A row of the step panel as styled text: sign, label, value, and for the culprit what the error says.
struct StepRowLine {
    let runs: [StyledText]

    /// - Parameters:
    ///   - width: The columns that are seen, `sideways` of them scrolled out: no more of a long value is made.
    ///   - saysMessage: Whether the culprit's row repeats the error's message, which may already stand above the rows.
    ///   - side: The side of a difference, where both are shown beside each other.
    init(
        _ row: StepRow, glyphs: Glyphs, width: Int, sideways: Int = 0, side: StepRow.Side = .both,
        saysMessage: Bool = true
    ) {
        let sign = Self.sign(row, side, glyphs)
        let signStyle = row.sign == .changed ? row.labelStyle(on: side) : row.signStyle
        var runs = [StyledText(sign, signStyle), StyledText(side == .both ? "   " : " ")]
        let indent = String(repeating: "  ", count: min(row.depth, 64))
        runs.append(StyledText(indent))
        if let label = row.label {
            let columns = TextWidth.columns(of: label.text, repertoire: glyphs.repertoire)
            let padding = max(0, row.labelWidth - columns) + 2
            let style = row.isCulprit ? Style.culprit : row.labelStyle(on: side)
            runs.append(StyledText(label.text, style))
            runs.append(StyledText(String(repeating: " ", count: padding)))
        }
        let budget = width + sideways + 16
        runs += row.content(showing: side, budget: budget, glyphs: glyphs)
        if case .culprit(_, let blame) = row.body {
            let words = saysMessage ? blame.message + (blame.isLikely ? " (likely culprit)" : "") : blame.shortWords
            runs.append(StyledText("  "))
            runs.append(StyledText("\(glyphs.pointer) \(words)", .failed))
        }
        self.runs = runs
    }

    private static func sign(_ row: StepRow, _ side: StepRow.Side, _ glyphs: Glyphs) -> String {
        guard row.sign == .changed else { return glyphs.sign(row.sign) }
        switch side {
        case .both: return glyphs.changed
        case .old: return glyphs.removed
        case .new: return glyphs.added
        }
    }
}
