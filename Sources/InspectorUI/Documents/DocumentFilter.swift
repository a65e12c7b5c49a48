import MigrationCore

/// Which documents the list shows.
struct DocumentFilter: Hashable, Sendable {
    /// Only those with this outcome; nil shows all, also those that are not checked yet.
    var outcome: MigrationOutcome?
    /// Only those that open and lose something.
    var isLossy = false
    /// Only those that fail of this cause, by its number.
    var cause: Int?
    /// Only those with this in their name or folder, upper and lower case alike.
    var name = ""

    var isEmpty: Bool { outcome == nil && !isLossy && cause == nil && name.isEmpty }

    /// The same, whatever the name is.
    var withoutName: DocumentFilter {
        var filter = self
        filter.name = ""
        return filter
    }

    /// Those of the candidates, which are positions of documents, that match, in order; nil when cancelled.
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
            // A person types what the list shows, or what the title does.
            let document = documents[index]
            if search.matches(document.title) || search.matches(document.displayName) { matching.append(index) }
        }
        return matching
    }
}
