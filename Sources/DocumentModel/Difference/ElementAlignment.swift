/// Which elements of two arrays are compared with each other.
struct ElementAlignment {
    let old: DifferenceBuilder.Side
    let new: DifferenceBuilder.Side

    /// The positions of the pairs, both growing.
    func pairs(_ oldElements: [Int], _ newElements: [Int]) -> [(old: Int, new: Int)] {
        func areEqual(_ oldPosition: Int, _ newPosition: Int) -> Bool {
            old.hashes[oldElements[oldPosition]] == new.hashes[newElements[newPosition]]
        }
        let shorter = min(oldElements.count, newElements.count)
        let prefix = (0..<shorter).first { !areEqual($0, $0) } ?? shorter
        let suffix =
            (0..<shorter - prefix).first { !areEqual(oldElements.count - 1 - $0, newElements.count - 1 - $0) }
            ?? shorter - prefix
        var pairs = (0..<prefix).map { (old: $0, new: $0) }
        let (oldEnd, newEnd) = (oldElements.count - suffix, newElements.count - suffix)
        if oldEnd == newEnd { pairs += (prefix..<oldEnd).map { (old: $0, new: $0) } }
        return pairs + (0..<suffix).map { (old: oldEnd + $0, new: newEnd + $0) }
    }
}
