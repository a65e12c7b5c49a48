/// A coding path as a linked list from the innermost component outwards. Appending a component costs only one small
/// object, and the array of keys is created only for an error or when a type requests it.
final class CodingPathNode: Sendable {
    /// One component of the path. Positions become keys only when the path is requested, which is rare.
    enum Step: Sendable {
        case key(any CodingKey)
        case index(Int)

        var key: any CodingKey {
            switch self {
            case .key(let key): key
            case .index(let index): PathCodingKey(index: index)
            }
        }
    }

    private let parent: CodingPathNode?
    private let step: Step

    init(_ step: Step, in parent: CodingPathNode?) {
        self.step = step
        self.parent = parent
    }

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var node: CodingPathNode? = self
        while let current = node {
            keys.append(current.step.key)
            node = current.parent
        }
        return keys.reversed()
    }
}

extension Optional where Wrapped == CodingPathNode {
    /// The keys of the path, outermost first; empty for the root, which is nil.
    var keys: [any CodingKey] { self?.keys ?? [] }

    /// Returns the path with another component.
    func appending(_ step: CodingPathNode.Step) -> CodingPathNode { CodingPathNode(step, in: self) }

    /// Returns the keys of the path with another component.
    func keys(appending step: CodingPathNode.Step?) -> [any CodingKey] { step.map { keys + [$0.key] } ?? keys }
}

/// The position of a value: a path with an optional last component, which becomes part of the path only if the path is
/// requested.
struct CodingPlace {
    let container: CodingPathNode?
    let step: CodingPathNode.Step?

    init(_ container: CodingPathNode?, _ step: CodingPathNode.Step? = nil) {
        (self.container, self.step) = (container, step)
    }

    var path: CodingPathNode? { step.map { container.appending($0) } ?? container }

    var keys: [any CodingKey] { container.keys(appending: step) }
}
