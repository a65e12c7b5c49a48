import DocumentModel

/// Finds the original object for each object of an edited payload.
///
/// Dictionaries don't know where they came from. If an object only gained or only lost keys, the original is the object
/// at its path. For any other, an object with the same keys is as good as the right one, because only the order of keys
/// and the spelling of equal values are taken from it.
struct ObjectPatterns {
    private let original: DocumentNode
    /// The first object with each set of keys. Computed when needed, because most objects stay where they are.
    private lazy var byNames = gathered()

    init(_ original: DocumentNode) { self.original = original }

    /// Returns the original of `object`, which is at the position of `node`, or nil if there is none like it.
    mutating func pattern(of object: [String: Any], at node: DocumentNode?) -> DocumentNode? {
        let node = node?.kind == .object ? node : nil
        if let node {
            let names = Set(node.members.map(\.name))
            let kept = names.count { object[$0] != nil }
            if node.id == original.id || kept == names.count || kept == object.count { return node }
        }
        return byNames[Set(object.keys.map { ExactText($0) })] ?? node
    }

    private func gathered() -> [Set<ExactText>: DocumentNode] {
        var objects: [Set<ExactText>: DocumentNode] = [:]
        for node in original.nodes where node.kind == .object {
            let names = Set(node.members.map { ExactText($0.name) })
            if objects[names] == nil { objects[names] = node }
        }
        return objects
    }
}
