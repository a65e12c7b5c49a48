/// Some of the nodes of a document, by their tape indices: a bit for each.
struct NodeSet {
    private var words: [UInt64]

    /// None of so many nodes.
    init(nodeCount: Int) { words = [UInt64](repeating: 0, count: nodeCount >> 6 + 1) }

    func contains(_ index: Int) -> Bool { words[index >> 6] & 1 << UInt64(index & 63) != 0 }

    /// Adds the nodes of another set, which is of the same document.
    mutating func formUnion(_ other: NodeSet) {
        for (position, word) in other.words.enumerated() where word != 0 { words[position] |= word }
    }

    mutating func insert(_ range: Range<Int>) {
        for index in range { words[index >> 6] |= 1 << UInt64(index & 63) }
    }
}
