/// Why a text is not a document: what was found, where, and what would have been right.
public struct DocumentParseError: Error, Hashable, Sendable {
    /// The form in which the text was read.
    public var format: DocumentFormat
    /// Where the first wrong byte stands; nil where the source has no places (a binary property list).
    public var location: SourceLocation?
    /// What stands there.
    public var found: String
    /// What would have been right there; nil where nothing would.
    public var expected: String?

    /// Makes an error from its parts.
    public init(format: DocumentFormat, location: SourceLocation?, found: String, expected: String?) {
        self.format = format
        self.location = location
        self.found = found
        self.expected = expected
    }
}

extension DocumentParseError: CustomStringConvertible {
    /// What was found and what was expected, without the location.
    public var message: String { "found \(found)" + (expected.map { ", expected \($0)" } ?? "") }

    /// The whole sentence: `line 3, column 7 (byte 41): found …, expected …`.
    public var description: String {
        guard let location else { return message }
        return "\(location) (byte \(location.offset)): \(message)"
    }
}

/// What is wrong with a text, and at which byte.
struct ParseFailure: Error {
    var offset: Int
    var found: String
    var expected: String?
}
