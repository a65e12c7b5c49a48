/// Measures and shortens texts, in the form in which ``DisplayText`` shows them.
public enum TextWidth {
    /// A number of columns that no screen exceeds. Wider texts count as this wide and are not measured further.
    public static let most = 1 << 14

    /// Returns the width of a text on the screen, in columns, up to ``most``.
    public static func columns(of text: String, repertoire: Repertoire = .unicode) -> Int {
        var columns = 0
        for unit in DisplayText(text, repertoire: repertoire) {
            columns += unit.columns
            if columns >= most { return most }
        }
        return columns
    }

    /// Returns the longest prefix of the text that takes up at most this many columns, and its width. The prefix
    /// never ends inside an escape or between a character and its marks.
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

    /// Wraps a text to lines of this width. Lines break at spaces if there are any (the space is then dropped), and
    /// otherwise between characters. Each line holds at least one character, however narrow it is.
    public static func wrap(_ text: String, to columns: Int, repertoire: Repertoire = .unicode) -> [Substring] {
        var lines: [Substring] = []
        // There may be an emoji joiner between `end` and the next piece. It joins nothing at the end of a line.
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
    /// Returns the text without its middle if it has more than `most` bytes, for uses that show at most its ends.
    /// This takes the same time for any length.
    package func withoutMiddle(most: Int = 8192) -> String {
        guard utf8.count > most else { return self }
        var (head, tail) = (utf8.index(startIndex, offsetBy: most / 2), utf8.index(endIndex, offsetBy: -most / 2))
        while head.samePosition(in: unicodeScalars) == nil { head = utf8.index(before: head) }
        while tail.samePosition(in: unicodeScalars) == nil { tail = utf8.index(after: tail) }
        return self[..<head] + "..." + self[tail...]
    }
}
