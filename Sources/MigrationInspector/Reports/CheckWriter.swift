import MigrationCore

/// Writes a check report in one format. A format is a file with a writer, and its case of ``CheckFormat`` below.
protocol CheckWriter: Sendable {
    /// Creates a writer.
    ///
    /// - Parameter areStates: Whether the documents are the committed states of files.
    init(_ reporting: CheckReporting, areStates: Bool)

    /// Whether users read the report. It then contains what standard error says otherwise.
    static var isForUsers: Bool { get }

    /// Whether the report says how long each document takes.
    static var isTimed: Bool { get }

    /// Whether documents of a stream may wait for those after them.
    static var waitsForStreams: Bool { get }

    /// Adds a document.
    ///
    /// - Returns: What to print about it at once, without the last newline; nil if that's nothing.
    /// - Throws: `EncodingError`.
    mutating func lines(for entry: CheckTally.Entry) throws -> String?

    /// Returns what to print when all documents are known, without the last newline.
    ///
    /// - Throws: `EncodingError`.
    func ending(_ tally: CheckTally) throws -> String
}

extension CheckWriter {
    static var isForUsers: Bool { false }
    static var isTimed: Bool { false }
    static var waitsForStreams: Bool { false }
}

extension CheckFormat {
    /// The type that writes the format.
    var writer: any CheckWriter.Type {
        switch self {
        case .text: CheckText.self
        case .json: WholeReport.self
        case .jsonl: ResultLines.self
        case .junit: JUnitReport.self
        case .github: WorkflowCommands.self
        case .markdown: CheckPage.self
        case .html: CheckWebPage.self
        }
    }
}
