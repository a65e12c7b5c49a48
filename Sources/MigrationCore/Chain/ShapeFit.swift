import DocumentModel

/// How well the fields of a version fit a document that does not decode: how many of the document's values are fields of
/// the version, with the kind of value that their type needs, less the required fields that the document lacks.
struct ShapeFit: Comparable {
    private var score = 0
    private let fields: [DocumentPath: VersionOutline.Field]
    /// The paths of the fields, and of everything around them.
    private var containers: Set<DocumentPath> = []
    private let strategies: DecodingStrategies

    init(of outline: VersionOutline, _ root: DocumentNode, _ strategies: DecodingStrategies) {
        fields = Dictionary(outline.fields.map { ($0.path, $0) }) { first, _ in first }
        self.strategies = strategies
        for field in outline.fields {
            var path = field.path.parent
            while let container = path, containers.insert(container).inserted { path = container.parent }
        }
        visit(root, .root)
        for field in outline.fields where field.isRequired && field.path.lastKey != nil {
            let around = field.path.parent.map { values(along: $0, in: root) } ?? []
            score -= around.count { $0.kind == .object && child(field.path.lastKey ?? "", of: $0) == nil }
        }
    }

    /// Returns how the fields of a chain's stages fit a document, newest first.
    ///
    /// - Parameters:
    ///   - fields: The fields of the stages, oldest first.
    ///   - observer: What observes the run. In an app nothing does, and the types see no made-up values there.
    static func all(
        of fields: [KeptFields], chain: String, _ root: DocumentNode, _ strategies: DecodingStrategies,
        for observer: any RunObserver
    ) -> [ShapeFit] {
        defer { observer.note(.detecting, stage: -1) }
        return fields.indices.inTrialOrder.map { index in
            ShapeFit(of: fields[index].outline(of: chain, stage: index, for: observer), root, strategies)
        }
    }

    static func < (left: ShapeFit, right: ShapeFit) -> Bool { left.score < right.score }
    static func == (left: ShapeFit, right: ShapeFit) -> Bool { left.score == right.score }

    /// The number of elements or members of a container that are visited.
    private static let sampleSize = 64

    private mutating func visit(_ node: DocumentNode, _ path: DocumentPath) {
        let inside = fields[path]
        if let inside, !path.isRoot {
            guard inside.mayBe(node, holdsFields: containers.contains(path)) else { return }
            score += 1
        }
        guard containers.contains(path) else { return }
        if node.kind == .array {
            let element = path.appending(.everyElement)
            for child in node.elements.prefix(Self.sampleSize) { visit(child, element) }
        } else {
            for member in node.members.prefix(Self.sampleSize) {
                let own = path.appending(key: strategies.fieldName(ofKey: member.name))
                let isField = fields[own] != nil || containers.contains(own)
                visit(member.value, isField ? own : path.appending(.everyMember))
            }
        }
    }

    private func child(_ name: String, of node: DocumentNode) -> DocumentNode? {
        node[name] ?? node.members.first { strategies.fieldName(ofKey: $0.name) == name }?.value
    }

    /// Returns the values at a folded path in the names of types.
    private func values(along path: DocumentPath, in root: DocumentNode) -> [DocumentNode] {
        path.components.reduce([root]) { nodes, component in
            nodes.flatMap { node -> [DocumentNode] in
                switch component {
                case .key(let name): [child(name, of: node)].compactMap(\.self)
                case .everyElement: Array(node.elements.prefix(Self.sampleSize))
                case .everyMember: node.members.prefix(Self.sampleSize).map(\.value)
                case .laterKey, .index: []
                }
            }
        }
    }
}

extension VersionOutline.Field {
    /// Returns whether a value has the kind that the type of the field decodes, as far as it is known.
    ///
    /// - Parameter holdsFields: Whether there are fields inside this one.
    fileprivate func mayBe(_ node: DocumentNode, holdsFields: Bool) -> Bool {
        if node.isNull { return allowsNull }
        guard let type else { return true }
        switch type {
        case "String": return node.kind == .string
        case "Bool": return node.kind == .boolean
        case "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32",
            "UInt64", "UInt128":
            return node.kind == .number
        case _ where type.hasPrefix("[") && !type.contains(":") || type.hasPrefix("Set<"): return node.kind == .array
        default: return !holdsFields || node.kind.isContainer || node.held != nil
        }
    }
}
