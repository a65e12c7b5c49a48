import DocumentModel

extension StepRow {
    /// Returns the value of `document`, the one before the step, that the row is about; nil for a value that the step
    /// made.
    ///
    /// - Parameter isCompared: Whether the row belongs to a difference, where unchanged values are those of the
    ///   document after the step.
    func value(in document: Document, isCompared: Bool) -> DocumentNode? {
        switch body {
        case .inside(let old, _), .change(let old, _), .became(let old, _, _): old
        case .changedString(let node, _, let isOld): isOld ? node : nil
        case .movedAway(let node, _): node
        case .movedHere(_, let from): document.value(at: from)
        case .culprit(let node, _): node
        case .value(let node):
            switch sign {
            case .added: nil
            case .none where isCompared: Self.same(as: node, in: document)
            default: node
            }
        case .fold, .repeated, .absent, .text, .part: nil
        }
    }

    /// Returns the value at the same path of the old document if it equals this unchanged value. It may not if
    /// elements before it were added or removed. Only compares small values, so that it can be called for every key
    /// press.
    static func same(as node: DocumentNode, in document: Document) -> DocumentNode? {
        guard node.nodes.count <= comparedNodes, let like = document.value(at: node.path),
            like.nodes.count == node.nodes.count, like.isEqual(to: node)
        else { return nil }
        return like
    }

    /// The number of nodes above which values are not compared.
    private static let comparedNodes = 2000
}
