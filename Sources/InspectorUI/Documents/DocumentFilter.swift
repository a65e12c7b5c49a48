import MigrationCore

/// Which documents the list shows.
struct DocumentFilter: Hashable, Sendable {
    /// Only those with this outcome; nil shows all, also those that are not checked yet.
    var outcome: MigrationOutcome?
    /// Only those with this in their name or folder, upper and lower case alike.
    var name = ""

    var isEmpty: Bool { outcome == nil && name.isEmpty }

    /// Those of the candidates, which are positions of documents, that match, in order; nil when cancelled.
    func matching(
        _ documents: [FoundDocument], outcomes: [MigrationOutcome?], among candidates: some Sequence<Int>,
        isCancelled: () -> Bool = { false }
    ) -> [Int]? {
        let search = TextSearch(name)
        var matching: [Int] = []
        for (number, index) in candidates.enumerated() {
            if number % 4096 == 0, isCancelled() { return nil }
            if let outcome, outcomes[index] != outcome { continue }
            // A person types what the list shows, or what the title does.
            let document = documents[index]
            if search.matches(document.title) || search.matches(document.displayName) { matching.append(index) }
        }
        return matching
    }
}
