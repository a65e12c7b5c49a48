import DisplayText
import DocumentModel
import DocumentSources
import MigrationCore

/// The line of a source that contains a location, with a caret under its column.
struct SourceExcerpt {
    let bytes: SourceBytes
    let location: SourceLocation
    /// Other locations to mark, of values that may be the cause just as well.
    var others: [SourceLocation] = []
    /// The line number of the first line of `bytes`, which may be part of a file.
    var firstLine = 1

    /// The maximum number of characters of a long line to show on each side of the location.
    private static let reach = 60

    /// Reads a document again and returns the line with its failure; empty if the location isn't known, or the document
    /// cannot be read.
    static func lines(for result: CheckResult, of document: DocumentReference) -> [String] {
        guard result.format != .plistBinary, let location = result.failure?.location, location.within == nil,
            let bytes = try? document.read()
        else { return [] }
        return SourceExcerpt(bytes: bytes, location: location, firstLine: document.firstLine ?? 1).lines
    }

    /// The text with its line number, and carets below it. The other locations that are not in this text follow in the
    /// same form. Empty if the bytes aren't UTF-8 text, such as those of a binary property list or a text in UTF-16.
    var lines: [String] {
        let index = LineIndex(bytes)
        guard location.line >= 1, location.line <= index.count else { return [] }
        let line = index.range(ofLine: location.line - 1)
        let place = index.offset(of: location)
        // Of a line with many megabytes, only as much is examined as is shown.
        let start = boundary(max(line.lowerBound, place - 4 * Self.reach), from: line.lowerBound)
        let end = boundary(min(line.upperBound, place + 4 * Self.reach), from: line.lowerBound)
        let ahead = Array(bytes.string(in: start..<place).unicodeScalars)
        let following = Array(bytes.string(in: place..<end).unicodeScalars)
        guard !ahead.contains("\0"), !following.contains("\0") else { return [] }
        let isCutBefore = start > line.lowerBound || ahead.count > Self.reach
        let isCutAfter = end < line.upperBound || following.count > Self.reach
        let (before, after) = (ahead.suffix(Self.reach), following.prefix(Self.reach))
        let mark = isCutBefore ? "…" : ""
        let shown = mark + text(before) + text(after) + (isCutAfter ? "…" : "")

        // The carets, by the number of scalars before them.
        let scalars = Array(before) + after
        var carets: Set<Int> = [before.count]
        var rest: [SourceLocation] = []
        for other in others {
            let offset = index.offset(of: other)
            let shownStart = place - before.utf8Count
            if other.line == location.line, offset >= shownStart, offset < place + after.utf8Count {
                carets.insert(bytes.string(in: shownStart..<offset).unicodeScalars.count)
            } else {
                rest.append(other)
            }
        }
        var row = ""
        for count in carets.sorted() {
            let column = TextWidth.columns(of: mark + text(scalars.prefix(count)))
            row += String(repeating: " ", count: max(0, column - row.count)) + "^"
        }
        let number = String(firstLine + location.line - 1)
        let margin = String(repeating: " ", count: number.count)
        let lines = ["\(number) │ \(shown)", "\(margin) │ \(row)"]
        guard let next = rest.first else { return lines }
        return lines
            + SourceExcerpt(bytes: bytes, location: next, others: Array(rest.dropFirst()), firstLine: firstLine).lines
    }

    /// Returns the beginning of the character that the byte at `offset` is part of.
    private func boundary(_ offset: Int, from start: Int) -> Int {
        var offset = offset
        while offset > start, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// Makes the text safe to print before it's measured, so that the caret is under the location even if escapes make
    /// the text longer.
    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return SafeText.line(String(view))
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// The number of bytes of these scalars in UTF-8.
    fileprivate var utf8Count: Int { reduce(0) { $0 + Unicode.UTF8.width($1) } }
}
