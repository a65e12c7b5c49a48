import DocumentModel

/// The scalar values of a document that experiments change, sorted by their field, then by position.
struct DocumentLeaves {
    /// A scalar value.
    struct Leaf {
        let node: DocumentNode
        let path: DocumentPath
        /// The number of the value's field.
        let field: Int
        /// The number of equal values before this one, so that each of them is changed differently.
        let duplicate: Int

        /// Whether the value is a member of an object.
        var isMember: Bool { path.lastKey != nil }
    }

    let all: [Leaf]
    /// All possible values of each field for which they are known to be few, such as the cases of an enum. Empty for
    /// other fields.
    let choices: [[Document]]
    /// Other values of each field, from siblings and from other documents.
    let relatives: [[DocumentNode]]
    /// The nulls and empty containers by field, with values to put there: those that other elements have there, and
    /// values of every kind.
    let empty: [(nodes: [DocumentNode], known: [Document], others: [Document])]
    /// Whether an object has duplicate names. Only the first member with a name is examined.
    let hasDuplicates: Bool

    /// The replacements to try for each value.
    private let values: [TrialValues]

    /// The maximum number of values for a field to take from siblings, and from each other document.
    private static let mostRelatives = 4
    /// How many values of each kind stand for those of all other fields.
    private static let mostOthers = 12
    /// The largest number of values whose fields lend each other values. In a larger document siblings lend enough, and
    /// each round of changes takes long.
    private static let largestLending = 1_000

    /// - Parameters:
    ///   - excluded: The values to leave out, with everything inside them. Paths may contain `[*]` for all elements.
    ///   - lenders: Documents of the same version, whose values can be tried.
    ///   - outline: The known fields of the version.
    init(
        of document: Document, except excluded: [DocumentPath], lenders: [Document] = [],
        outline: VersionOutline? = nil
    ) {
        let visitor = Visitor(excluded: excluded).visiting(document)
        var known: [ScalarKey: Int] = [:]
        all = visitor.found.enumerated().sorted { ($0.element.field, $0.offset) < ($1.element.field, $1.offset) }
            .map { _, found in
                let duplicate = Self.count(&known[ScalarKey(found.node), default: 0])
                return Leaf(node: found.node, path: found.path, field: found.field, duplicate: duplicate)
            }
        hasDuplicates = visitor.hasDuplicates
        var relatives = [[DocumentNode]](repeating: [], count: visitor.fields.count)
        func lend(_ found: [(node: DocumentNode, path: DocumentPath, field: Int)]) {
            var counts = [Int](repeating: 0, count: relatives.count)
            for (node, _, field) in found where field < relatives.count && counts[field] < Self.mostRelatives {
                if relatives[field].contains(where: { $0.isEqual(to: node) }) { continue }
                relatives[field].append(node)
                counts[field] += 1
            }
        }
        lend(visitor.found)
        for lender in lenders { lend(visitor.visiting(lender).found) }
        self.relatives = relatives
        // Values of each kind, whatever their field: one of them may be the key of a row elsewhere.
        var others: [NodeKind: [DocumentNode]] = [:]
        for (node, _, _) in visitor.found
        where visitor.found.count <= Self.largestLending && [.string, .number].contains(node.kind) {
            let known = others[node.kind] ?? []
            if known.count < Self.mostOthers, !known.contains(where: { $0.isEqual(to: node) }) {
                others[node.kind] = known + [node]
            }
        }
        empty = visitor.empty.sorted { $0.key < $1.key }.map { field, nodes in
            let known = document.root.values(along: nodes[0].path.foldingIndices).first {
                $0.kind.isContainer && !$0.isEmpty && (nodes[0].isNull || $0.kind == nodes[0].kind)
            }
            let alike = nodes[0].isNull ? relatives[field] : []
            let more = alike.prefix(1).flatMap { node in
                let values = TrialValues(for: node)
                return (0..<TrialValues.enough).compactMap { values[$0] }
            }
            let values = (alike + [known].compactMap(\.self)).map(Document.init(copying:)) + more
            return (nodes, values, Self.filled(nodes[0].kind))
        }
        var choices = [[Document]](repeating: [], count: visitor.fields.count)
        for leaf in all where choices[leaf.field].isEmpty {
            // A raw value may be a number.
            choices[leaf.field] = (outline?[leaf.path]?.choices ?? []).filter { $0.root.kind == leaf.node.kind }
        }
        self.choices = choices
        values = all.map { leaf in
            TrialValues(
                for: leaf.node, choices: choices[leaf.field], relatives: relatives[leaf.field],
                others: choices[leaf.field].isEmpty ? others[leaf.node.kind] ?? [] : [], duplicate: leaf.duplicate)
        }
    }

    /// Returns non-empty values of every kind. For an array, they have elements up to three levels deep.
    private static func filled(_ kind: NodeKind) -> [Document] {
        let scalars = TrialValues.ofEveryKind.filter { !$0.root.kind.isContainer }
        if kind == .object { return scalars.map { Document(object: [("a", $0.root)]) } }
        var found = kind == .array ? [] : scalars
        var level = scalars
        for _ in 0..<3 {
            level = level.map { Document(array: [$0.root]) }
            found += level
        }
        return found
    }

    /// Returns whether a value has so few alternatives that an equal one may come from elsewhere.
    func hasFewValues(_ leaf: Int) -> Bool { all[leaf].node.kind == .boolean || !choices[all[leaf].field].isEmpty }

