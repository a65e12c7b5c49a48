/// How many columns texts take, and how much of a text fits into some: always as ``DisplayText`` shows it.
public enum TextWidth {
    /// The columns that a text takes on the screen.
    public static func columns(of text: String, repertoire: Repertoire = .unicode) -> Int {
        var columns = 0
        for unit in DisplayText(text, repertoire: repertoire) { columns += unit.columns }
        return columns
    }

    public static func columns(of runs: [StyledText], repertoire: Repertoire = .unicode) -> Int {
        runs.reduce(0) { $0 + columns(of: $1.text, repertoire: repertoire) }
    }

    /// The longest beginning of the text that takes at most this many columns, never ending inside an escape or
    /// between a character and its marks, and the columns it takes.
    public static func prefix(
        of text: String, fitting columns: Int, repertoire: Repertoire = .unicode
    ) -> (text: Substring, columns: Int) {
        var used = 0
        var end = text.startIndex
        for piece in DisplayText(text, repertoire: repertoire).pieces {
            guard used + piece.columns <= columns else { return (text[..<end], used) }
            used += piece.columns
            end = piece.range.upperBound
        }
        return (text[...], used)
    }

    /// The lines that a text takes in a place this wide. Lines break at blanks where there are any (the blank is
    /// then left out), else between characters; each holds at least one character, however narrow the place is.
    public static func wrap(_ text: String, to columns: Int, repertoire: Repertoire = .unicode) -> [Substring] {
        var lines: [Substring] = []
        // Between `end` and the next piece there may be a joiner of emoji, which joins nothing at the end of a line.
        var start = text.startIndex
        var end = start
        var used = 0
        var lastBlank: (range: Range<String.Index>, columnsThrough: Int)?
        for piece in DisplayText(text, repertoire: repertoire).pieces {
            if used > 0, used + piece.columns > columns {
                if piece.isBlank {
                    lines.append(text[start..<end])
                    (start, end, used, lastBlank) = (piece.range.upperBound, piece.range.upperBound, 0, nil)
                    continue
                }
                if let blank = lastBlank, blank.range.lowerBound > start {
                    lines.append(text[start..<blank.range.lowerBound])
                    (start, used, lastBlank) = (blank.range.upperBound, used - blank.columnsThrough, nil)
                } else {
                    lines.append(text[start..<end])
                    (start, used, lastBlank) = (piece.range.lowerBound, 0, nil)
                }
            }
            used += piece.columns
            end = piece.range.upperBound
            if piece.isBlank { lastBlank = (piece.range, used) }
        }
        lines.append(text[start...])
        return lines
    }

    /// The text shortened to this many columns, with an ellipsis where something is left out: at the end, or in the
    /// middle for texts whose ends tell most.
    public static func truncate(
        _ text: String, to columns: Int, middle: Bool = false, glyphs: Glyphs = .unicode
    ) -> String {
        truncate([StyledText(text)], to: columns, middle: middle, glyphs: glyphs).map(\.text).joined()
    }

    public static func truncate(
        _ runs: [StyledText], to columns: Int, middle: Bool = false, glyphs: Glyphs = .unicode
    ) -> [StyledText] {
        let repertoire = glyphs.repertoire
        guard !fits(runs, in: columns, repertoire: repertoire) else { return runs }
        let ellipsisWidth = glyphs.ellipsis.unicodeScalars.count
        guard columns >= ellipsisWidth else { return head(of: runs, columns: columns, repertoire: repertoire).runs }
        let room = columns - ellipsisWidth
        let tailRoom = middle ? room / 2 : 0
        var shortened = head(of: runs, columns: room - tailRoom, repertoire: repertoire)
        shortened.runs.append(StyledText(glyphs.ellipsis, shortened.cutStyle))
        return tailRoom == 0
            ? shortened.runs : shortened.runs + tail(of: runs, columns: tailRoom, repertoire: repertoire)
    }

    private static func fits(_ runs: [StyledText], in columns: Int, repertoire: Repertoire) -> Bool {
        var used = 0
        for run in runs {
            for unit in DisplayText(run.text, repertoire: repertoire) {
                used += unit.columns
                if used > columns { return false }
            }
        }
        return true
    }

    /// The beginning of the runs, and the style of what was cut off.
    private static func head(
        of runs: [StyledText], columns: Int, repertoire: Repertoire
    ) -> (runs: [StyledText], cutStyle: Style) {
        var head: [StyledText] = []
        var room = columns
        for run in runs {
            let fitting = prefix(of: run.text, fitting: room, repertoire: repertoire)
            if !fitting.text.isEmpty { head.append(StyledText(String(fitting.text), run.style)) }
            if fitting.text.endIndex < run.text.endIndex { return (head, run.style) }
            room -= fitting.columns
        }
        return (head, runs.last?.style ?? .plain)
    }

    private static func tail(of runs: [StyledText], columns: Int, repertoire: Repertoire) -> [StyledText] {
        var tail: [StyledText] = []
        var room = columns
        for run in runs.reversed() {
            let all = self.columns(of: run.text, repertoire: repertoire)
            if all <= room {
                tail.append(run)
                room -= all
                continue
            }
            var left = all
            for piece in DisplayText(run.text, repertoire: repertoire).pieces {
                if left <= room {
                    tail.append(StyledText(String(run.text[piece.range.lowerBound...]), run.style))
                    break
                }
                left -= piece.columns
            }
            break
        }
        return tail.reversed()
    }
}
