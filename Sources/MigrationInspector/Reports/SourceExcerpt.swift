import DocumentModel
import InspectorUI

/// The line of a source that a location lies on, with a sign under its column.
struct SourceExcerpt {
    let bytes: SourceBytes
    let location: SourceLocation

    /// How many characters of a long line are shown on either side of the place.
    private static let reach = 60

    /// Two lines: the text with its number, and the sign. None where the bytes are no UTF-8 text, as those of a binary property list or
    /// of a text in UTF-16 are not.
    var lines: [String] {
        let index = LineIndex(bytes)
        guard location.line >= 1, location.line <= index.count else { return [] }
        let scalars = Array(bytes.string(in: index.range(ofLine: location.line - 1)).unicodeScalars)
        guard !scalars.contains("\0") else { return [] }
        let column = min(location.column - 1, scalars.count)
        let start = max(0, column - Self.reach)
        let end = min(scalars.count, column + Self.reach)
        let before = (start > 0 ? "…" : "") + text(scalars[start..<column])
        let line = before + text(scalars[column..<end]) + (end < scalars.count ? "…" : "")
        let number = String(location.line)
        let margin = String(repeating: " ", count: number.count)
        let offset = String(repeating: " ", count: TextWidth.columns(of: before))
        return ["\(number) │ \(line)", "\(margin) │ \(offset)^"]
    }

    /// Made safe already here, so that the sign stands under the place even where an escape makes the text longer.
    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return SafeText.line(String(view))
    }
}
