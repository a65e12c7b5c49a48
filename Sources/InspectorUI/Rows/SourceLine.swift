import DisplayText
import DocumentModel

/// The visible part of one line of a source text.
struct SourceLine: Sendable {
    var runs: [StyledText] = []
    /// The column of the marked byte on the screen, if it is in the visible part.
    var markColumn: Int?
    var continuesLeft = false
    var continuesRight = false

    /// The length above which lines are not measured from their start. Each byte then counts as one column, which is
    /// exact for ASCII and otherwise a few columns of scrolling off at most.
    private static let measured = 1 << 14

    /// Creates the part of a line that starts at column `sideways` and is `width` columns wide.
    init(_ text: SourceText, line: Int, sideways: Int, width: Int, repertoire: Repertoire = .unicode) {
        let range = text.lines.range(ofLine: line)
        let mark = text.mark.flatMap { $0.line == line ? $0.offset : nil }
        guard width > 0 else { return }
        let isMeasured = range.count <= Self.measured
        // A text may be wider than it is long. An escape takes up to ten columns for one byte, and every byte takes
        // at least a quarter of a column.
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
                    // The rest of a piece that is cut at the left edge is left blank.
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

    /// Returns the column of a byte in its line, measured like `sideways`.
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

    /// A character with its combining marks, an escape, or the spaces of a tab.
    private struct Piece {
        let shown: String
        let columns: Int
        /// The bytes that the piece represents.
        let range: Range<Int>
    }

    /// Returns the pieces to draw for a token that starts in this column. The sequence can only be iterated once.
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
            // Tabs between values advance to the next tab stop. Inside a string a tab is an error, so it is shown.
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
