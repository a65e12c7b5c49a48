/// The output that the app's code printed to a stream while it worked on a document.
public struct PrintedOutput: Sendable, Hashable, Codable {
    /// The activities of the app's code during which it can print.
    public enum Phase: String, Sendable, Codable {
        /// Determining the chain and version of the document.
        case detection
        /// Decoding the document as its own version.
        case decoding
        /// Running a step.
        case step
        /// Encoding the result of a step.
        case encoding
    }

    /// The output streams.
    public enum Stream: String, Sendable, Codable, CaseIterable {
        /// Standard output.
        case stdout
        /// Standard error.
        case stderr
    }

    /// The activity of the app's code when it printed, or nil if that is not known.
    public var phase: Phase?
    /// The step that was running, or whose result was being encoded. Nil in other phases.
    public var step: MigrationFailure.Step?
    /// The stream that it was printed to.
    public var stream: Stream
    /// The text that was printed. Long output is cut to its beginning and its end.
    public var text: String

    /// Creates an output from its parts.
    public init(phase: Phase? = nil, step: MigrationFailure.Step? = nil, stream: Stream, text: String) {
        self.phase = phase
        self.step = step
        self.stream = stream
        self.text = text
    }

    /// Writes every field, with null for missing values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        try container.encode(step, forKey: .step)
        try container.encode(stream, forKey: .stream)
        try container.encode(text, forKey: .text)
    }
}
