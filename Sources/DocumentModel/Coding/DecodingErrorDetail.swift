/// What a `DecodingError` that leaves out its place is really about.
///
/// Where JSONDecoder meets a number that the asked type cannot hold, it reports the whole document: "The given data was not valid JSON.",
/// with an empty coding path. ``DocumentDecoder`` throws the very same error, so that an app's handling of it is shown as it is, and
/// puts what it knows better into the error's `underlyingError`:
///
///     if case .dataCorrupted(let context) = error, let detail = context.underlyingError as? DecodingErrorDetail {
///         print(DocumentPath(codingPath: detail.codingPath), detail.message)
///     }
public struct DecodingErrorDetail: Error, CustomStringConvertible {
    /// The way to the value that is wrong.
    public let codingPath: [any CodingKey]
    /// What is wrong with it.
    public let message: String

    /// The message, and the path before it.
    public var description: String { "\(DocumentPath(codingPath: codingPath)): \(message)" }

    init(codingPath: [any CodingKey], message: String) {
        self.codingPath = codingPath
        self.message = message
    }
}
