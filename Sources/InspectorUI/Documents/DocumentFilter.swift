import MigrationCore

/// A filter that selects which documents the list shows.
struct DocumentFilter: Hashable, Sendable {
    /// Shows only documents with this outcome; nil shows all, including those not checked yet.
    var outcome: MigrationOutcome?
    /// Shows only documents that open but lose something.
    var isLossy = false
    /// Shows only documents that fail with the cause of this number.
    var cause: Int?
    /// Shows only documents with this text in their name or folder, ignoring case.
    var name = ""

    var isEmpty: Bool { outcome == nil && !isLossy && cause == nil && name.isEmpty }

    /// The same filter without the name.
    var withoutName: DocumentFilter {
        var filter = self
        filter.name = ""
        return filter
    }

    /// Returns the candidates that match, in order; nil if cancelled. Candidates are positions in `documents`.
    func matching(
        _ documents: [FoundDocument], facts: [DocumentFacts?], among candidates: some Sequence<Int>,
        isCancelled: () -> Bool = { false }
    ) -> [Int]? {
        let search = TextSearch(name)
        var matching: [Int] = []
        for (number, index) in candidates.enumerated() {
            if number % 4096 == 0, isCancelled() { return nil }
            let facts = facts[index]
            if let outcome, facts?.outcome != outcome { continue }
            if let cause, facts?.cause != cause { continue }
            if isLossy, facts?.isLossy != true { continue }
            // People type what they see: the name in the list or the title.
            let document = documents[index]
            if search.matches(document.title) || search.matches(document.displayName) { matching.append(index) }
        }
        return matching
    }
}

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
