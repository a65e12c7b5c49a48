extension DocumentNode {
    /// The paths of values inside this one, with `*` for a position where all elements are meant.
    ///
    /// A path that is folded stands for a value in every element of every list on the way. Where some element has no
    /// such value, or another one that is not meant, each path is as it is.
    ///
    /// - Parameter paths: Paths from here that lead to values, each once.
    package func folding(_ paths: [DocumentPath]) -> [DocumentPath] {
        var counts: [DocumentPath: Int] = [:]
        for path in paths { counts[path.foldingIndices, default: 0] += 1 }
        var isWhole: [DocumentPath: Bool] = [:]
        var known: Set<DocumentPath> = []
        return paths.compactMap { path in
            let folded = path.foldingIndices
            guard folded != path else { return path }
            let all = isWhole[folded] ?? (counts[folded] == elementCount(along: folded.components[...]))
            isWhole[folded] = all
            return !all ? path : known.insert(folded).inserted ? folded : nil
        }
    }

    /// How many elements the last `*` on a way leads to, by all those before it.
    private func elementCount(along components: ArraySlice<DocumentPath.Component>) -> Int {
        guard let last = components.lastIndex(of: .everyElement) else { return 1 }
        return switch components.first {
        case .key(let name): self[name]?.elementCount(along: components.dropFirst()) ?? 0
        case .index(let position): self[position]?.elementCount(along: components.dropFirst()) ?? 0
        case .everyElement where components.startIndex == last: elements.reduce(0) { count, _ in count + 1 }
        case .everyElement: elements.reduce(0) { $0 + $1.elementCount(along: components.dropFirst()) }
        case nil: 1
        }
    }
}
