import DisplayText
import DocumentModel
import Foundation
import MigrationCore

/// Short descriptions of values on one line.
enum ValueText {
    /// Returns a value on one line: a scalar as JSON writes it, or the beginning of a container. Reads no more of the
    /// document than about `budget` characters.
    static func runs(_ node: DocumentNode, budget: Int = 200) -> [StyledText] {
        var writer = Writer(room: budget)
        writer.write(node)
        return writer.runs + (node.heldWords.map { [StyledText(" \($0)", .dim)] } ?? [])
    }

    /// Returns the size of a container: `{3}`, `[12]`, or `[10,000+]` if there are more than that.
    static func size(_ node: DocumentNode) -> String {
        let brackets = node.kind == .object ? ("{", "}") : ("[", "]")
        let size = brackets.0 + (node.isEmpty ? "" : count(node)) + brackets.1
        return size + (node.heldWords.map { " \($0)" } ?? "")
    }

    /// Returns the number of members or elements, counting only up to a limit.
    private static func count(_ node: DocumentNode) -> String {
        let most = 10_000
        let children = node.children.lazy.prefix(most + 1).reduce(0) { count, _ in count + 1 }
        return children <= most ? NumberWords.grouped(children) : NumberWords.grouped(most) + "+"
    }

    /// The limit on how much of a string is read to show one line of it, in bytes.
    static let longestString = 4096

    /// Writes values until there is no more room.
    private struct Writer {
        var room: Int
        var runs: [StyledText] = []

        mutating func write(_ node: DocumentNode) {
            switch node.kind {
            case .object: writeContainer(node, "{", "}")
            case .array: writeContainer(node, "[", "]")
            case .string, .key: put(quoted(node), .string)
            case .number: put(node.numberText ?? "", .number)
            case .boolean: put(node.boolean == true ? "true" : "false", .literal)
            case .null: put("null", .literal)
            case .date: put(node.date?.formatted(.iso8601) ?? "", .literal)
            case .data: writeData(node)
            }
        }

        private mutating func writeContainer(_ node: DocumentNode, _ start: String, _ end: String) {
            put(start, .punctuation)
            for child in node.children {
                if child.ordinal > 0 { put(", ", .punctuation) }
                guard room > 0 else { break }
                if let key = child.key {
                    put(key.beginning(limit: 400)?.text ?? "", .key)
                    put(": ", .punctuation)
                }
                write(child.value)
            }
            put(end, .punctuation)
        }

        private func quoted(_ node: DocumentNode) -> String {
            let limit = min(ValueText.longestString, max(16, room * 4))
            guard let beginning = node.beginning(limit: limit) else { return "" }
            return "\"" + beginning.text + (beginning.isWhole ? "\"" : "")
        }

        private mutating func writeData(_ node: DocumentNode) {
            let data = node.data ?? Data()
            let digits = data.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            put("<\(digits.joined())\(data.count > 16 ? "..." : "")>", .literal)
            put(" \(NumberWords.grouped(data.count)) bytes", .dim)
            if node.seemsToHoldDocument, let held = node.held, held.document.isKeyedArchive {
                put(", \(Reason.archiveWords(type: held.document.archivedClass))", .dim)
            }
        }

        private mutating func put(_ text: String, _ style: Style) {
            runs.append(StyledText(text, style))
            room -= text.utf8.count
        }
    }
}
