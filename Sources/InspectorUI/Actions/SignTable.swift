import DisplayText
import MigrationCore

/// The meanings of the signs, the words of claims, the colors and the mouse, for the page that also lists all keys.
enum SignTable {
    static func lines(_ glyphs: Glyphs) -> [PageView.Line] {
        func sign(_ sign: StepRow.Sign, _ meaning: String) -> PageView.Line {
            .signs([StyledText(glyphs.sign(sign), sign.style)], meaning)
        }
        func words(_ words: [(word: String, meaning: String)]) -> [PageView.Line] {
            words.flatMap { word, meaning in
                TextWidth.wrap(meaning, to: 46, repertoire: glyphs.repertoire).enumerated().map { row, line in
                    .signs(
                        row == 0 ? [StyledText(word.replacing("←", with: glyphs.arrowBack))] : [], String(line))
                }
            }
        }
        return [
            .gap, .heading("Signs of documents"),
            sign(.succeeded, "opens: current, or migrated"),
            sign(.loss, "opens, and something is lost or dropped"),
            sign(.warning, "opens, with a warning"),
            sign(.failed, "fails, or is malformed"),
            sign(.unrecognized, "belongs to no chain"),
            sign(.unreadable, "cannot be read"),
            .gap, .heading("Signs of steps"),
            .signs(
                [.added, .removed, .changed, .moved].flatMap { (sign: StepRow.Sign) in
                    [StyledText(glyphs.sign(sign), sign.style), StyledText(" ")]
                }, "added, removed, changed, moved by the step"),
            sign(.loss, "lost: nothing that was tried depends on it"),
            .signs([StyledText(glyphs.pointer, .failed)], "the field behind the failure"),
            .signs([StyledText("\(glyphs.arrowBack) name", .dim)], "the value it was made from, as experiments show"),
            .signs(
                [StyledText("\(glyphs.reached) \(glyphs.here) \(glyphs.pending)")],
                "a version reached, shown, not reached"),
        ]
            + [.gap, .heading("Words for a failure")] + words(ClaimWords.ofFailures)
            + [.gap, .heading("Words for values")] + words(ClaimWords.ofValues)
            + [
                .gap, .heading("Colors, which never stand alone"),
                .signs([StyledText("opens", .succeeded)], "a document, version or step as it should be"),
                .signs([StyledText("fails", .failed)], "a document or step that broke"),
                .signs([StyledText(" field ", .culprit)], "the field that broke it, in step and source"),
                .signs([StyledText("loses", .warning)], "a loss or a warning"),
                .signs(
                    [StyledText("new", .added), StyledText(" "), StyledText("gone", .removed)],
                    "made, or taken away, by the step"),
                .signs(
                    [StyledText("other", .changed), StyledText(" "), StyledText("moved", .moved)],
                    "made another value, or moved, by the step"),
                .signs([StyledText("here", .current)], "the version or step one is at"),
                .signs([StyledText("as it was", .dim)], "left alone by the step, or not reached"),
                .gap, .heading("Mouse"),
                .signs([StyledText("click")], "selects what is under it; twice is Enter"),
                .signs([StyledText("wheel")], "scrolls what is under it"),
                .signs([StyledText("Shift", .hintKey)], "held down, the terminal selects text"),
                .signs([StyledText("M", .hintKey)], "M lets the mouse go, and takes it back"),
            ]
    }
}
