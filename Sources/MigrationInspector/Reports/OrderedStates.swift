import DocumentModel
import DocumentSources
import MigrationCore

/// Documents of one place as states of one thing, oldest first: backups in a folder, lines of a log, rows of a store, or
/// one row in several backups.
struct OrderedStates: TurnsInTime {
    /// What to order the documents by; nil to keep the order in which they are found.
    var key: OrderKey?
    /// Whether all documents are states of the same row or line.
    var areOneDocument = false
    private var turns: [(document: String, turn: HistoryTurn)] = []
    private var earlier: [String: [CheckResult]] = [:]

    init(by key: OrderKey?, areOneDocument: Bool) { (self.key, self.areOneDocument) = (key, areOneDocument) }

    private func place(of document: DocumentReference) -> String {
        areOneDocument ? "" : document.names(below: "").place
    }

    /// Returns documents with those of each place in order. A place stays where its first document is.
    ///
    /// - Returns: The documents, and whether any of them has a value to be ordered by.
    func ordered(_ documents: [DocumentReference]) -> (documents: [DocumentReference], isKnown: Bool) {
        guard let key else { return (documents, true) }
        var places: [String] = []
        var groups: [String: [DocumentReference]] = [:]
        for document in documents {
            let place = place(of: document)
            if groups[place] == nil { places.append(place) }
            groups[place, default: []].append(document)
        }
        var isKnown = false
        let all = places.flatMap { place in
            let group = groups[place] ?? []
            let ordered = DocumentOrder.ordered(group) { key.value(of: $0) } ?? []
            if !ordered.isEmpty { isKnown = true }
            return ordered.isEmpty ? group : ordered
        }
        return (all, isKnown || documents.isEmpty)
    }

    mutating func add(_ result: CheckResult, of document: DocumentReference) {
        let place = place(of: document)
        let before = earlier[place] ?? []
        let new = result.turns(after: before.reversed(), isWhole: before.isEmpty)
        turns += new.map { (result.source, $0) }
        // A state is compared with the last one before it that could be read.
        earlier[place] = (result.outcome == .deleted ? before.suffix(1) : []) + [result]
    }

    var summary: HistorySummary {
        HistorySummary(
            turns: turns.reversed().map { .init(of: $0.document, commit: nil, change: $0.turn) }, missing: nil)
    }

    var sections: [HistorySection] {
        guard !turns.isEmpty else { return [] }
        return [
            HistorySection(
                title: "Over time:", lines: turns.reversed().map { "  \($0.turn.words) since \($0.document)" })
        ]
    }
}
