import DocumentModel

/// For each value of a document, the state that last changed it.
package struct ValueBlame: Sendable {
    /// The values without contents, in the order of the document.
    package let values: [Value]

    /// A value, and the state that last changed it.
    package struct Value: Sendable {
        /// The path in the document.
        package let path: DocumentPath
        package let value: DocumentNode
        /// The position of the state that has the value and was made from none that has it.
        package let state: Int
        /// Whether there is no state before that one.
        package let isFirst: Bool
        /// Whether a state right before that one could not be read, so that it may be the one that changed the value.
        package let isAfterUnread: Bool

        /// Returns whether an earlier state, which could not be read or is not known, may have had the value.
        ///
        /// - Parameter revision: The commit of the state; nil if it is not committed.
        package func mayBeEarlier(_ revision: DocumentRevision?) -> Bool {
            isAfterUnread || isFirst && revision?.knowsPast == false
        }
    }

    /// Follows the values back through the states. Where several states were made into one, a value belongs to the
    /// first of them that has it.
    ///
    /// - Parameters:
    ///   - newest: The position of the state with the document.
    ///   - states: The states, each after those that it was made from.
    ///   - read: Returns the document of a state; nil if it cannot be read.
    /// - Returns: nil if the newest document cannot be read.
    /// - Throws: The errors of `checkpoint`, which is called now and then.
    package init?(
        newest: Int, in states: [HistoryState], checkpoint: () throws -> Void, read: (Int) -> Document?
    ) rethrows {
        guard let document = read(newest) else { return nil }
        let leaves = document.root.nodes.filter { $0.kind != .key && (!$0.kind.isContainer || $0.isEmpty) }
        var found: [Int: (state: Int, isFirst: Bool, isAfterUnread: Bool)] = [:]
        // The documents of states that are still to be looked at, and which of their values stand for which leaves.
        var pending: [Int: [DocumentNode.ID: [Int]]] = [:]
        var documents: [Int: Document?] = [newest: document]
        pending[newest] = Dictionary(leaves.enumerated().map { ($1.id, [$0]) }) { $0 + $1 }
        for state in (0...newest).reversed() {
            guard var here = pending.removeValue(forKey: state),
                let document = documents.removeValue(forKey: state) ?? nil
            else { continue }
            var (isFirst, isAfterUnread) = (true, false)
            for before in states[state].before where !here.isEmpty {
                try checkpoint()
                var earlier: Int? = before
                while let next = earlier {
                    if !states[next].isDeleted {
                        let known = documents[next] ?? read(next)
                        documents[next] = .some(known)
                        if known != nil { break }
                        isAfterUnread = true
                    }
                    earlier = states[next].before.first
                }
                guard let earlier, let old = documents[earlier] ?? nil else { continue }
                isFirst = false
                DocumentDifference(old: old.root, new: document.root).forEachCounterpart { old, new in
                    guard let leaves = here[new.id], old.isEqual(to: new) else { return }
                    pending[earlier, default: [:]][old.id, default: []] += leaves
                    here[new.id] = nil
                }
            }
            for leaf in here.values.joined() { found[leaf] = (state, isFirst, isAfterUnread) }
        }
        values = leaves.enumerated().compactMap { number, node in
            found[number].map {
                Value(
                    path: node.path, value: node, state: $0.state, isFirst: $0.isFirst,
                    isAfterUnread: $0.isAfterUnread)
            }
        }
    }
}
