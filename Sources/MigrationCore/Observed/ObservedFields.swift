import DocumentModel

/// The fields that documents have, at every depth, with the kinds of their values and the number of documents that have
/// each. It says nothing about fields that other documents may have.
///
/// The documents are in groups, such as those of one version, whose fields are apart. Whether an object is a dictionary
/// is the same in all groups.
package struct ObservedFields: Sendable {
    /// A place in the documents.
    private struct Place: Sendable {
        /// The kinds of values, and the numbers of the documents that have a value there in ascending order, by group.
        var kinds: [Int: [NodeKind]] = [:]
        var documents: [Int: [Int]] = [:]
        /// Whether an object there has members that are entries of a dictionary rather than fields.
        var isDictionary = false
        /// The places inside, in the order in which they were found.
        var inside: [(component: DocumentPath.Component, place: Int)] = []
        var numbers: [DocumentPath.Component: Int] = [:]
    }

    /// The number of documents in each group.
    package private(set) var documentCounts: [Int: Int] = [:]
    private var places = [Place()]

    /// Creates an empty collection.
    package init() {}

    /// Adds the fields of a document to a group.
    package mutating func add(_ document: Document, to group: Int) {
        let number = documentCounts[group, default: 0]
        documentCounts[group] = number + 1
        var rest = [(node: document.root, place: 0)]
        while let (node, place) = rest.popLast() {
            if !places[place].kinds[group, default: []].contains(node.kind) {
                places[place].kinds[group, default: []].append(node.kind)
            }
            if places[place].documents[group]?.last != number {
                places[place].documents[group, default: []].append(number)
            }
            if !places[place].isDictionary {
                places[place].isDictionary = node.looksLikeDictionary(of: PathFolds.mostSingle)
            }
            guard node.kind.isContainer else { continue }
            var inside: [(node: DocumentNode, place: Int)] = []
            for child in node.children {
                let component = child.key?.string.map(DocumentPath.Component.key) ?? .everyElement
                inside.append((child.value, self.place(component, inside: place)))
            }
            rest += inside.reversed()
        }
    }

    private mutating func place(_ component: DocumentPath.Component, inside outer: Int) -> Int {
        if let known = places[outer].numbers[component] { return known }
        places.append(Place())
        places[outer].numbers[component] = places.count - 1
        places[outer].inside.append((component, places.count - 1))
        return places.count - 1
    }

    /// Returns the fields of a group, each followed by the fields inside it, and the number of documents that have each.
    /// A field counts as required if every document has it that has the value around it. The entries of a dictionary are
    /// one field.
    package func fields(of group: Int) -> (outline: VersionOutline, counts: [DocumentPath: Int]) {
        var outline = VersionOutline()
        var counts: [DocumentPath: Int] = [:]
        var rest: [(same: [Int], path: DocumentPath, outerCount: Int)] = [([0], .root, 0)]
        while let (same, path, outerCount) = rest.popLast() {
            let documents = same.compactMap { places[$0].documents[group] }
            let count = documents.count == 1 ? documents[0].count : Set(documents.joined()).count
            guard count > 0 else { continue }
            if !path.isRoot {
                let kinds = same.flatMap { places[$0].kinds[group] ?? [] }.reduce(into: [NodeKind]()) { kinds, kind in
                    if !kinds.contains(kind) { kinds.append(kind) }
                }
                outline.fields.append(
                    VersionOutline.Field(
                        path: path, type: kinds.map(\.words).joined(separator: " or "), isRequired: count == outerCount,
                        allowsNull: false))
                counts[path] = count
            }
            var inside: [(component: DocumentPath.Component, same: [Int])] = []
            let isDictionary = same.contains { places[$0].isDictionary }
            var numbers: [DocumentPath.Component: Int] = [:]
            for (component, place) in same.flatMap({ places[$0].inside }) {
                let shown = isDictionary && component != .everyElement ? DocumentPath.Component.everyMember : component
                if let number = numbers[shown] {
                    inside[number].same.append(place)
                } else {
                    numbers[shown] = inside.count
                    inside.append((shown, [place]))
                }
            }
            for field in inside.reversed() { rest.append((field.same, path.appending(field.component), count)) }
        }
        return (outline, counts)
    }
}

extension NodeKind {
    /// The kind of a value in a word.
    fileprivate var words: String {
        switch self {
        case .object: "object"
        case .array: "list"
        case .string, .key: "text"
        case .number: "number"
        case .boolean: "true or false"
        case .null: "null"
        case .date: "date"
        case .data: "data"
        }
    }
}
