extension Sequence<DocumentReference> {
    /// For each of these documents, returns the positions of the states of the same file that came right before it, the
    /// one on its own line first: several for a merge, and none for the first state.
    ///
    /// The current file precedes its committed states in the list, and comes after the newest one that led to it. The
    /// unreadable rest of a packed state isn't a state.
    public func statesBefore() -> [[Int]] {
        let documents = Array(self)
        var commits: [FilePath: [String: Int]] = [:]
        var newest: [FilePath: Int] = [:]
        for (position, document) in documents.enumerated() {
            guard !document.isRest, let revision = document.revision else { continue }
            commits[document.history, default: [:]][revision.commit] = position
            if revision.lane == 0, newest[document.history] == nil { newest[document.history] = position }
        }
        return documents.enumerated().map { position, document in
            if document.isRest { return [] }
            if let revision = document.revision {
                let known = commits[document.history] ?? [:]
                return revision.parents.compactMap { known[$0] }
            }
            let next = position + 1
            guard next < documents.count, documents[next].revision != nil,
                documents[next].history == document.history
            else { return [] }
            return newest[document.history].map { [$0] } ?? []
        }
    }
}
