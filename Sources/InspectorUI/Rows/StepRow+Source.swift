import DocumentModel

extension StepRow {
    /// The value of `document`, the one before the step, that the row is about; nil for what the step made.
    ///
    /// - Parameter isCompared: Whether the row is of a difference, where what is unchanged is a value of the document
    ///   after the step.
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

    /// At the same path of the old document stands the like of an unchanged value, unless elements before it came or
    /// went. Small values only, so that it may be asked at every key.
    static func same(as node: DocumentNode, in document: Document) -> DocumentNode? {
        guard node.nodes.count <= comparedNodes, let like = document.value(at: node.path),
            like.nodes.count == node.nodes.count, like.isEqual(to: node)
        else { return nil }
        return like
    }

    /// Larger values are not worth a comparison.
    private static let comparedNodes = 2000
}
