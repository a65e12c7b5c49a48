import DocumentModel

/// The text that a document was read from, ready to be shown: its lines, and the place that a failure points at.
struct SourceText: Sendable {
    let bytes: SourceBytes
    let lines: LineIndex
    let isXML: Bool
    /// The document's nodes, to know whether a place in the middle of an endless line is inside a string; nil for a
    /// text that did not parse or is not the document's own.
    let document: Document?
    let mark: Mark?
    /// The number of the first line.
    let firstLine: Int

    /// A place in the text to point at.
    struct Mark: Sendable, Hashable {
        /// From 0.
        var line: Int
        var offset: Int
        /// The same place for people. To find it takes as long as its line is.
        var location: SourceLocation
        var label: String
        var isFailure: Bool
    }

    /// The text of a document, or of the string inside it that the failure's place counts in; nil where there is none
    /// (a binary property list, a document that was made and not read).
    ///
    /// Reads the whole text: for a background job.
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
        let place = node?.sourceRange?.lowerBound ?? location.map { lines.offset(of: $0) }
        mark = place.map { [bytes] in
            Mark(
                line: lines.line(at: $0), offset: min($0, bytes.count), location: lines.location(at: $0),
                label: request.label,
                isFailure: request.failure != nil)
        }
    }

    /// The number of rows: the lines, and one below the marked line for the caret.
    var rowCount: Int { lines.count + (mark == nil ? 0 : 1) }

    /// The line that a row shows; nil for the caret's row.
    func line(atRow row: Int) -> Int? {
        guard let mark, row > mark.line else { return row }
        return row == mark.line + 1 ? nil : row - 1
    }

    func row(ofLine line: Int) -> Int {
        guard let mark, line > mark.line else { return line }
        return line + 1
    }
}
