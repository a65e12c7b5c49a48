/// An error that says why a text isn't a document, and where.
///
/// The problem is stored as data. MigrationCore, which contains the wording of all failures, describes it in a
/// sentence.
public struct DocumentParseError: Error, Hashable, Sendable {
    /// The format in which the text was read.
    public var format: DocumentFormat
    /// The location of the first wrong byte, or nil if the source has no locations (a binary property list).
    public var location: SourceLocation?
    /// The problem at that location.
    public var problem: ParseProblem

    /// Creates an error.
    public init(format: DocumentFormat, location: SourceLocation?, problem: ParseProblem) {
        self.format = format
        self.location = location
        self.problem = problem
    }
}

/// A problem in a text, and its byte offset.
struct ParseFailure: Error {
    var offset: Int
    var problem: ParseProblem
}
