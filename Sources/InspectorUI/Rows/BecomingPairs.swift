import DocumentModel
import MigrationCore

/// Which values of an object, gone in the new document, became which that are new in it: for a view in which one stands
/// beside the other.
///
/// A value that moved is known, also one that moved into an object of its own; of others experiments show it.
struct BecomingPairs {
    /// The value that is gone, by the place of the one that it became.
    private(set) var old: [DifferenceNode.ID: DifferenceNode] = [:]
    /// The places of the values that are gone and stand beside another.
    private var beside: Set<DifferenceNode.ID> = []

    /// Finds the pairs among the members of an object. An array has none: its elements are aligned as they are.
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

    /// Whether a value moved from one, or from inside it, to the other, or into it.
    private static func holdsMoved(_ old: DifferenceNode, _ new: DifferenceNode) -> Bool {
        if new.kind == .movedHere, let from = new.oldPath, let place = old.oldPath { return from.hasPrefix(place) }
        if old.kind == .movedAway, let to = old.newPath, let place = new.newPath { return to.hasPrefix(place) }
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

    /// Whether the value stands beside the one that it became, and not in a row of its own.
    func isBeside(_ node: DifferenceNode) -> Bool { beside.contains(node.id) }

    /// In objects with thousands of members that come and go nobody looks for pairs.
    private static let mostCompared = 1_000_000
}
