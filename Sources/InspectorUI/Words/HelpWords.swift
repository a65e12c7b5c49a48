import DisplayText
import MigrationCore

/// The page that explains the screen and lists all keys.
enum HelpWords {
    static let title = "Keys and signs"

    /// The lines for newcomers.
    static let start: [PageLine] = [
        .heading("Start here"),
        .text("Each document in the list was written by some version of an app. The"),
        .text("app's own code migrates it, step by step, to the newest version."),
        .keys([.up, .down], "choose a document, or a row"),
        .keys([.left, .right], "see its migration step by step"),
        .keys([.tab], "go to the next panel: documents, step, source"),
        .keys([.enter, .escape], "look closer, and go back"),
        .keys(["e"], "go to the next document with a problem"),
        .keys(["C"], "change a value in memory, and see what happens"),
        .keys(["q"], "quit; files change only when you write them (w)"),
    ]

    /// The signs in texts.
    static func notation(_ glyphs: Glyphs) -> [PageLine] {
        func sign(_ text: String, _ meaning: String) -> PageLine { .signs([StyledText(text)], meaning) }
        return [
            .gap, .heading("How to read the screen"),
            sign("v1 \(glyphs.arrow) 3", "read as version 1, migrated to version 3"),
            sign("v1 \(glyphs.failed) 2", "read as version 1; the step to version 2 failed"),
            sign("v3", "already the newest version"),
            sign(
                "\(glyphs.pending) \(glyphs.here) \(glyphs.reached)",
                "versions: not reached, shown now, reached"),
            sign("$.lines[3].text", "the path of a value: $ is the whole document"),
            sign("{1}  [12]", "an object with 1 field, a list with 12 elements"),
        ]
    }

    /// The signs of timelines.
    static func timeline(_ glyphs: Glyphs) -> [PageLine] {
        func sign(_ text: String, _ style: Style, _ meaning: String) -> PageLine {
            .signs([StyledText(text, style)], meaning)
        }
        return [
            .gap, .heading("How to read a timeline"),
            .text("A column is one state or several; its sign is that of the worst of them."),
            sign("v1\(glyphs.horizontalLine)\(glyphs.horizontalLine)", .label, "states of version 1"),
            sign(glyphs.verticalLine, .label, "a version without room for its name, or several"),
            sign(glyphs.removed, .removed, "the document is deleted"),
            sign(glyphs.caret, .changed, "the version or the outcome changes here"),
            sign(glyphs.moved, .moved, "the document has another name from here on"),
            sign(glyphs.levels.joined(), .number, "the number that is followed (f), low to high"),
            .text("A column of several states has the greatest of their numbers."),
            sign(glyphs.bullet, .changed, "a followed value that is no number changes here"),
            .text("The rows below the line are sides of merges. The last row of signs shows"),
            .text("the states around the current one, if there are too many for a column each."),
        ]
    }

    /// The meanings of the signs, the words of claims, the colors and the mouse.
    static func signs(_ glyphs: Glyphs) -> [PageLine] {
        func sign(_ sign: String, _ style: Style, _ meaning: String) -> PageLine {
            .signs([StyledText(sign, style)], meaning)
        }
        func words(_ words: [(word: String, meaning: String)]) -> [PageLine] {
            words.flatMap { word, meaning in
                TextWidth.wrap(meaning, to: 46, repertoire: glyphs.repertoire).enumerated().map { row, line in
                    .signs(
                        row == 0 ? [StyledText(word.replacing("←", with: glyphs.arrowBack))] : [], String(line))
                }
            }
        }
        return [
            .gap, .heading("Signs of documents"),
            sign(glyphs.succeeded, .succeeded, "opens: current, or migrated"),
            sign(glyphs.loss, .warning, "opens, and something is lost or dropped"),
            sign(glyphs.warning, .warning, "opens, with a warning"),
            sign(glyphs.failed, .failed, "fails, or is malformed"),
            sign(glyphs.unrecognized, .warning, "belongs to no chain"),
            sign(glyphs.unreadable, .failed, "cannot be read"),
            .gap, .heading("Signs of steps"),
            .signs(
                [
                    (glyphs.added, .added), (glyphs.removed, .removed), (glyphs.changed, .changed),
                    (glyphs.moved, .moved),
                ]
                .map { (sign: String, style: Style) in StyledText("\(sign) ", style) },
                "added, removed, changed, moved by the step"),
            sign(glyphs.loss, .warning, "lost: nothing that was tried depends on it"),
            .signs([StyledText(glyphs.pointer, .failed)], "the field that causes the failure"),
            .signs([StyledText("\(glyphs.arrowBack) name", .dim)], "the value it was made from, as experiments show"),
        ]
            + [.gap, .heading("Words for a failure")] + words(ClaimWords.ofFailures)
            + [.gap, .heading("Words for values")] + words(ClaimWords.ofValues)
            + [
                .gap, .heading("Colors, which never stand alone"),
                .signs([StyledText("opens", .succeeded)], "a document, version or step without a problem"),
                .signs([StyledText("fails", .failed)], "a document or step that broke"),
                .signs([StyledText(" field ", .culprit)], "the field that broke it, in step and source"),
                .signs([StyledText("loses", .warning)], "a loss or a warning"),
                .signs(
                    [StyledText("new", .added), StyledText(" "), StyledText("gone", .removed)],
                    "made, or taken away, by the step"),
                .signs(
                    [StyledText("other", .changed), StyledText(" "), StyledText("moved", .moved)],
                    "changed, or moved, by the step"),
                .signs([StyledText("here", .current)], "the version or step shown now"),
                .signs([StyledText("as it was", .dim)], "unchanged by the step, or not reached"),
                .gap, .heading("Mouse"),
                .signs([StyledText("click")], "selects what is under it; twice is Enter"),
                .signs([StyledText("wheel")], "scrolls what is under it"),
                .signs([StyledText("Shift", .hintKey)], "held down, the terminal selects text"),
                .signs([StyledText("M", .hintKey)], "M lets the mouse go, and takes it back"),
            ]
    }
}
