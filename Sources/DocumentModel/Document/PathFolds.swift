/// The values that a folded path represents, if it doesn't represent all values that it leads to.
public struct PathFold: Sendable, Hashable {
    /// The number of values.
    public var count: Int
    /// The number of elements or members that the last `*` of the path leads to.
    public var of: Int
    /// The paths, or only the first of them if they were read from a report.
    public var paths: [DocumentPath]

    /// The maximum number of paths in a report.
    private static let mostReported = 3

    /// Creates an entry.
    public init(count: Int, of: Int, paths: [DocumentPath]) { (self.count, self.of, self.paths) = (count, of, paths) }
}

extension PathFold: Codable {
    private enum CodingKeys: String, CodingKey { case count, of, first }

    /// Reads an entry of a report.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decode(Int.self, forKey: .count)
        of = try container.decode(Int.self, forKey: .of)
        paths = try container.decode([DocumentPath].self, forKey: .first)
    }

    /// Writes the numbers and the first paths, or all paths in a message between processes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(of, forKey: .of)
        let most = encoder.messageDocuments == nil ? Self.mostReported : paths.count
        try container.encode(Array(paths.prefix(most)), forKey: .first)
    }
}

/// The values that folded paths represent. More than ten paths that differ only in positions, and in the keys of one
/// level, are combined into one, with `*` in place of the differences.
public struct PathFolds: Sendable, Hashable {
    /// The entries by folded path. A path with `*` that has no entry represents all values that it leads to.
    public private(set) var entries: [DocumentPath: PathFold]

    /// The maximum number of similar paths that are listed individually.
    package static let mostSingle = 10

    /// Creates folds from their entries.
    public init(_ entries: [DocumentPath: PathFold] = [:]) { self.entries = entries }

    /// Folds a list of paths. Paths are kept if they would fold to a path that already represents other values.
    ///
    /// - Parameter root: The value that the paths start from.
    public mutating func fold(_ paths: [DocumentPath], in root: DocumentNode) -> [DocumentPath] {
        guard paths.count > Self.mostSingle else { return paths }
        let whole = Self.wholeDictionaries(paths, in: root)
        let lists = whole.map { (path: $0.path, patterns: Self.patterns(of: $0.path, in: root), members: $0.members) }
        var counts: [DocumentPath: Int] = [:]
        for list in lists { for pattern in list.patterns { counts[pattern, default: 0] += 1 } }
        // If several patterns fold the same number of paths, the first one has the fewest `*`.
        let chosen = lists.map { list in
            let pattern = list.patterns.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
            let isMany = pattern.flatMap { counts[$0] } ?? 0 > Self.mostSingle
            return isMany ? pattern ?? list.path : list.members.count > 1 ? list.path : list.members[0]
        }
        var groups: [DocumentPath: [DocumentPath]] = [:]
        for (pattern, list) in zip(chosen, lists) { groups[pattern, default: []] += list.members }
        var reported: [DocumentPath: DocumentPath] = [:]
        for (pattern, group) in groups where group != [pattern] {
            let entry = PathFold(
                count: group.reduce(0) { $0 + max(1, root.values(along: $1).count) },
                of: root.childCount(along: pattern), paths: group)
            guard entries[pattern, default: entry] == entry else { continue }
            entries[pattern] = entry
            for path in group { reported[path] = pattern }
        }
        var known: Set<DocumentPath> = []
        return paths.map { reported[$0] ?? $0 }.filter { known.insert($0).inserted }
    }

    /// Returns the paths, with all members of a dictionary combined into one path.
    private static func wholeDictionaries(
        _ paths: [DocumentPath], in root: DocumentNode
    ) -> [(path: DocumentPath, members: [DocumentPath])] {
        var inside = Dictionary(grouping: paths.filter { $0.lastKey != nil }) { $0.parent ?? .root }
        inside = inside.filter { parent, members in
            let object = root.descendant(at: parent)
            return object?.count == members.count && object?.looksLikeDictionary(of: 0) == true
        }
        // A single member counts as a field, unless there are dictionaries with more members at similar paths.
        let places = Set(inside.filter { $0.value.count > 1 }.keys.flatMap { patterns(of: $0, in: root) })
        var known: Set<DocumentPath> = []
        return paths.compactMap { path in
            guard path.lastKey != nil, let parent = path.parent, let members = inside[parent],
                members.count > 1 || patterns(of: parent, in: root).contains(where: places.contains)
            else { return (path, [path]) }
            return known.insert(parent).inserted ? (parent.appending(.everyMember), members) : nil
        }
    }

