/// What the app's code printed to a stream while it was at a document.
public struct PrintedOutput: Sendable, Hashable, Codable {
    /// What the app's code did when it printed.
    public enum Phase: String, Sendable, Codable {
        /// It was asked which chain and version the document belongs to.
        case detection
        /// It decoded the document as the version that it is.
        case decoding
        /// It took a step.
        case step
        /// It encoded what a step made.
        case encoding
    }

    /// Where it was printed.
    public enum Stream: String, Sendable, Codable, CaseIterable {
        /// Standard output.
        case stdout
        /// Standard error.
        case stderr
    }

    /// What the app's code did then; nil where that is not known.
    public var phase: Phase?
    /// The step that was taken, or that made what was encoded; nil for anything else.
    public var step: MigrationFailure.Step?
    /// Where it was printed.
    public var stream: Stream
    /// What was printed; of very much, the beginning and the end.
    public var text: String

    /// Makes an output from its parts.
    public init(phase: Phase? = nil, step: MigrationFailure.Step? = nil, stream: Stream, text: String) {
        self.phase = phase
        self.step = step
        self.stream = stream
        self.text = text
    }

    /// Writes every field, null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        try container.encode(step, forKey: .step)
        try container.encode(stream, forKey: .stream)
        try container.encode(text, forKey: .text)
    }
}
