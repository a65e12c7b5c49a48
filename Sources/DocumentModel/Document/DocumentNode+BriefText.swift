extension DocumentNode {
    /// The value in a few words, for a sentence: a scalar as JSON writes it, cut off where it is long; of a container what it is and how much
    /// is inside.
    public var briefText: String {
        switch kind {
        case .object: "an object of \(count) member\(count == 1 ? "" : "s")"
        case .array: "an array of \(count) element\(count == 1 ? "" : "s")"
        default:
            JSONWriter().string(self).abbreviated(to: 60)
        }
    }
}

extension String {
    /// The text, or its beginning with an ellipsis if it has more characters than `limit`.
    fileprivate func abbreviated(to limit: Int) -> String {
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        return self[..<end] + "…"
    }
}
