extension DocumentSelector {
    /// The result of looking for the value in a document.
    package enum Match: Sendable {
        case found(DocumentNode)
        case missing
        /// This many elements have the value of a member.
        case several(Int)
    }

    /// Creates the selector of a value, with the identity of each element in place of its position if the elements have
    /// one.
    package init(of node: DocumentNode) {
        var container = node.document.root
        components = node.document.children(leadingTo: node.id).map { child in
            defer { container = child.value }
            guard child.key == nil, let member = container.identifyingMember, let value = child.value[member]?.selected
            else { return .step(DocumentPath.Component(to: child, in: container)) }
            return .element(member: member, value: value)
        }
    }

    /// Looks for the value in a document.
    package func match(in root: DocumentNode) -> Match {
        var node = root
        for component in components {
            switch component {
            case .step(let step):
                guard let child = node.child(at: step.placed(in: node)) else { return .missing }
                node = child
            case .element(let member, let value):
                let elements = node.elements.filter { $0[member]?.isSelected(by: value) == true }
                guard let element = elements.first else { return .missing }
                if elements.count > 1 { return .several(elements.count) }
                node = element
            }
        }
        return .found(node)
    }
}

extension DocumentNode {
    /// The value as a selector spells it, or nil for null, dates, data and containers.
    fileprivate var selected: String? { string ?? numberText ?? boolean.map { $0 ? "true" : "false" } }

    fileprivate func isSelected(by value: String) -> Bool {
        selected.map { ExactText($0) == ExactText(value) } ?? false
    }

    /// The member that identifies the elements of an array: the first of ``ElementAlignment/identifyingNames`` that all
    /// of them have, each with a different string or number. Nil if there is none, or an element isn't an object.
    package var identifyingMember: String? {
        guard kind == .array, self[0]?.kind == .object else { return nil }
        return ElementAlignment.identifyingNames.first { name in
            var seen: Set<ExactText> = []
            return elements.allSatisfy { element in
                guard let value = element[name], [.string, .number].contains(value.kind), let text = value.selected
                else { return false }
                return seen.insert(ExactText(text)).inserted
            }
        }
    }
}
