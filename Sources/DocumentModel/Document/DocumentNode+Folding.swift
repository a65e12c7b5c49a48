extension DocumentNode {
    /// Returns the paths of values inside this one, with `*` in place of positions if all elements are included.
    ///
    /// A folded path represents a value in every element of every list along it. If some elements don't have such a
    /// value, or their values aren't in `paths`, the paths are kept as they are.
    ///
    /// - Parameter paths: Paths from here that lead to values, each listed once.
    package func folding(_ paths: [DocumentPath]) -> [DocumentPath] {
        var counts: [DocumentPath: Int] = [:]
        for path in paths { counts[path.foldingIndices, default: 0] += 1 }
        var isWhole: [DocumentPath: Bool] = [:]
        var known: Set<DocumentPath> = []
        return paths.compactMap { path in
            let folded = path.foldingIndices
            guard folded != path else { return path }
            let all = isWhole[folded] ?? (counts[folded] == childCount(along: folded))
            isWhole[folded] = all
            return !all ? path : known.insert(folded).inserted ? folded : nil
        }
    }

    /// Returns whether paths lead through every element that each `[*]` in a path represents.
    ///
    /// - Parameter paths: Paths from here; those that do not fold to `pattern` are ignored.
    package func areAll(_ paths: [DocumentPath], along pattern: DocumentPath) -> Bool {
        let members = paths.filter { $0.foldingIndices == pattern }
        return pattern.components.indices.filter { pattern.components[$0] == .everyElement }.allSatisfy { level in
            let places = Set(members.map { DocumentPath(Array($0.components[...level])) })
            return Dictionary(grouping: places) { $0.parent ?? .root }.allSatisfy { array, elements in
                descendant(at: array)?.count == elements.count
            }
        }
    }

    /// Returns the number of elements or members that the last `*` in a path matches, over all matches of the ones
    /// before it.
    func childCount(along path: DocumentPath) -> Int {
        let last = path.components.lastIndex { $0 == .everyElement || $0 == .everyMember }
        return last.map { values(along: path.components[...$0]).count } ?? 1
    }

    /// Returns the values that a path leads to, in which `[*]` matches all elements and `.*` all members.
    package func values(along path: DocumentPath) -> [DocumentNode] { values(along: path.components[...]) }

    /// Returns the identities of all values that paths lead to. The paths may contain `*`.
    package func ids(along paths: some Sequence<DocumentPath>) -> Set<DocumentNode.ID> {
        Set(paths.lazy.flatMap { self.values(along: $0) }.map(\.id))
    }

    private func values(along components: ArraySlice<DocumentPath.Component>) -> [DocumentNode] {
        let rest = components.dropFirst()
        return switch components.first {
        case nil: [self]
        case .key(let name): self[name]?.values(along: rest) ?? []
        case .laterKey?, .index?: components.first.flatMap(child)?.values(along: rest) ?? []
        case .everyElement: elements.flatMap { $0.values(along: rest) }
        case .everyMember: members.flatMap { $0.value.values(along: rest) }
        }
    }

    /// Returns whether the object looks like a dictionary rather than the fields of a type: it has more than `few`
    /// members, all of the same kind.
    package func looksLikeDictionary(of few: Int) -> Bool {
        guard kind == .object, count > few, let first = firstChild?.value.kind else { return false }
        return children.allSatisfy { $0.value.kind == first }
    }
}
