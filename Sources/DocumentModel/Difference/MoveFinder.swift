/// Finds values that were removed at one place and added unchanged at another.
///
/// Larger values are matched first, so that the contents of a moved container don't move separately, and each value
/// moves only once. If there are several possible ends for a move, the nearest ones are chosen, and among these the
/// ones with the most similar names: the search begins in the container itself and continues outwards. At each level,
/// among the remaining equal values there, a pair is a move if
///
/// - the name is the same, and no other has it;
/// - or the names are similar (``FieldName``), the most similar first, and neither is as similar to another;
/// - or the value is distinctive (``TapeView/isDistinctive(_:)``), and only one was removed and one added there;
/// - or both are elements of the same array, in order;
/// - or both are members of the same object, which lost and gained no other members.
///
/// So a `null` or a `1` moves only if its name, or the lack of alternatives, indicates it, and never into or out of an
/// element of an array. And no value moves from inside one element of an array to inside another: records with a common
/// value haven't exchanged it. Objects with repeated names are ignored, because no JSON Pointer leads to their members.
final class MoveFinder {
    /// A move between places of the two documents.
    struct Move {
        /// The tape indices of the values.
        let old: Int
        let new: Int
        /// The entries of the topmost removed and added values that contain them, or that they are.
        let oldTop: Int
        let newTop: Int
    }

    /// A value that could be one end of a move.
    struct Candidate {
        /// The tape index of the value.
        let index: Int
        /// The entry of the topmost removed or added value that contains it, or that it is.
        let top: Int
        /// The entry of the container that the search has reached.
        var container: Int
    }

    /// Equal values of both documents, in the order of the documents.
    private struct Group {
        var olds: [Candidate] = []
        var news: [Candidate] = []
    }

    let old: ComparedSide
    let new: ComparedSide
    let comparison: ValueComparison
    let entries: [DifferenceEntry]
    /// The depth of each entry.
    let depths: [UInt16]
    var moves: [Move] = []
    var resemblances: [NamePair: Double] = [:]
    /// The nodes that are part of a moved value.
    var takenOld: NodeSet
    var takenNew: NodeSet

    /// Returns the moves between the values that were removed and those that were added according to `entries`.
    static func moves(
        _ entries: [DifferenceEntry], old: ComparedSide, new: ComparedSide, _ comparison: ValueComparison
    ) -> [Move] {
        let tops = tops(entries)
        if tops.removed.isEmpty || tops.added.isEmpty { return [] }
        let finder = MoveFinder(entries, old: old, new: new, comparison)
        for group in finder.groups(tops.removed, tops.added) {
            finder.match(
                group.olds.filter { !finder.takenOld.contains($0.index) },
                group.news.filter { !finder.takenNew.contains($0.index) })
        }
        return finder.moves
    }

    private init(
        _ entries: [DifferenceEntry], old: ComparedSide, new: ComparedSide, _ comparison: ValueComparison
    ) {
        self.entries = entries
        self.comparison = comparison
        self.old = old
        self.new = new
        var depths: [UInt16] = []
        depths.reserveCapacity(entries.count)
        for entry in entries { depths.append(entry.parent.position.map { depths[$0] + 1 } ?? 0) }
        self.depths = depths
        takenOld = NodeSet(nodeCount: old.tape.count)
        takenNew = NodeSet(nodeCount: new.tape.count)
    }

    // MARK: - Candidates

    /// Returns the entries of the removed and added values that may have moved, or whose contents may have. If a pair
    /// was already found inside a value, these are the entries of its contents.
    private static func tops(_ entries: [DifferenceEntry]) -> (removed: [Int], added: [Int]) {
        var tops: (removed: [Int], added: [Int]) = ([], [])
        var id = 0
        while id < entries.count {
            let entry = entries[id]
            if entry.isLeaf(at: id) {
                if entry.kind == .removed { tops.removed.append(id) }
                if entry.kind == .added { tops.added.append(id) }
            }
            id = entry.isPatchedWhole ? Int(entry.end) : id + 1
        }
        return tops
    }

    /// Returns the groups of equal values: the largest containers first, and then all other values in the order of the
    /// old document.
    private func groups(_ removed: [Int], _ added: [Int]) -> [Group] {
        // Most values have no equal one in the other document.
        var oldHashes: Set<UInt64> = []
        for top in removed { forEachCandidate(in: top, of: old) { oldHashes.insert(old.hashes[$0.index]) } }
        var groups: [Group] = []
        var groupsByHash: [UInt64: Int] = [:]
        for top in added {
            forEachCandidate(in: top, of: new) { candidate in
                let hash = new.hashes[candidate.index]
                guard oldHashes.contains(hash) else { return }
                let group = groupsByHash[hash, default: groups.count]
                if group == groups.count {
                    groups.append(Group())
                    groupsByHash[hash] = group
                }
                groups[group].news.append(candidate)
            }
        }
        for top in removed {
            forEachCandidate(in: top, of: old) { candidate in
                if let group = groupsByHash[old.hashes[candidate.index]] { groups[group].olds.append(candidate) }
            }
        }
        for group in groups.indices {
            groups[group].olds.sort { $0.index < $1.index }
            groups[group].news.sort { $0.index < $1.index }
        }
        func order(_ group: Group) -> (Int, Int) {
            let index = group.olds.first?.index ?? 0
            return (index - old.tape.next(after: index), index)
        }
        return groups.sorted { order($0) < order($1) }
    }

    /// Returns the tape index of a removed or added value.
    func value(of entry: DifferenceEntry) -> Int { Int(entry.kind == .removed ? entry.old : entry.new) }

    /// Calls `body` with a removed or added value, which is that of the entry `top`, and those inside it that may have
    /// moved.
    private func forEachCandidate(in top: Int, of side: ComparedSide, _ body: (Candidate) -> Void) {
        let value = value(of: entries[top])
        // The nearest container that is in both documents.
        var container = Int(entries[top].parent)
        while entries[container].isOfOneSide { container = Int(entries[container].parent) }
        // The node to examine next. The contents of objects with repeated names are skipped.
        var index = value
        let end = side.tape.next(after: value)
        // The end of the array that contains the value at `index`.
        var arrayEnd = value
        while index < end {
            let node = side.tape[index]
            // Empty containers are all alike, wherever they are.
            let isEmpty = index > value && node.kind.isContainer && Int(node.next) == index + 1
            if node.kind != .key, !isEmpty, index >= arrayEnd || side.tape.isDistinctive(index) {
                body(Candidate(index: index, top: top, container: container))
            }
            if node.kind == .array { arrayEnd = max(arrayEnd, Int(node.next)) }
            index = side.hasDuplicates(index) ? Int(node.next) : index + 1
        }
    }
}
