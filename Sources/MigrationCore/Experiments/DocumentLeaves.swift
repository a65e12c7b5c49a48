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
    /// Other values of each field, from its siblings and from other documents.
    let relatives: [[DocumentNode]]
    /// Whether the document holds values that no change of another one reaches: null, empty containers, and members
    /// after the first of their name.
    let hasOthers: Bool

    private let values = Values()

    /// How many values of siblings, and how many of each other document, stand for those of their field.
    private static let mostRelatives = 4

    /// - Parameters:
    ///   - excluded: Values that are not looked at, with what is inside them; elements of arrays may be folded.
    ///   - lenders: Documents of the same version, which lend their values.
    init(of document: Document, except excluded: Set<DocumentPath>, lenders: [Document] = []) {
        var visitor = Visitor(excluded: excluded)
        visitor.visit(document.root, .root, .root)
        var known: [ScalarKey: Int] = [:]
        all = visitor.found.enumerated().sorted { ($0.element.field, $0.offset) < ($1.element.field, $1.offset) }
            .map { _, found in
                let duplicate = known[ScalarKey(found.node), default: 0]
                known[ScalarKey(found.node)] = duplicate + 1
                return Leaf(node: found.node, path: found.path, field: found.field, duplicate: duplicate)
            }
        hasOthers = visitor.hasOthers
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
        for lender in lenders {
            var lending = Visitor(excluded: excluded, fields: visitor.fields)
            lending.visit(lender.root, .root, .root)
            lend(lending.found)
        }
        self.relatives = relatives
    }

    /// The values to put in place of one.
    func values(of leaf: Int) -> TrialValues {
        if let known = values.known[leaf] { return known }
        let own = all[leaf]
        let made = TrialValues(for: own.node, relatives: relatives[own.field], duplicate: own.duplicate)
        values.known[leaf] = made
        return made
    }

    /// The values that were asked for.
    private final class Values {
        var known: [Int: TrialValues] = [:]
    }

    private struct Visitor {
        let excluded: Set<DocumentPath>
        /// The numbers of the fields, whose paths have `*` in place of positions, and of names in dictionaries.
        var fields: [DocumentPath: Int] = [:]
        var found: [(node: DocumentNode, path: DocumentPath, field: Int)] = []
        var hasOthers = false

        mutating func visit(_ node: DocumentNode, _ path: DocumentPath, _ folded: DocumentPath) {
            if excluded.contains(path) || excluded.contains(path.foldingIndices) { return }
            guard node.kind.isContainer else {
                if node.isNull {
                    hasOthers = true
                } else {
                    let field = fields[folded] ?? fields.count
                    fields[folded] = field
                    found.append((node, path, field))
                }
                return
            }
            if node.isEmpty { hasOthers = true }
            let isDictionary = node.isDictionary
            var names: Set<ExactText> = []
            for child in node.children {
                if let name = child.key?.string, !names.insert(ExactText(name)).inserted {
                    hasOthers = true
                    continue
                }
                let step = node.kind == .array || isDictionary ? .everyElement : child.component
                visit(child.value, path.appending(child.component), folded.appending(step))
            }
        }
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
