import DocumentModel

/// Looks for the field of an old document that an error is likely to be about, when the error names it in the words of the new shape or not
/// at all.
///
/// A field speaks for itself when its name resembles the one that the error names (`starRating`, when that is `rating`), or when the
/// message says its name or quotes its value. What it finds is a guess, and says so; where two fields speak alike, it finds nothing.
struct CulpritFinder {
    /// The document before the step.
    let root: DocumentNode
    /// Whether a field can be the one: the version key cannot, nor can one that nobody read.
    let isCandidate: (DocumentNode) -> Bool

    /// The field that an error in a step is likeliest to be about; nil if none is likely.
    func likeliest(path: DocumentPath?, message: String) -> MigrationFailure.Culprit? {
        let wanted = path?.innermostKey.map(FieldName.init)
        let message = MessageWords(message)
        var best = Best()
        visitFields(along: path) { candidate, node in
            guard let name = candidate.lastKey, isCandidate(node) else { return }
            var score = wanted.map { FieldName(name).resemblance(to: $0) } ?? 0
            if message.mentions(name) { score = max(score, 0.6) }
            if message.quotes(node) { score += 0.5 }
            if score >= 0.5 { best.offer(candidate, score) }
        }
        return best.culprit
    }

    /// The field whose name is nearly the missing one at the end of `path`; nil if there is none.
    ///
    /// - Parameter fieldName: What the type calls a field that the document calls by the given name.
    func misspelling(of path: DocumentPath, fieldName: (String) -> String) -> MigrationFailure.Culprit? {
        guard let missing = path.lastKey, let parent = path.parent, let container = root.descendant(at: parent) else {
            return nil
        }
        let wanted = FieldName(missing)
        var best = Best()
        for member in container.members where isCandidate(member.value) {
            let score = FieldName(fieldName(member.name)).resemblance(to: wanted)
            if score >= 0.6 { best.offer(parent.appending(key: member.name), score) }
        }
        return best.culprit
    }

    /// The best candidate so far.
    private struct Best {
        private var path: DocumentPath?
        private var score = 0.0
        /// Whether another one is as good.
        private var isTied = false

        mutating func offer(_ candidate: DocumentPath, _ candidateScore: Double) {
            if candidateScore > score {
                (path, score, isTied) = (candidate, candidateScore, false)
            } else if candidateScore == score, candidate != path {
                isTied = true
            }
        }

        var culprit: MigrationFailure.Culprit? {
            isTied ? nil : path.map { .init(path: $0, certain: false) }
        }
    }

    /// Visits the members of objects inside objects, and of the elements that `path` leads through; elements of other arrays are records
    /// of their own, not fields of this shape.
    private func visitFields(along path: DocumentPath?, _ visit: (DocumentPath, DocumentNode) -> Void) {
        var pending: [(DocumentPath, DocumentNode)] = [(.root, root)]
        while let (here, node) = pending.popLast() {
            if !here.isRoot { visit(here, node) }
            if node.kind == .object {
                for member in node.members.reversed() {
                    pending.append((here.appending(key: member.name), member.value))
                }
            } else if node.kind == .array, let path, here.components.count < path.components.count,
                case .index(let position) = path.components[here.components.count], let element = node[position]
            {
                pending.append((here.appending(index: position), element))
            }
        }
    }
}

extension DocumentPath {
    /// The last name on the way, which may lead on to an element.
    fileprivate var innermostKey: String? {
        for case .key(let name) in components.reversed() { return name }
        return nil
    }
}
