extension String {
    /// The least number of characters inserted, deleted, replaced, and exchanged with their neighbour, that turns this text into `other`
    /// without touching a place twice (optimal string alignment, after Damerau, 1964, and Wagner and Fischer, 1974).
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(self), Array(other))
        // Three rows of the table: of the character before the last, of the last, and of this one.
        var (older, old, new) = ([Int](), [Int](), Array(0...right.count))
        for i in left.indices {
            (older, old) = (old, new)
            new[0] = i + 1
            for j in right.indices {
                let replaced = old[j] + (left[i] == right[j] ? 0 : 1)
                new[j + 1] = Swift.min(replaced, old[j + 1] + 1, new[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    new[j + 1] = Swift.min(new[j + 1], older[j - 1] + 1)
                }
            }
        }
        return new[right.count]
    }
}