    /// Folds values that differ only in their paths. Each group is at the position of its first value.
    ///
    /// - Parameter root: Returns the value that the paths of such values start from. If it returns nil, they aren't
    ///   folded.
    public mutating func fold<Value: Hashable>(
        _ values: [Value], at path: WritableKeyPath<Value, DocumentPath>, in root: (Value) -> DocumentNode?
    ) -> [Value] {
        guard values.count > Self.mostSingle else { return values }
        func moved(_ value: Value, to place: DocumentPath) -> Value {
            var value = value
            value[keyPath: path] = place
            return value
        }
        var kinds: [(kind: Value, paths: [DocumentPath])] = []
        var numbers: [Value: Int] = [:]
        for value in values {
            let kind = moved(value, to: .root)
            let number = numbers[kind] ?? kinds.count
            if number == kinds.count { kinds.append((kind, [])) }
            numbers[kind] = number
            kinds[number].paths.append(value[keyPath: path])
        }
        return kinds.flatMap { kind, paths in
            (root(kind).map { fold(paths, in: $0) } ?? paths).map { moved(kind, to: $0) }
        }
    }

    /// Returns the original paths of a folded list.
    public func unfolding(_ paths: [DocumentPath]) -> [DocumentPath] { paths.flatMap { entries[$0]?.paths ?? [$0] } }

    /// Returns a list of original paths with each group of paths that these folds combine combined again, if the list
    /// contains the whole group.
    package func refolding(_ paths: [DocumentPath]) -> [DocumentPath] {
        let listed = Set(paths)
        var reported: [DocumentPath: DocumentPath] = [:]
        for (pattern, entry) in entries where entry.paths.allSatisfy(listed.contains) {
            for path in entry.paths { reported[path] = pattern }
        }
        var known: Set<DocumentPath> = []
        return paths.map { reported[$0] ?? $0 }.filter { known.insert($0).inserted }
    }

    /// Returns whether no path represents more values in `other` than in these folds.
    public func covers(_ other: PathFolds) -> Bool {
        other.entries.allSatisfy { path, entry in entries[path].map { entry.count <= $0.count } ?? false }
    }

    /// Returns whether one of the folded paths may represent this path too.
    public func mayCover(_ path: DocumentPath) -> Bool { entries.keys.contains { $0.isPattern(of: path) } }

    /// Returns the patterns that a path may be folded to: with `*` for positions, and for the key of one object.
    private static func patterns(of path: DocumentPath, in root: DocumentNode) -> [DocumentPath] {
        let folded = path.foldingIndices
        var patterns = folded == path ? [] : [folded]
        for (index, component) in path.components.enumerated() {
            guard component.name != nil else { continue }
            // The names of a type's fields have a meaning, while those of a dictionary's members are data.
            let container = DocumentPath(Array(path.components[..<index]))
            if index == path.components.count - 1,
                root.descendant(at: container)?.looksLikeDictionary(of: mostSingle) != true
            {
                continue
            }
            var pattern = folded
            pattern.components[index] = .everyMember
            patterns.append(pattern)
        }
        return patterns
    }
}

extension DocumentPath {
    /// Returns whether `other` is this path with some position or key for each `*`.
    package func isPattern(of other: DocumentPath) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { own, other in
                switch (own, other) {
                case (.everyElement, .index), (.everyMember, .key), (.everyMember, .laterKey): true
                default: own == other
                }
            }
    }
}

extension PathFolds: Codable {
    /// Reads the entries of a report.
    ///
    /// - Throws: `DecodingError`, also if a key isn't a path.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PathCodingKey.self)
        entries = [:]
        for key in container.allKeys {
            guard let path = DocumentPath(key.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "expected a path such as $.lines[*].price")
            }
            entries[path] = try container.decode(PathFold.self, forKey: key)
        }
    }

    /// Writes the entries with their paths as keys, sorted by path.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        for (path, entry) in entries.map({ ("\($0)", $1) }).sorted(by: { $0.0 < $1.0 }) {
            try container.encode(entry, forKey: PathCodingKey(path))
        }
    }
}
