import MigrationCore

/// What the list looks at in the result of a document again and again.
struct DocumentFacts: Hashable, Sendable {
    let outcome: MigrationOutcome
    /// Whether it opens and loses something.
    let isLossy: Bool
    /// The number of the cause that it fails of; nil where it does not.
    let cause: Int?

    /// Whether the document needs a look.
    var isProblem: Bool { outcome.isProblem }
}
