import DisplayText
import DocumentModel

/// What is seen of one line of a source text.
struct SourceLine: Sendable {
    var runs: [StyledText] = []
    /// The column of the marked byte on the screen, if it is in the seen part.
    var markColumn: Int?
    var continuesLeft = false
    var continuesRight = false

    /// Lines longer than this are not measured from their beginning: a column is then taken for a byte, which is
    /// exact for ASCII, and at most a few columns of scrolling off elsewhere.
    private static let measured = 1 << 14

    /// The part of a line from column `sideways` on, `width` columns wide.
    init(_ text: SourceText, line: Int, sideways: Int, width: Int, repertoire: Repertoire = .unicode) {
        let range = text.lines.range(ofLine: line)
        let mark = text.mark.flatMap { $0.line == line ? $0.offset : nil }
        guard width > 0 else { return }
        let isMeasured = range.count <= Self.measured
        // A text may be wider than it is long: an escape takes up to ten columns for one byte, never less than a
        // quarter of a column a byte.
        var start = isMeasured ? range.lowerBound : min(range.upperBound, range.lowerBound + sideways)
        while start < range.upperBound, start > range.lowerBound, text.bytes[start] & 0xC0 == 0x80 { start -= 1 }
        let end = min(range.upperBound, isMeasured ? range.upperBound : start + 4 * width + 4)
        let skip = isMeasured ? sideways : 0
        var column = 0
        tokens: for token in SourceTokens(text, start..<max(start, end)) {
            var run = ""
            defer { if !run.isEmpty { runs.append(StyledText(run, token.style)) } }
            for piece in Self.pieces(of: token, in: text, from: column, repertoire) {
                let isVisible = column >= skip && column < skip + width
                if let mark, piece.range.contains(mark), isVisible { markColumn = column - skip }
                if isVisible {
                    run += piece.shown
                } else if column < skip, column + piece.columns > skip {
                    // Of what is cut at the left edge, the rest is left blank.
                    runs.append(StyledText(String(repeating: " ", count: column + piece.columns - skip)))
                }
                column += piece.columns
                if column > skip + width { break tokens }
            }
        }
        if mark == range.upperBound, column >= skip, column - skip < width { markColumn = column - skip }
        continuesLeft = sideways > 0 && range.count > 0
        continuesRight = end < range.upperBound || column > skip + width
    }

    /// The column of a byte in its line, as `sideways` counts.
    static func column(of offset: Int, in text: SourceText) -> Int {
        let range = text.lines.range(ofLine: text.lines.line(at: offset))
        guard range.count <= measured else { return offset - range.lowerBound }
        var column = 0
        for token in SourceTokens(text, range) {
            for piece in pieces(of: token, in: text, from: column, .unicode) {
                if piece.range.upperBound > offset { return column }
                column += piece.columns
            }
        }
        return column
    }

    /// A character with its marks, an escape, or the blanks of a tab.
    private struct Piece {
        let shown: String
        let columns: Int
        /// The bytes that it stands for.
        let range: Range<Int>
    }

    /// What is drawn of a token that begins in that column. To be gone through once.
    private static func pieces(
        of token: SourceTokens.Token, in text: SourceText, from column: Int, _ repertoire: Repertoire
    ) -> some Sequence<Piece> {
        let string = text.bytes.string(in: token.range)
        var column = column
        let offset = { (index: String.Index) in
            token.range.lowerBound + string.utf8.distance(from: string.startIndex, to: index)
        }
        return DisplayText(string, repertoire: repertoire).pieces.lazy.map { piece in
            var (shown, columns) = (String(string[piece.range]), piece.columns)
            // Tabs between values lead to the next stop; inside a string they would be an error, and are seen.
            if token.isBlank, shown == "\t" {
                columns = 4 - column % 4
                shown = String(repeating: " ", count: columns)
            }
            column += columns
            return Piece(
                shown: shown, columns: columns, range: offset(piece.range.lowerBound)..<offset(piece.range.upperBound))
        }
    }
}
