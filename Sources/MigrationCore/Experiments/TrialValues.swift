import DocumentModel
import Foundation

/// The values that an experiment puts in place of one: others of its kind, of different sizes and forms.
struct TrialValues {
    /// The same field of other records of the document, which are tried first.
    var relatives: [DocumentNode] = []

    /// The values to try in place of `node`, in their order, each once, and none that is equal to it.
    func values(for node: DocumentNode) -> [Document] {
        let own =
            switch node.kind {
            case .number: Self.numbers(beside: node)
            case .string: Self.texts(beside: node.string ?? "")
            case .boolean: ["true", "false"].compactMap(Self.document)
            case .array: Self.arrays(of: node)
            case .date:
                ["1970-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "2024-02-29T12:00:00Z", "2100-01-01T00:00:00Z"]
                    .compactMap { Self.document("{\"$date\":\"\($0)\"}") }
            case .data: ["", "AA==", "AAECAw=="].compactMap { Self.document("{\"$data\":\"\($0)\"}") }
            case .object, .null, .key: [Document]()
            }
        let all = relatives.filter { $0.kind == node.kind }.map(Document.init(copying:)) + own
        var values: [Document] = []
        for value in all
        where !value.root.isEqual(to: node) && !values.contains(where: { $0.root.isEqual(to: value.root) }) {
            values.append(value)
        }
        return values
    }

    /// The same value as one of another kind: the number that a text spells, the text of a number, the one element of an
    /// array, an array of it alone.
    static func conversions(of node: DocumentNode) -> [Document] {
        let alone = [Document(array: [node])]
        switch node.kind {
        case .string:
            let spelled = document((node.string ?? "").trimmingCharacters(in: .whitespaces))
            return [spelled].compactMap(\.self).filter { [.number, .boolean].contains($0.root.kind) } + alone
        case .number, .boolean:
            let text = node.numberText ?? node.boolean.map { "\($0)" }
            return [text].compactMap(\.self).map(Document.init(text:)) + alone
        case .array: return node.count == 1 ? node.elements.map(Document.init(copying:)) : []
        case .object: return alone
        default: return []
        }
    }

    /// A few values of each kind, for where it is not known which is wanted.
    static let ofEveryKind = [
        "\"a\"", "0", "[]", "{}", "false", "\"\"", "1", "true", "\"12\"", "\"2024-01-31\"", "0.5",
    ]
    .compactMap(document)

    /// A value written as JSON.
    static func document(_ text: String) -> Document? { try? Document(parsing: SourceBytes(text)) }

    private static func numbers(beside node: DocumentNode) -> [Document] {
        var texts = ["0", "1", "-1", "2", "10", "100"]
        if let text = node.numberText {
            if let number = Int(text) {
                let (double, isTooLarge) = number.multipliedReportingOverflow(by: 2)
                texts += ["\(number / 2)"] + (isTooLarge ? [] : ["\(double)"])
            } else if let number = Double(text), number.isFinite, (number * 2).isFinite {
                texts += ["\(number / 2)", "\(number * 2)"]
            }
        }
        return (texts + ["0.5"]).compactMap(document)
    }

    private static func texts(beside text: String) -> [Document] {
        let forms = [
            "", "a", "word", "two words", "12", "2024-01-31", "2024-01-31T12:00:00Z",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "https://example.com/a",
            text.trimmingCharacters(in: .whitespacesAndNewlines), text.uppercased(), text.lowercased(),
        ]
        return forms.map(Document.init(text:))
    }

    private static func arrays(of node: DocumentNode) -> [Document] {
        let elements = Array(node.elements)
        return [Array(elements.prefix(1)), elements + elements].map { Document(array: $0) }
    }
}
