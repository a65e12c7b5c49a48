/// What a folded path stands for, where that is not all that it leads to.
public struct PathFold: Sendable, Hashable {
    /// How many values there are.
    public var count: Int
    /// How many elements or members the last `*` of the path leads to.
    public var of: Int
    /// The paths; the first of them in one that was read from a report.
    public var paths: [DocumentPath]

    /// Reports have so many of the paths.
    private static let mostTold = 3

    /// Makes an entry from its parts.
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

    /// Writes the numbers and the first paths.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(of, forKey: .of)
        try container.encode(Array(paths.prefix(Self.mostTold)), forKey: .first)
    }
}

/// What folded paths stand for. Of more than ten paths that differ only in positions, and in the keys of one level, one
/// is made, with `*` in place of what differs.
public struct PathFolds: Sendable, Hashable {
    /// The entries, by the folded paths. A path with `*` that has none stands for all that it leads to.
    public private(set) var entries: [DocumentPath: PathFold]

    /// So many of a kind are read one by one.
    package static let mostSingle = 10

    /// Makes folds from their entries.
    public init(_ entries: [DocumentPath: PathFold] = [:]) { self.entries = entries }

    /// Folds a list of paths. What would fold to a path that stands for other values already stays as it is.
    ///
    /// - Parameter root: The value that the paths lead from.
    public mutating func fold(_ paths: [DocumentPath], in root: DocumentNode) -> [DocumentPath] {
        guard paths.count > Self.mostSingle else { return paths }
        let whole = Self.wholeDictionaries(paths, in: root)
        let lists = whole.map { (path: $0.path, patterns: Self.patterns(of: $0.path, in: root), members: $0.members) }
        var counts: [DocumentPath: Int] = [:]
        for list in lists { for pattern in list.patterns { counts[pattern, default: 0] += 1 } }
        // Of patterns that fold equally many the first has the fewest `*`.
        let chosen = lists.map { list in
            let pattern = list.patterns.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
            let isMany = pattern.flatMap { counts[$0] } ?? 0 > Self.mostSingle
            return isMany ? pattern ?? list.path : list.members.count > 1 ? list.path : list.members[0]
        }
        var groups: [DocumentPath: [DocumentPath]] = [:]
        for (pattern, list) in zip(chosen, lists) { groups[pattern, default: []] += list.members }
        var told: [DocumentPath: DocumentPath] = [:]
        for (pattern, group) in groups where group != [pattern] {
            let entry = PathFold(
                count: group.reduce(0) { $0 + max(1, root.values(along: $1).count) },
                of: root.childCount(along: pattern), paths: group)
            guard entries[pattern, default: entry] == entry else { continue }
            entries[pattern] = entry
            for path in group { told[path] = pattern }
        }
        var known: Set<DocumentPath> = []
        return paths.map { told[$0] ?? $0 }.filter { known.insert($0).inserted }
    }

    /// The paths with those that are all members of a dictionary as one.
    private static func wholeDictionaries(
        _ paths: [DocumentPath], in root: DocumentNode
    ) -> [(path: DocumentPath, members: [DocumentPath])] {
        var inside = Dictionary(grouping: paths.filter { $0.lastKey != nil }) { $0.parent ?? .root }
        inside = inside.filter { parent, members in
            let object = root.descendant(at: parent)
            return object?.count == members.count && object?.looksLikeDictionary(of: 0) == true
        }
        // A single member has a field's name, unless there are dictionaries of more at such places.
        let places = Set(inside.filter { $0.value.count > 1 }.keys.flatMap { patterns(of: $0, in: root) })
        var known: Set<DocumentPath> = []
        return paths.compactMap { path in
            guard path.lastKey != nil, let parent = path.parent, let members = inside[parent],
                members.count > 1 || patterns(of: parent, in: root).contains(where: places.contains)
            else { return (path, [path]) }
            return known.insert(parent).inserted ? (parent.appending(.everyMember), members) : nil
        }
    }

    /// Folds values that differ only in their paths, in the order of the first ones.
    ///
    /// - Parameter root: Finds the value that the paths of such values lead from; where there is none, they stay as they
    ///   are.
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

    /// The paths of a list that was folded.
    public func unfolding(_ paths: [DocumentPath]) -> [DocumentPath] { paths.flatMap { entries[$0]?.paths ?? [$0] } }

    /// Whether no path stands for more values in the other lists than in these.
    public func covers(_ other: PathFolds) -> Bool {
        other.entries.allSatisfy { path, entry in entries[path].map { entry.count <= $0.count } ?? false }
    }

    /// Whether a folded path may stand for this one, too.
    public func mayCover(_ path: DocumentPath) -> Bool { entries.keys.contains { $0.mayStand(for: path) } }

    /// What a path may be folded to: with `*` for positions, and for the key of one object.
    private static func patterns(of path: DocumentPath, in root: DocumentNode) -> [DocumentPath] {
        let folded = path.foldingIndices
        var patterns = folded == path ? [] : [folded]
        for (index, component) in path.components.enumerated() {
            guard component.name != nil else { continue }
            // The names of a type's fields say something, those of a dictionary's members are data.
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
    /// Whether the other way is this one, with some position or key for each `*`.
    fileprivate func mayStand(for other: DocumentPath) -> Bool {
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
    /// - Throws: `DecodingError`, of a key that is no path also.
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

    /// Writes the entries by their paths, in the order of these.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        for (path, entry) in entries.map({ ("\($0)", $1) }).sorted(by: { $0.0 < $1.0 }) {
            try container.encode(entry, forKey: PathCodingKey(path))
        }
    }
}
