extension Sequence<DocumentReference> {
    /// For each of these documents, by its position, the states of the same file that came right before it: several for
    /// one that merges others, none for the first and for one that came back after it was taken away.
    ///
    /// A file as it is now comes behind the state that is next to it. The rest of a packed state is no state.
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
