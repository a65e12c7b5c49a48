import DocumentModel
import Foundation

/// A document with a random token of twelve letters or digits in every value that may be redacted, also in documents
/// inside values.
package struct PlantedTokens {
    package let document: Document
    package private(set) var tokens: [String] = []

    /// - Parameter kept: The paths of values that stay as they are.
    package init(in original: Document, except kept: [DocumentPath] = [], seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var tokens: [String] = []
        var edits: [DocumentEdit] = []
        func visit(_ node: DocumentNode, _ path: DocumentPath) throws {
            if kept.contains(path) { return }
            var value: Document?
            switch node.kind {
            case .string where node.held == nil:
                let token = Self.token(&generator)
                tokens.append(token)
                value = Document(text: edits.count.isMultiple(of: 2) ? token : "\(node.string ?? "") \(token)")
            case .number:
                tokens.append(Self.number(&generator))
                value = try Document(json: tokens[tokens.count - 1])
            case .data where node.held == nil:
                var builder = DocumentBuilder()
                builder.data(Data(Self.token(&generator).utf8))
                let data = builder.finish(format: .plistBinary)
                // Reports and files write data in base64.
                tokens.append(data.root.data?.base64EncodedString() ?? "")
                value = data
            default: break
            }
            if let value { edits.append(.set(path, value)) }
            var steps: [(DocumentPath.Component, DocumentNode)] = []
            (node.held?.document.root ?? node).forEachStep { steps.append(($0, $1)) }
            for (component, child) in steps { try visit(child, path.appending(component)) }
        }
        try visit(original.root, .root)
        document = try original.applying(edits)
        self.tokens = tokens
    }

    /// A random token of twelve letters and digits.
    package static func token(_ generator: inout SeededGenerator) -> String {
        let signs = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return String((0..<12).map { _ in signs[Int.random(in: signs.indices, using: &generator)] })
    }

    private static func number(_ generator: inout SeededGenerator) -> String {
        "\(Int.random(in: 100_000_000_000...999_999_999_999, using: &generator))"
    }

    /// Returns the tokens of which a run of characters is in a text, in any case.
    ///
    /// - Parameters:
    ///   - length: The length of a run.
    ///   - digits: The length of a run of a number. Random numbers share short runs by chance.
    package func found(in text: String, length: Int = 6, digits: Int = 6) -> [String] {
        let text = text.lowercased()
        return tokens.filter { token in
            let characters = Array(token.lowercased())
            let length = characters.allSatisfy(\.isNumber) ? digits : length
            return (0...max(0, characters.count - length)).contains {
                text.contains(String(characters[$0..<min(characters.count, $0 + length)]))
            }
        }
    }
}
