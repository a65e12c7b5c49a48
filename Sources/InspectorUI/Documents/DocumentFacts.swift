import MigrationCore

/// The facts about a document's result that the list needs often.
struct DocumentFacts: Hashable, Sendable {
    let outcome: MigrationOutcome
    /// Whether the document opens but loses something.
    let isLossy: Bool
    /// The number of the failure's cause; nil if the document does not fail.
    let cause: Int?

    /// Whether the document needs attention.
    var isProblem: Bool { outcome.isProblem }
}
