import MigrationCore

/// Which documents the list shows.
struct DocumentFilter: Hashable, Sendable {
    /// Only those with this outcome; nil shows all, also those that are not checked yet.
    var outcome: MigrationOutcome?
    /// Only those with this in their name or folder, upper and lower case alike.
    var name = ""

    var isEmpty: Bool { outcome == nil && name.isEmpty }

    func matches(_ document: FoundDocument, outcome found: MigrationOutcome?) -> Bool {
        if let outcome, found != outcome { return false }
        return name.isEmpty || Self.matches(document, TextSearch(name))
    }

    /// The positions of the documents that match, in order; nil when cancelled.
    func matching(
        _ documents: [FoundDocument], outcomes: [MigrationOutcome?], isCancelled: () -> Bool
    ) -> [Int]? {
        let search = TextSearch(name)
        var matching: [Int] = []
        for index in documents.indices {
            if index % 4096 == 0, isCancelled() { return nil }
            if let outcome, outcomes[index] != outcome { continue }
            if name.isEmpty || Self.matches(documents[index], search) { matching.append(index) }
        }
        return matching
    }

    /// A person types what the list shows, or what the title does.
    private static func matches(_ document: FoundDocument, _ search: TextSearch) -> Bool {
        search.matches(document.title) || search.matches(document.displayName)
    }
}
