import DocumentModel

/// Looks for the field of an old document that an error is likely about, if the error names it in terms of the new
/// shape or not at all.
///
/// There is evidence for a field if its name resembles the one in the error (`starRating` if that is `rating`), or if
/// the message contains its name or quotes its value. The result is marked as a guess. If there is equal evidence for
/// two fields, there is no result.
struct CulpritFinder {
    /// The document before the step.
    let root: DocumentNode
    /// Whether a field can be the culprit. The version key cannot, and neither can a field that no version read.
    var isCandidate: (DocumentNode) -> Bool = { _ in true }

    /// Returns the field that an error in a migration is about: the one that it names, or the one that it is most
    /// likely about. Returns nil if none is likely.
    func culprit(of reason: Reason) -> MigrationFailure.Culprit? {
        if let path = reason.path, !path.isRoot, root.descendant(at: path) != nil {
            return .init(path: path, certain: !reason.isOfAuthor)
        }
        return likeliest(path: reason.path, message: reason.authorsMessage ?? "")
    }

    /// Returns the field that an error in a step is most likely about, or nil if none is likely.
    func likeliest(path: DocumentPath?, message: String) -> MigrationFailure.Culprit? {
        let wanted = path?.innermostKey.map(FieldName.init)
        let message = MessageWords(message)
        var candidates: [(path: DocumentPath, score: Double)] = []
        var mentioned: Set<DocumentPath> = []
        visitFields(along: path) { candidate, node, isRecord in
            // Elements are records, many with the same fields. Only its value can single out one of them.
            if isRecord, !message.quotes(node) { return }
            guard let name = candidate.lastKey, isCandidate(node) else { return }
            var score = wanted.map { FieldName(name).resemblance(to: $0) } ?? 0
            if message.mentions(name) {
                mentioned.insert(candidate)
                score = max(score, 0.6)
            }
            if message.quotes(node) { score += 0.5 }
            if score >= 0.5 { candidates.append((candidate, score)) }
        }
        let highest = candidates.map(\.score).max()
        // The fields were visited from last to first.
        let best = candidates.reversed().filter { $0.score == highest }.map(\.path)
        // A message may be about several fields that disagree, but not about the same field of several elements.
        let isOfSeveral = mentioned.isSuperset(of: best) && Set(best.map(\.foldingIndices)).count == best.count
        guard best.count == 1 || isOfSeveral, let first = best.first else { return nil }
        return .init(path: first, certain: false, others: Array(best.dropFirst()))
    }

    /// Returns the field whose name resembles the missing one at the end of `path`, or nil if there is none.
    ///
    /// - Parameter fieldName: Converts a name in the document to the name in the type.
    func misspelling(of path: DocumentPath, fieldName: (String) -> String = { $0 }) -> MigrationFailure.Culprit? {
        guard let missing = path.lastKey, let parent = path.parent, let container = root.descendant(at: parent) else {
            return nil
        }
        let wanted = FieldName(missing)
        var candidates: [(path: DocumentPath, score: Double)] = []
        for member in container.members where isCandidate(member.value) {
            let score = FieldName(fieldName(member.name)).resemblance(to: wanted)
            if score >= 0.6 { candidates.append((parent.appending(key: member.name), score)) }
        }
        return candidates.onlyBest.map { .init(path: $0, certain: false) }
    }

    /// Visits the members of nested objects, and of the elements of arrays. Members of elements that `path` does not
    /// lead through are records, not fields of this shape. In a very large document, records are skipped, because
    /// searching them all would take too long.
    private func visitFields(
        along path: DocumentPath?, _ visit: (_ path: DocumentPath, _ node: DocumentNode, _ isRecord: Bool) -> Void
    ) {
        let visitsRecords = root.nodes.count <= 100_000
        var pending: [(path: DocumentPath, node: DocumentNode, isRecord: Bool)] = [(.root, root, false)]
        while let (here, node, isRecord) = pending.popLast() {
            if !here.isRoot { visit(here, node, isRecord) }
            node.forEachStep { component, value in
                let next = here.appending(component)
                let isNamed = node.kind == .object || path?.components.starts(with: next.components) == true
                let isRecord = isRecord || !isNamed
                if !isRecord || visitsRecords { pending.append((next, value, isRecord)) }
            }
        }
    }
}

extension DocumentPath {
    /// The last name on the path, which may be followed by an index.
    fileprivate var innermostKey: String? {
        for case .key(let name) in components.reversed() { return name }
        return nil
    }
}
