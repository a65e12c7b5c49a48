/// A path in which elements can also be selected by the value of a member: `$.pins[identity=swift-log].state.version`.
///
/// A path is a selector, too. A value with characters such as `]` is written in quotation marks.
package struct DocumentSelector: Hashable, Sendable {
    /// One component of a selector.
    package enum Component: Hashable, Sendable {
        /// A component of a path.
        case step(DocumentPath.Component)
        /// The element whose member has that value: a string, or the spelling of a number or a boolean.
        case element(member: String, value: String)

        /// The component of a path, or nil for a selected element.
        var step: DocumentPath.Component? { if case .step(let step) = self { step } else { nil } }
    }

    /// The components, outermost first.
    package let components: [Component]

    /// Whether an element is selected by its position, which can be that of another one in another state.
    package var hasPositions: Bool {
        components.contains { if case .step(.index) = $0 { true } else { false } }
    }

    /// Whether the selector stands for many values.
    package var hasPatterns: Bool { components.contains { $0.step?.isPattern ?? false } }
}

extension DocumentSelector: LosslessStringConvertible {
    /// The selector in the syntax that ``init(_:)-(String)`` reads.
    package var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .step(let step): text += step.text
            case .element(let member, let value):
                let name = DocumentPath.isWord(member) ? member : "'\(DocumentPath.escaped(member))'"
                let isPlain =
                    !value.isEmpty
                    && value.unicodeScalars.allSatisfy { $0 > " " && !"]'\"\\".unicodeScalars.contains($0) }
                text += "[\(name)=\(isPlain ? value : "'\(DocumentPath.escaped(value))'")]"
            }
        }
    }

    /// Reads a selector, or returns nil for any other text.
    package init?(_ text: String) {
        var scanner = DocumentPathScanner(text)
        guard let components = scanner.scanSelector() else { return nil }
        self.components = components
    }
}
