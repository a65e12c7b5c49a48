/// What came of a search for the value behind a failure that proves nothing.
public struct FailureSearch: Sendable, Hashable, Codable {
    /// How many changes of the document were tried.
    public var changes: Int
    /// Whether the document got past the failure with one of them, which shows no cause all the same.
    public var passes: Bool
    /// Why the search ended early; nil where everything was tried that it knows.
    public var because: StepFinding.Left.Reason?

    private enum CodingKeys: String, NullableCodingKey { case changes, passes, because }

    /// Makes a result from its parts.
    public init(changes: Int, passes: Bool = false, because: StepFinding.Left.Reason? = nil) {
        (self.changes, self.passes, self.because) = (changes, passes, because)
    }
}
