extension Array where Element: Equatable {
    /// Returns the minimum number of insertions, deletions, replacements and swaps of adjacent elements that turn this
    /// array into `other` without editing any element twice (optimal string alignment, after Damerau, 1964, and Wagner
    /// and Fischer, 1974).
    package func editDistance(to other: [Element]) -> Int {
        // Three rows of the table: for the element before the previous one, the previous one and the current one.
        var (older, old, new) = ([Int](), [Int](), [Int](0...other.count))
        for i in indices {
            (older, old) = (old, new)
            new[0] = i + 1
            for j in other.indices {
                let replaced = old[j] + (self[i] == other[j] ? 0 : 1)
                new[j + 1] = Swift.min(replaced, old[j + 1] + 1, new[j] + 1)
                if i > 0, j > 0, self[i] == other[j - 1], self[i - 1] == other[j] {
                    new[j + 1] = Swift.min(new[j + 1], older[j - 1] + 1)
                }
            }
        }
        return new[other.count]
    }
}

extension String {
    /// Returns the name in `known` that is most similar to this one, ignoring case, or nil if no name is similar
    /// enough.
    package func nearest(in known: [String]) -> String? {
        let letters = [Character](lowercased())
        let ranked = known.map { (name: $0, distance: [Character]($0.lowercased()).editDistance(to: letters)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 2 <= Swift.max(best.name.count, count) ? best.name : nil
    }
}
