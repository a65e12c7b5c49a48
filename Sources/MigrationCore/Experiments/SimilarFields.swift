import DocumentModel

/// The same field elsewhere, whose values are the first to try as replacements.
struct SimilarFields: Sendable {
    let document: Document
    /// Other documents of the chain.
    var lenders: [Document] = []

    /// Returns the scalar values of the field, without duplicates, in other elements of the innermost array around it,
    /// and in other documents. A container is left out: its contents belong to another record, and it would pass for
    /// the wrong reason.
    func values(at path: DocumentPath) -> [DocumentNode] {
        var values: [DocumentNode] = []
        func add(_ value: DocumentNode?) {
            guard let value, !value.kind.isContainer, values.count < 8,
                !values.contains(where: { $0.isEqual(to: value) })
            else { return }
            values.append(value)
        }
        func addElements(_ array: DocumentNode?, _ rest: DocumentPath) {
            guard let array, array.kind == .array else { return }
            for element in array.elements where values.count < 4 { add(element.descendant(at: rest)) }
        }
        let components = path.components
        let position = components.lastIndex { if case .index = $0 { true } else { false } }
        if let position, position < components.count - 1 {
            let array = DocumentPath(Array(components[..<position]))
            let rest = DocumentPath(Array(components[(position + 1)...]))
            addElements(document.root.descendant(at: array), rest)
            for lender in lenders { addElements(lender.root.descendant(at: array), rest) }
        } else {
            for lender in lenders { add(lender.root.descendant(at: path)) }
        }
        return values
    }
}
