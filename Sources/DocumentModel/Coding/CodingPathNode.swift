/// A coding path as a chain from the innermost step outwards, so that going a step further costs one small object and
/// the array of keys is made only for an error or when a type asks for it.
final class CodingPathNode: Sendable {
    /// One step of the path. Positions become keys only when the path is asked for: most never are.
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

    fileprivate var keys: [any CodingKey] {
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
    /// The keys of the path, outermost first; none for the root, which is nil.
    var keys: [any CodingKey] { self?.keys ?? [] }

    /// The path one step further.
    func appending(_ step: CodingPathNode.Step) -> CodingPathNode { CodingPathNode(step, in: self) }

    /// The keys of the path one step further.
    func keys(appending step: CodingPathNode.Step?) -> [any CodingKey] { step.map { keys + [$0.key] } ?? keys }
}

/// Where a value stands: at the end of a path or a step further. The step becomes part of a path only where one is
/// wanted.
struct CodingPlace {
    let container: CodingPathNode?
    let step: CodingPathNode.Step?

    init(_ container: CodingPathNode?, _ step: CodingPathNode.Step? = nil) {
        (self.container, self.step) = (container, step)
    }

    var path: CodingPathNode? { step.map { container.appending($0) } ?? container }

    var keys: [any CodingKey] { container.keys(appending: step) }
}
