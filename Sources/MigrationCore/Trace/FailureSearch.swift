import DocumentModel

/// A search for the value that caused a failure, which ended without proof.
public struct FailureSearch: Sendable, Hashable, Codable {
    /// The number of changes to the document that were tried.
    public var changes: Int
    /// Whether the changes were tried in the document itself, not in a smaller one with the same failure.
    public var isWhole: Bool
    /// Whether one of the changes got the migration past the failure. By itself, that doesn't prove the cause.
    public var passes: Bool
    /// One of the changes that got it past, if possible one with which the document opens. Nil if there is none, or if it
    /// was made in a smaller document.
    public var passing: DocumentEdit?
    /// Why the search ended early, or nil if it tried every change it knows.
    public var because: StepFinding.Left.Reason?

    private enum CodingKeys: String, NullableCodingKey {
        case changes, passes, passing, because
        case isWhole = "whole"
    }

    /// Creates a result from its parts.
    public init(
        changes: Int, isWhole: Bool = true, passes: Bool = false, passing: DocumentEdit? = nil,
        because: StepFinding.Left.Reason? = nil
    ) {
        (self.changes, self.isWhole, self.passes, self.because) = (changes, isWhole, passes, because)
        self.passing = passing
    }

    /// Hashes only what is cheap to hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changes)
        hasher.combine(passes)
    }
}
