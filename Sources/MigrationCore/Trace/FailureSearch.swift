/// A search for the value behind a failure that proves nothing.
public struct FailureSearch: Sendable, Hashable, Codable {
    /// How many changes of the document were tried.
    public var changes: Int
    /// Whether they were tried in the document as it is, and not in a smaller one that fails alike.
    public var isWhole: Bool
    /// Whether the migration got past the failure with one of them. Alone that proves no cause.
    public var passes: Bool
    /// Why the search ended early; nil where every change that the search knows was tried.
    public var because: StepFinding.Left.Reason?

    private enum CodingKeys: String, NullableCodingKey {
        case changes, passes, because
        case isWhole = "whole"
    }

    /// Makes a result from its parts.
    public init(
        changes: Int, isWhole: Bool = true, passes: Bool = false, because: StepFinding.Left.Reason? = nil
    ) {
        (self.changes, self.isWhole, self.passes, self.because) = (changes, isWhole, passes, because)
    }
}
