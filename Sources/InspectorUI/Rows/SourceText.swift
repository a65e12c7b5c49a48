import DocumentModel
import MigrationCore

/// The text that a document was read from, ready to be shown: its lines, and the mark for a failure.
struct SourceText: Sendable {
    let bytes: SourceBytes
    let lines: LineIndex
    let isXML: Bool
    /// The document, whose nodes show whether an offset in the middle of a very long line is inside a string; nil if
    /// the text did not parse or is not the document's own.
    let document: Document?
    let mark: Mark?
    /// The offsets of other values that may be the cause of the failure just as well.
    let others: [Int]
    /// The number of the first line.
    let firstLine: Int

    /// A position in the text to mark.
    struct Mark: Sendable, Hashable {
        /// The index of the line, counted from 0.
        var line: Int
        var offset: Int
        /// The same position as shown to people. Computing it takes time proportional to the length of the line.
        var location: SourceLocation
        /// Texts for the label beside the mark, the longest first. The first that has room is shown.
        var labels: [String]
        var isFailure: Bool
    }

    /// Creates the text of a document, or of the string inside it that the failure's location refers to; nil if there
    /// is no text (a binary property list, or a document that was made rather than read).
    ///
    /// This reads the whole text, so call it in a background job.
    init?(_ request: SourceRequest) {
        let location = request.failure?.location
        if let path = location?.within, let string = request.document?.value(at: path)?.string {
            bytes = SourceBytes(string)
            document = nil
            firstLine = 1
        } else if let source = request.document?.source ?? request.bytes, request.document?.format != .plistBinary {
            bytes = source
            document = request.document
            firstLine = request.firstLine
        } else {
            return nil
        }
        let lines = LineIndex(bytes)
        self.lines = lines
        isXML = bytes.count > 0 && bytes.string(in: 0..<min(bytes.count, 64)).drop { $0.isWhitespace }.hasPrefix("<")
        let node = document == nil ? nil : request.node
        let offset = node?.sourceRange?.lowerBound ?? location.map { lines.offset(of: $0) }
        let locations = request.failure.flatMap { request.document?.locationsOfOthers(than: $0) } ?? []
        others = locations.map(lines.offset)
        mark = offset.map { [bytes] in
            Mark(
                line: lines.line(at: $0), offset: min($0, bytes.count), location: lines.location(at: $0),
                labels: request.labels,
                isFailure: request.failure != nil)
        }
    }

    /// The number of rows: the lines, and a row for the caret below the marked line.
    var rowCount: Int { lines.count + (mark == nil ? 0 : 1) }

    /// Returns the line that a row shows; nil for the caret's row.
    func line(atRow row: Int) -> Int? {
        guard let mark, row > mark.line else { return row }
        return row == mark.line + 1 ? nil : row - 1
    }

    func row(ofLine line: Int) -> Int {
        guard let mark, line > mark.line else { return line }
        return line + 1
    }
}

/// Everything that is needed to show the text of a document.
struct SourceRequest: Sendable {
    /// The document; nil if it did not parse, in which case `bytes` is what was read.
    let document: Document?
    let bytes: SourceBytes?
    let failure: MigrationFailure?
    /// The path of the version key, which is marked if nothing failed.
    let versionPath: DocumentPath?
    /// The path of the part to mark instead, while the part is shown.
    var part: DocumentPath?
    /// The number of the text's first line in its file.
    var firstLine = 1

    /// The value to mark if the failure has no location.
    var node: DocumentNode? {
        guard let failure else { return (part ?? versionPath).flatMap { document?.value(at: $0) } }
        // The location refers to the document as it was read. In a later step, the culprit may be elsewhere.
        return failure.location == nil ? failure.culprit.flatMap { document?.value(at: $0.path) } : nil
    }

    /// Texts for the label beside the mark, the longest first: the kind of error with the path that it names, and then
    /// only the path.
    var labels: [String] {
        guard let failure else {
            return (part.map { ["the part at \($0)"] } ?? versionPath.map { ["version at \($0)", "version"] } ?? [])
        }
        guard let path = failure.path else { return [failure.kind.rawValue] }
        // The mark may be under the culprit, which is another field.
        let isHere = failure.culprit.map { $0.path == path } ?? true
        let place = isHere ? "at \(path)" : "names \(path.isRoot ? "no field" : "\(path)")"
        return ["\(failure.kind.rawValue) \(place)"] + (isHere ? [] : ["error \(place)"]) + [place]
    }
}
