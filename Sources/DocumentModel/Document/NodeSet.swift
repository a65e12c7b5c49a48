/// A set of nodes of a document, by their tape indices: one bit per node.
struct NodeSet: ~Copyable {
    private var words: OwnedList<UInt64>

    /// Creates an empty set for a document with `nodeCount` nodes.
    init(nodeCount: Int) { words = OwnedList(zeros: nodeCount >> 6 + 1) }

    func contains(_ index: Int) -> Bool { words[index >> 6] & 1 << UInt64(index & 63) != 0 }

    /// Returns whether any of the nodes is in the set.
    func containsAny(of range: Range<Int>) -> Bool {
        if range.isEmpty { return false }
        let (first, last) = (range.lowerBound >> 6, (range.upperBound - 1) >> 6)
        let behindFirst = UInt64.max << UInt64(range.lowerBound & 63)
        let beforeLast = UInt64.max >> UInt64(63 - (range.upperBound - 1) & 63)
        if first == last { return words[first] & behindFirst & beforeLast != 0 }
        return words[first] & behindFirst != 0 || (first + 1..<last).contains { words[$0] != 0 }
            || words[last] & beforeLast != 0
    }

    /// Adds the nodes of another set, which must be for the same document.
    mutating func formUnion(_ other: borrowing NodeSet) {
        for position in other.words.indices where other.words[position] != 0 {
            words[position] |= other.words[position]
        }
    }

    mutating func insert(_ range: Range<Int>) {
        for index in range { words[index >> 6] |= 1 << UInt64(index & 63) }
    }
}
