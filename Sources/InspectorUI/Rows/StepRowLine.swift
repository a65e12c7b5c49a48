import DisplayText

/// A row of the step panel as styled text: the sign, the label, the value and, for the culprit, the error's message.
struct StepRowLine {
    /// The sign and the label.
    private let head: [StyledText]
    /// The value and, for the culprit, the message.
    private let body: [StyledText]

    var runs: [StyledText] { head + body }

    /// - Parameters:
    ///   - width: The number of visible columns, after `sideways` columns that are scrolled out of view. Long values
    ///     are cut off accordingly.
    ///   - saysMessage: Whether the culprit's row includes the error's message, which may already be shown above the
    ///     rows.
    ///   - side: The side of a difference, if the two sides are shown side by side.
    init(
        _ row: StepRow, glyphs: Glyphs, width: Int, sideways: Int = 0, side: StepRow.Side = .both,
        saysMessage: Bool = true
    ) {
        var head = [
            StyledText(row.shownSign(on: side).drawn(glyphs).text, row.signStyle(on: side)),
            StyledText((side == .both ? "   " : " ") + String(repeating: "  ", count: min(row.depth, 64))),
        ]
        if let label = row.label(on: side) {
            let columns = TextWidth.columns(of: label.text, repertoire: glyphs.repertoire)
            let padding = max(0, row.labelWidth - columns) + 2
            head.append(StyledText(label.text, row.labelStyle(on: side)))
            head.append(StyledText(String(repeating: " ", count: padding)))
        }
        let budget = width + sideways + 16
        var body = row.content(showing: side, budget: budget, glyphs: glyphs)
        if case .culprit(_, let failure) = row.body {
            let words = saysMessage ? failure.messageAtCulprit : failure.culpritWords
            body.append(StyledText("  "))
            body.append(StyledText("\(glyphs.pointer) \(words)", .failed))
        }
        body += row.findingContent(on: side, glyphs: glyphs)
        self.head = head
        self.body = body
    }

    /// Returns the pinned and the scrolling part of the row. A label that takes up most of the width scrolls as well.
    func pinned(to width: Int, repertoire: Repertoire) -> (head: [StyledText], body: [StyledText]) {
        TextWidth.columns(of: head, repertoire: repertoire) * 2 > width ? ([], runs) : (head, body)
    }

    /// Returns whether the line continues beyond `width` columns.
    func goesOn(beyond width: Int, sideways: Int) -> Bool {
        let (head, body) = pinned(to: width, repertoire: .unicode)
        return TextWidth.columns(of: head) + TextWidth.columns(of: body) - sideways > width
    }

}
