import DocumentModel

/// The scalar values of a document that experiments change, sorted by the field that they belong to, then by position.
struct DocumentLeaves {
    /// One of the values.
    struct Leaf {
        let node: DocumentNode
        let path: DocumentPath
        /// The number of its field.
        let field: Int
        /// How many values of the document that are equal to this one come before it, so that each is changed otherwise.
        let duplicate: Int

        /// Whether it is a member of an object.
        var isMember: Bool { path.lastKey != nil }
    }

    let all: [Leaf]
    /// Of each field whose values are known to be a few, such as the cases of an enum, all of them; else none.
    let choices: [[Document]]
    /// Other values of each field, from its siblings and from other documents.
    let relatives: [[DocumentNode]]
    /// Where null or an empty container stands, by the field that it belongs to, and what to put there: what other elements
    /// have there, and values of every kind.
    let empty: [(nodes: [DocumentNode], known: [Document], others: [Document])]
    /// Whether the document holds members after the first of their name, which are not looked at.
    let hasDuplicates: Bool

    private let values: Values
    /// Values of the document of each kind, whatever their field: one of them may be the key of a row elsewhere.
    private let others: [NodeKind: [DocumentNode]]

    /// How many values of siblings, and how many of each other document, stand for those of their field.
    private static let mostRelatives = 4
    /// How many values of each kind stand for those of all other fields.
    private static let mostOthers = 12

    /// - Parameters:
    ///   - excluded: Values that are not looked at, with what is inside them; any position may stand for all elements.
    ///   - lenders: Documents of the same version, which lend their values.
    ///   - outline: What is known of the fields of the version.
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
        values = Values(count: all.count)
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
        var others: [NodeKind: [DocumentNode]] = [:]
        for (node, _, _) in visitor.found where [.string, .number].contains(node.kind) {
            let known = others[node.kind] ?? []
            if known.count < Self.mostOthers, !known.contains(where: { $0.isEqual(to: node) }) {
                others[node.kind] = known + [node]
            }
        }
        self.others = others
        empty = visitor.empty.sorted { $0.key < $1.key }.map { field, nodes in
            let known = document.root.values(along: nodes[0].path.foldingIndices).first {
                $0.kind.isContainer && !$0.isEmpty && (nodes[0].isNull || $0.kind == nodes[0].kind)
            }
            let alike = nodes[0].isNull ? relatives[field] : []
            let values = (alike + [known].compactMap(\.self)).map(Document.init(copying:))
            return (nodes, values, Self.filled(nodes[0].kind))
        }
        var choices = [[Document]](repeating: [], count: visitor.fields.count)
        for leaf in all where choices[leaf.field].isEmpty {
            // A raw value may be a number.
            choices[leaf.field] = outline?[leaf.path]?.choices(like: leaf.node) ?? []
        }
        self.choices = choices
    }

    /// Values of every kind that hold something, for an array with elements three levels deep.
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

    /// Whether a value has so few others that one may arrive from elsewhere in place of it.
    func hasFewValues(_ leaf: Int) -> Bool { all[leaf].node.kind == .boolean || !choices[all[leaf].field].isEmpty }

    /// The values to put in place of one.
    func values(of leaf: Int) -> TrialValues {
        if let made = values.known[leaf] { return made }
        let own = all[leaf]
        let made = TrialValues(
            for: own.node, choices: choices[own.field], relatives: relatives[own.field],
            others: choices[own.field].isEmpty ? others[own.node.kind] ?? [] : [], duplicate: own.duplicate)
        values.known[leaf] = made
        return made
    }

    /// Whether another value of a leaf is written as the one that is there, or stands elsewhere in its field.
    func hasForm(_ leaf: Int, _ value: Document?) -> Bool {
        let own = all[leaf]
        // A value of another kind may only decide whether the element around it decodes.
        guard let value = value?.root, value.kind == own.node.kind else { return false }
        if !choices[own.field].isEmpty { return choices[own.field].contains { $0.root.isEqual(to: value) } }
        return own.node.form == value.form || relatives[own.field].contains { $0.isEqual(to: value) }
    }

    /// What one is changed to in a round. Values that cancel each other out do not move together in every round.
    func value(of leaf: Int, round: Int) -> Document? {
        let values = values(of: leaf)
        return values[(round + (round > 0 ? all[leaf].field : 0)) % values.most]
    }

    /// The values that were asked for.
    private final class Values {
        var known: [TrialValues?]

        init(count: Int) { known = Array(repeating: nil, count: count) }
    }

    /// Counts one more, and says how many there were.
    private static func count(_ number: inout Int) -> Int {
        defer { number += 1 }
        return number
    }

    private struct Visitor {
        private let excluded: [DocumentPath]
        /// Those that the paths lead to in the document that is visited.
        private var excludedNodes: Set<DocumentNode.ID> = []
        /// The numbers of the fields, and those of containers: of each, that of the container it is in, and its name there;
        /// none for elements, and for members of dictionaries.
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

        /// Looks at another document, with the numbers of this one.
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

extension VersionOutline.Field {
    /// The values that the field may have, where these are known: texts or numbers, as the one that is there.
    fileprivate func choices(like node: DocumentNode) -> [Document] {
        choices.compactMap { node.kind == .string ? Document(text: $0) : TrialValues.document($0) }
            .filter { $0.root.kind == node.kind }
    }
}

/// What equal scalars have in common.
struct ScalarKey: Hashable {
    private let kind: NodeKind
    private let text: String

    init(_ node: DocumentNode) {
        kind = node.kind
        text = node.string ?? node.numberText ?? node.boolean.map { "\($0)" } ?? ""
    }
}

extension Document {
    /// Whether another document has all texts, numbers and Booleans of this one somewhere, each as often.
    ///
    /// - Parameter paths: Where values are that are left out.
    package func isContained(in other: Document, except paths: [DocumentPath]) -> Bool {
        func counts(_ document: Document) -> [ScalarKey: Int] {
            let excluded = Set(paths.compactMap { document.root.descendant(at: $0)?.id })
            let leaves = document.root.nodes.filter {
                !$0.kind.isContainer && ![.key, .null].contains($0.kind) && !excluded.contains($0.id)
            }
            return Dictionary(leaves.map { (ScalarKey($0), 1) }, uniquingKeysWith: +)
        }
        let others = counts(other)
        return counts(self).allSatisfy { $0.value <= others[$0.key, default: 0] }
    }
}

extension DocumentNode {
    /// What texts, and numbers, have in common that are written alike: letters, digits and signs at the same places; of numbers
    /// only whether they are whole and small.
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
