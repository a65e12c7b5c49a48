extension Sequence<DocumentReference> {
    /// For each of these documents, returns the positions of the states of the same file that came right before it:
    /// several for a merge, and none for the first state or for one that follows a removal.
    ///
    /// The current file comes after the committed state that follows it in the list. The unreadable rest of a packed
    /// state isn't a state.
    public func statesBefore() -> [[Int]] {
        let documents = Array(self)
        var commits: [FilePath: [String: Int]] = [:]
        for (position, document) in documents.enumerated() {
            guard !document.isRest, let commit = document.revision?.commit else { continue }
            commits[document.history, default: [:]][commit] = position
        }
        return documents.enumerated().map { position, document in
            if let earlier = document.source?.earlier {
                let known = commits[document.history] ?? [:]
                return earlier.compactMap { known[$0] }
            }
            let next = position + 1
            guard next < documents.count, documents[next].revision != nil,
                documents[next].history == document.history, document.revision == nil
            else { return [] }
            return [next]
        }
    }
}
