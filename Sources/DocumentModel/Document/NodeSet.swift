/// A set of nodes of a document, by their tape indices: one bit per node.
struct NodeSet {
    private var words: [UInt64] = []

    /// Creates an empty set for a document with `nodeCount` nodes.
    init(nodeCount: Int = 0) { reserve(nodeCount: nodeCount) }

    /// Makes room for the nodes of a document.
    mutating func reserve(nodeCount: Int) {
        let missing = nodeCount >> 6 + 1 - words.count
        if missing > 0 { words += repeatElement(0, count: missing) }
    }

    /// The number of nodes in the set.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    func contains(_ index: Int) -> Bool {
        index >> 6 < words.count && words[index >> 6] & 1 << UInt64(index & 63) != 0
    }

    /// Returns whether any of the nodes is in the set.
    func containsAny(of range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, index >> 6 < words.count {
            let rest = words[index >> 6] >> UInt64(index & 63)
            if rest != 0 { return index + rest.trailingZeroBitCount < range.upperBound }
            index = (index | 63) + 1
        }
        return false
    }

    /// Adds a node, for which there must be room.
    @inline(__always)
    mutating func insert(_ index: Int) { words[index >> 6] |= 1 << UInt64(index & 63) }

    mutating func insert(_ range: Range<Int>) {
        for index in range { insert(index) }
    }

    /// Adds the nodes of another set, which must be for the same document.
    mutating func formUnion(_ other: NodeSet) {
        reserve(nodeCount: other.words.count << 6 - 1)
        for (position, word) in other.words.enumerated() { words[position] |= word }
    }

    // MARK: - Parts

    /// The nodes of a part of the document that are in a set.
    struct Part {
        fileprivate let firstWord: Int
        fileprivate let words: [UInt64]
    }

    /// Returns the nodes of a range, and possibly some nodes around it, that are in the set.
    func part(_ range: Range<Int>) -> Part {
        let positions = range.lowerBound >> 6..<(range.upperBound + 63) >> 6
        return Part(firstWord: positions.lowerBound, words: positions.map { $0 < words.count ? words[$0] : 0 })
    }

    /// Returns the number of nodes that were added to a part.
    func count(since part: Part) -> Int {
        zip(part.firstWord..., part.words).reduce(0) { count, old in
            count + (old.0 < words.count ? (words[old.0] & ~old.1).nonzeroBitCount : 0)
        }
    }

    /// Removes the nodes that were added to a part.
    mutating func restore(_ part: Part) {
        for (position, word) in zip(part.firstWord..., part.words) where position < words.count {
            words[position] = word
        }
    }
}
