import DocumentModel
import MigrationCore

/// The pairs of members of an object where a removed value became an added one, for a view that shows the two side by
/// side.
///
/// Moves are known from the difference, including moves into a new object. Other pairs are found by experiments.
struct BecomingPairs {
    /// The removed values, by the ID of the value that each became.
    private(set) var old: [DifferenceNode.ID: DifferenceNode] = [:]
    /// The IDs of the removed values that are shown beside another value.
    private var beside: Set<DifferenceNode.ID> = []

    /// Finds the pairs among the members of an object. An array has none, since its elements are already aligned.
    init(in container: DifferenceNode, finding: StepFinding?) {
        guard container.new?.kind == .object else { return }
        let gone = container.children.filter { [.removed, .movedAway].contains($0.kind) }
        let come = container.children.filter { [.added, .movedHere].contains($0.kind) }
        guard !gone.isEmpty, gone.count * come.count <= Self.mostCompared else { return }
        pair(gone, come, where: Self.holdsMoved)
        guard let finding else { return }
        let origins = finding.origins
        guard gone.count * come.count * origins.count <= Self.mostCompared else { return }
        pair(gone, come) { old, new in
            guard let from = old.oldPath?.foldingIndices, let to = new.newPath?.foldingIndices else { return false }
            return origins.contains { $0.path.hasPrefix(to) && $0.from.contains { $0.hasPrefix(from) } }
        }
    }

    /// Returns whether a value moved from one, or from inside it, to the other, or into it.
    private static func holdsMoved(_ old: DifferenceNode, _ new: DifferenceNode) -> Bool {
        if new.kind == .movedHere, let from = new.oldPath, let path = old.oldPath { return from.hasPrefix(path) }
        if old.kind == .movedAway, let to = old.newPath, let path = new.newPath { return to.hasPrefix(path) }
        return false
    }

    private mutating func pair(
        _ gone: [DifferenceNode], _ come: [DifferenceNode],
        where isRelated: (_ old: DifferenceNode, _ new: DifferenceNode) -> Bool
    ) {
        for old in gone where !isBeside(old) {
            guard let new = come.first(where: { self.old[$0.id] == nil && isRelated(old, $0) }) else { continue }
            self.old[new.id] = old
            beside.insert(old.id)
        }
    }

    /// Returns whether the value is shown beside the one that it became, rather than in a separate row.
    func isBeside(_ node: DifferenceNode) -> Bool { beside.contains(node.id) }

    /// The number of comparisons above which pairs are not searched for, as in objects where thousands of members
    /// change.
    private static let mostCompared = 1_000_000
}
