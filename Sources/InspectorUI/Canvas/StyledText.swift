import DisplayText

/// A text and its style. A line is drawn from an array of these.
///
/// If the text is longer than any line of a screen, the initializer leaves out its middle, so that measuring,
/// wrapping and drawing it take no longer than for other texts.
public struct StyledText: Hashable, Sendable {
    public let text: String
    public var style: Style

    public init(_ text: String, _ style: Style = .plain) {
        self.text = text.withoutMiddle()
        self.style = style
    }
}

/// Measuring and truncating lines in several styles.
extension TextWidth {
    public static func columns(of runs: [StyledText], repertoire: Repertoire = .unicode) -> Int {
        runs.reduce(0) { $0 + columns(of: $1.text, repertoire: repertoire) }
    }

    /// Returns the text shortened to this many columns, with an ellipsis at the end or, for texts whose ends say the
    /// most, in the middle.
    public static func truncate(
        _ text: String, to columns: Int, middle: Bool = false, glyphs: Glyphs = .unicode
    ) -> String {
        truncate([StyledText(text)], to: columns, middle: middle, glyphs: glyphs).map(\.text).joined()
    }

    public static func truncate(
        _ runs: [StyledText], to columns: Int, middle: Bool = false, glyphs: Glyphs = .unicode
    ) -> [StyledText] {
        let repertoire = glyphs.repertoire
        guard head(of: runs, columns: columns, repertoire: repertoire).cutStyle != nil else { return runs }
        let ellipsisWidth = glyphs.ellipsis.unicodeScalars.count
        guard columns >= ellipsisWidth else { return head(of: runs, columns: columns, repertoire: repertoire).runs }
        let room = columns - ellipsisWidth
        let tailRoom = middle ? room / 2 : 0
        var shortened = head(of: runs, columns: room - tailRoom, repertoire: repertoire)
        shortened.runs.append(StyledText(glyphs.ellipsis, shortened.cutStyle ?? .plain))
        return tailRoom == 0
            ? shortened.runs : shortened.runs + tail(of: runs, columns: tailRoom, repertoire: repertoire)
    }

    /// Returns the beginning of the runs, and the style of the text that was cut off; nil if nothing was.
    private static func head(
        of runs: [StyledText], columns: Int, repertoire: Repertoire
    ) -> (runs: [StyledText], cutStyle: Style?) {
        var head: [StyledText] = []
        var room = columns
        for run in runs {
            let fitting = prefix(of: run.text, fitting: room, repertoire: repertoire)
            if !fitting.text.isEmpty { head.append(StyledText(String(fitting.text), run.style)) }
            if fitting.text.endIndex < run.text.endIndex { return (head, run.style) }
            room -= fitting.columns
        }
        return (head, nil)
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
