import DocumentModel
import Foundation
import TestSupport
import Testing

/// Documents that were valid once, with one or two of their values replaced.
@Suite("Decoding documents with errors anywhere")
struct RandomisedDecodingTests {
    struct Everything: Codable {
        var person: Person
        var shape: Shape
        var wide: WideNumbers
        var dates: [String: Date]
        var blob: Data?
        var pairs: [Int: [Season: Double]]
        var nested: [Nested?]
        var dog: Dog
        var url: URL?
        var amount: Decimal
        var levels: Set<Level>
    }

    /// Dictionaries have only one member, because JSONDecoder reports any of several errors.
    static var right: Everything {
        Everything(
            person: Person(
                name: "A", age: 1, email: "e", isMember: true, score: 0.5, tags: ["x", "y"],
                home: .init(street: "S", number: 1)),
            shape: .polygon([1, 2], closed: true),
            wide: WideNumbers(
                int8: 1, uint: 2, uint64: 3, float: 4, double: 5, bool: true, string: "s", int: 6, int128: 7),
            dates: ["a": Date(timeIntervalSinceReferenceDate: 1)],
            blob: Data([1, 2, 3]), pairs: [1: [.spring: 1]],
            nested: [Nested(title: "T", numbers: [1, 2], deep: 1), nil], dog: Dog(legs: 4, name: "D"),
            url: URL(string: "http://x"), amount: 1.5, levels: [.low, .high])
    }

    static let replacements = [
        "null", "true", "0", "-1", "256", "1.5", "1e400", "9007199254740993", "\"x\"", "\"\"", "[]", "{}", "[null]",
        "{\"a\":1}", "[1,\"x\"]",
    ]

    @Test("two thousand documents decode or fail as with JSONDecoder", arguments: 0..<4)
    func wrongValues(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let document = try DocumentEncoder().encode(Self.right)
        for _ in 0..<500 {
            let count = Int.random(in: 1...2, using: &random)
            let targets = Set((0..<count).compactMap { _ in document.root.nodes.indices.randomElement(using: &random) })
            let text = try write(document.root, replacing: targets, &random)
            let ours = Outcome { try DocumentDecoder().decode(Everything.self, from: Document(json: text).root) }
            let foundation = Outcome { try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) }
            #expect(ours == foundation, "\(text)")
        }
    }

    /// Returns the text of `node` with the values at `targets` replaced, and with members removed, repeated or
    /// renamed if their key is a target.
    private func write(_ node: DocumentNode, replacing targets: Set<DocumentNode.ID>, _ random: inout SeededGenerator)
        throws
        -> String
    {
        if targets.contains(node.id) { return Self.replacements.randomElement(using: &random) ?? "null" }
        switch node.kind {
        case .object:
            var members: [String] = []
            for member in node.members {
                let value = try write(member.value, replacing: targets, &random)
                let text = "\(member.name.debugDescription):\(value)"
                guard targets.contains(member.key.id) else {
                    members.append(text)
                    continue
                }
                switch Int.random(in: 0..<3, using: &random) {
                case 0: members += [text, "\(member.name.debugDescription):null"]
                case 1: members.append("\"other\":\(value)")
                default: break
                }
            }
            return "{\(members.joined(separator: ","))}"
        case .array:
            return "[\(try node.elements.map { try write($0, replacing: targets, &random) }.joined(separator: ","))]"
        default: return JSONWriter().string(node)
        }
    }
}