    /// Returns the replacements to try for a value.
    func values(of leaf: Int) -> TrialValues { values[leaf] }

    /// Returns one of the replacements of a value, or nil if there are fewer.
    subscript(leaf: Int, number: Int) -> Document? { values(of: leaf)[number] }

    /// Returns whether a replacement of a leaf looks like the original, or occurs elsewhere in its field.
    func hasForm(_ leaf: Int, _ value: Document?) -> Bool {
        let own = all[leaf]
        // A value of another kind may affect only whether the element around it decodes.
        guard let value = value?.root, value.kind == own.node.kind else { return false }
        if !choices[own.field].isEmpty { return choices[own.field].contains { $0.root.isEqual(to: value) } }
        return own.node.form == value.form || relatives[own.field].contains { $0.isEqual(to: value) }
    }

    /// Returns the replacement of a value in a round. Values that cancel each other out do not change together in every
    /// round. The rounds up to ``TrialValues/preferredCount`` have all the preferred values, in another order for each
    /// field.
    func value(of leaf: Int, round: Int) -> Document? {
        let values = values(of: leaf)
        if round == 0 { return values[0] }
        let (preferred, field) = (values.preferredCount, all[leaf].field)
        return round < preferred
            ? values[1 + (round - 1 + field) % (preferred - 1)]
            : values[preferred + (round - preferred + field) % max(1, values.most - preferred)]
    }

    /// Increments a count and returns its old value.
    private static func count(_ number: inout Int) -> Int {
        defer { number += 1 }
        return number
    }

    private struct Visitor {
        private let excluded: [DocumentPath]
        /// The nodes at those paths in the document that is being visited.
        private var excludedNodes: Set<DocumentNode.ID> = []
        /// The numbers of fields and of containers, by the number of the container around them and their name there.
        /// The name is nil for elements, and for members of dictionaries.
        private(set) var fields: [Place: Int] = [:]
        private var containers: [Place: Int] = [:]
        private(set) var found: [(node: DocumentNode, path: DocumentPath, field: Int)] = []
        private(set) var empty: [Int: [DocumentNode]] = [:]
        private(set) var hasDuplicates = false

        struct Place: Hashable {
            let container: Int
            let name: ExactText?
        }

        init(excluded: [DocumentPath]) { self.excluded = excluded }

        /// Visits another document with the same numbering of fields.
        func visiting(_ document: Document) -> Visitor {
            var visitor = self
            visitor.found = []
            visitor.excludedNodes = document.root.ids(along: excluded)
            visitor.visit(document.root, .root)
            return visitor
        }

        private mutating func visit(
            _ node: DocumentNode, _ path: DocumentPath, at place: Place = Place(container: -1, name: nil)
        ) {
            if excludedNodes.contains(node.id) { return }
            if node.isNull || node.kind.isContainer && node.isEmpty {
                empty[Self.number(of: place, in: &fields), default: []].append(node)
            }
            guard node.kind.isContainer else {
                if !node.isNull { found.append((node, path, Self.number(of: place, in: &fields))) }
                return
            }
            let container = Self.number(of: place, in: &containers)
            let isRecord = node.kind == .object && !node.isDictionary
            var names: Set<ExactText> = []
            for child in node.children {
                let name = child.key?.string.map(ExactText.init)
                if let name, !names.insert(name).inserted {
                    hasDuplicates = true
                    continue
                }
                let own = Place(container: container, name: isRecord ? name : nil)
                visit(child.value, path.appending(child.component), at: own)
            }
        }

        private static func number(of place: Place, in numbers: inout [Place: Int]) -> Int {
            if let number = numbers[place] { return number }
            defer { numbers[place] = numbers.count }
            return numbers.count
        }
    }
}

/// A key that is the same for equal scalars.
struct ScalarKey: Hashable {
    private let kind: NodeKind
    private let text: String

    init(_ node: DocumentNode) {
        kind = node.kind
        text = node.string ?? node.numberText ?? node.boolean.map { "\($0)" } ?? ""
    }
}

extension Document {
    /// Returns the strings, numbers, and Booleans that another document does not contain at least as often as this one.
    ///
    /// - Parameter paths: The paths of values to leave out.
    package func values(notIn other: Document, except paths: [DocumentPath]) -> [DocumentNode] {
        func leaves(_ document: Document) -> [DocumentNode] {
            let excluded = Set(paths.compactMap { document.root.descendant(at: $0)?.id })
            return document.root.nodes.filter {
                !$0.kind.isContainer && ![.key, .null].contains($0.kind) && !excluded.contains($0.id)
            }
        }
        let own = leaves(self)
        let counts = Dictionary(own.map { (ScalarKey($0), 1) }, uniquingKeysWith: +)
        let others = Dictionary(leaves(other).map { (ScalarKey($0), 1) }, uniquingKeysWith: +)
        return own.filter { counts[ScalarKey($0), default: 0] > others[ScalarKey($0), default: 0] }
    }
}

extension DocumentNode {
    /// A key for strings or numbers that look alike: strings with letters, digits, and punctuation at the same
    /// positions, and numbers that are both whole and small, or both not.
    fileprivate var form: String {
        switch kind {
        case .string:
            String(
                String.UnicodeScalarView(
                    (string ?? "").unicodeScalars.map { $0.properties.isAlphabetic ? "a" : "0"..."9" ~= $0 ? "0" : $0 })
            )
        case .number: numberText.flatMap { Int32($0) } != nil ? "whole" : "fraction"
        default: "\(kind)"
        }
    }
}
