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
            let all = isWhole[folded] ?? (counts[folded] == childCount(along: folded))
            isWhole[folded] = all
            return !all ? path : known.insert(folded).inserted ? folded : nil
        }
    }

    /// Whether paths lead through every element that `[*]` in a path stands for, on each level.
    ///
    /// - Parameter paths: Paths from here; those that do not fold to `pattern` are passed over.
    package func areAll(_ paths: [DocumentPath], along pattern: DocumentPath) -> Bool {
        let members = paths.filter { $0.foldingIndices == pattern }
        return pattern.components.indices.filter { pattern.components[$0] == .everyElement }.allSatisfy { level in
            let places = Set(members.map { DocumentPath(Array($0.components[...level])) })
            return Dictionary(grouping: places) { $0.parent ?? .root }.allSatisfy { array, elements in
                descendant(at: array)?.count == elements.count
            }
        }
    }

    /// How many elements or members the last `*` on a way leads to, by all those before it.
    func childCount(along path: DocumentPath) -> Int {
        let last = path.components.lastIndex { $0 == .everyElement || $0 == .everyMember }
        return last.map { values(along: path.components[...$0]).count } ?? 1
    }

    /// The values to which a way leads, in which `[*]` stands for all elements and `.*` for all members.
    package func values(along path: DocumentPath) -> [DocumentNode] { values(along: path.components[...]) }

    /// The identities of all values that paths lead to, some of whose positions may stand for all elements.
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

    /// Whether the object looks like a dictionary, not like the fields of a type: it has more members than `few`, and all
    /// are of one kind.
    package func looksLikeDictionary(of few: Int) -> Bool {
        guard kind == .object, count > few, let first = firstChild?.value.kind else { return false }
        return children.allSatisfy { $0.value.kind == first }
    }
}
