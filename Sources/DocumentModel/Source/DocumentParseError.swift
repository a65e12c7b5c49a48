/// Why a text is not a document, and where.
///
/// What is wrong is data. MigrationCore, which has the words of all failures, describes it in a sentence.
public struct DocumentParseError: Error, Hashable, Sendable {
    /// The form in which the text was read.
    public var format: DocumentFormat
    /// Where the first wrong byte stands; nil where the source has no places (a binary property list).
    public var location: SourceLocation?
    /// What is wrong there.
    public var problem: ParseProblem

    /// Makes an error from its parts.
    public init(format: DocumentFormat, location: SourceLocation?, problem: ParseProblem) {
        self.format = format
        self.location = location
        self.problem = problem
    }
}

/// What is wrong with a text, and at which byte.
struct ParseFailure: Error {
    var offset: Int
    var problem: ParseProblem
}
