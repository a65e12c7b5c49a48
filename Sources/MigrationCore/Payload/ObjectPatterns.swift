import DocumentModel

/// Finds for each object of an edited payload the object of the original document that it was.
///
/// Dictionaries do not know where they came from. One that only gained or only lost keys was the object at its place;
/// for any other, an object with the same keys is as good as the right one, for only the order of keys and the spelling
/// of equal values are taken from it.
struct ObjectPatterns {
    private let original: DocumentNode
    /// The first object with each set of keys; gathered when first asked for, because most objects stay where they are.
    private lazy var byNames = gathered()

    init(_ original: DocumentNode) { self.original = original }

    /// The object that `object`, which stands where `node` stood, was; nil if there was none like it.
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
