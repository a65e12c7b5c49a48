/// A location in the text of a document.
public struct SourceLocation: Hashable, Sendable, Codable {
    /// The line, from 1. Lines end at LF, CRLF or CR.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int
    /// The offset in bytes from the start, from 0.
    public var offset: Int
    /// The path of the string that contains the location, if it is inside the text of a string (for example a JSON
    /// document stored in a property list). The other three properties are then relative to the string's text.
    public var within: DocumentPath?

    /// Creates a location.
    public init(line: Int, column: Int, offset: Int, within: DocumentPath? = nil) {
        self.line = line
        self.column = column
        self.offset = offset
        self.within = within
    }

    private enum CodingKeys: String, CodingKey {
        case line, column, offset
        case within = "in"
    }

    /// Reads a location.
    ///
    /// - Throws: `DecodingError`, also if a number is out of range for any document.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys, from least: Int) throws -> Int {
            let number = try container.decode(Int.self, forKey: key)
            // One byte of UTF-8 text corresponds to up to four in another encoding.
            guard number >= least, number <= 4 * SourceBytes.limit + 4 else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "no document has a place \(number)")
            }
            return number
        }
        line = try number(.line, from: 1)
        column = try number(.column, from: 1)
        offset = try number(.offset, from: 0)
        within = try container.decodeIfPresent(DocumentPath.self, forKey: .within)
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `line 5, column 17`, followed by `in $.key` if it is inside a string.
    public var description: String {
        "line \(line), column \(column)" + (within.map { " in \($0)" } ?? "")
    }
}
