/// How many columns texts take, and how much of a text fits into some: always as ``DisplayText`` shows it.
public enum TextWidth {
    /// No screen has as many columns. A text that takes more counts as if it took these, and is not measured further.
    public static let most = 1 << 14

    /// The columns that a text takes on the screen, at most ``most``.
    public static func columns(of text: String, repertoire: Repertoire = .unicode) -> Int {
        var columns = 0
        for unit in DisplayText(text, repertoire: repertoire) {
            columns += unit.columns
            if columns >= most { return most }
        }
        return columns
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
}

extension String {
    /// The text for a place that shows its ends at most: of one with more than `most` bytes the middle is left out, which
    /// takes the same time however long it is.
    package func withoutMiddle(most: Int = 8192) -> String {
        guard utf8.count > most else { return self }
        var (head, tail) = (utf8.index(startIndex, offsetBy: most / 2), utf8.index(endIndex, offsetBy: -most / 2))
        while head.samePosition(in: unicodeScalars) == nil { head = utf8.index(before: head) }
        while tail.samePosition(in: unicodeScalars) == nil { tail = utf8.index(after: tail) }
        return self[..<head] + "..." + self[tail...]
    }
}
