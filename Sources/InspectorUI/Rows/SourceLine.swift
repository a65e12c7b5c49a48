import DisplayText
import DocumentModel

/// What is seen of one line of a source text.
struct SourceLine: Sendable {
    /// A piece of one style and where it comes from.
    struct Piece: Sendable {
        var text: String
        var style: Style
        /// The columns before it, in the whole line.
        var column: Int
    }

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
        for token in SourceTokens(text, start..<max(start, end)) {
            let string = text.bytes.string(in: token.range)
            var run = ""
            var offset = token.range.lowerBound
            for scalar in string.unicodeScalars {
                let isVisible = column >= skip && column < skip + width
                if offset == mark, isVisible { markColumn = column - skip }
                let shown = Self.shown(scalar, in: token, column: column)
                let columns = Self.columns(of: shown, repertoire)
                if isVisible { run += shown }
                column += columns
                offset += UTF8.width(scalar)
                if column > skip + width { break }
            }
            if !run.isEmpty { runs.append(StyledText(run, token.style)) }
            if column > skip + width { break }
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
            var place = token.range.lowerBound
            for scalar in text.bytes.string(in: token.range).unicodeScalars {
                if place >= offset { return column }
                column += columns(of: shown(scalar, in: token, column: column), .unicode)
                place += UTF8.width(scalar)
            }
        }
        return column
    }

    /// Tabs between values lead to the next stop; inside a string they would be an error, and are seen.
    private static func shown(_ scalar: Unicode.Scalar, in token: SourceTokens.Token, column: Int) -> String {
        scalar == "\t" && token.isBlank ? String(repeating: " ", count: 4 - column % 4) : String(scalar)
    }

    private static func columns(of shown: String, _ repertoire: Repertoire) -> Int {
        let bytes = shown.utf8
        if let only = bytes.first, bytes.count == 1, only >= 32, only < 127 { return 1 }
        return TextWidth.columns(of: shown, repertoire: repertoire)
    }
}
