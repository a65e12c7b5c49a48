import DocumentModel
import TestSupport

/// A JSON value that can be changed at random and then written.
indirect enum RandomValue {
    case object([(name: String, value: RandomValue)])
    case array([RandomValue])
    case scalar(String)

    /// Names to trip over: escapes of JSON and of JSON Pointers, positions, two spellings of one character.
    static let names = [
        "", "~", "/", "0", "-", "~1", "a/b", "\u{E9}", "e\u{301}", "~\u{301}", "/\u{338}", "id", "name", "title", "a b",
        "日本", "👩‍👧", "\"",
        "\\n", "Name", "version", "10", "01",
    ]

    static let scalars = [
        "null", "true", "false", "0", "1", "1.0", "10e-1", "-0", "2", "100", "1e2", "9007199254740993",
        "9007199254740992",
        "\"\"", "\"a\"", "\"an epicure dining at Crewe\"", "\"an epicure dining in Crewe\"", "\"\u{E9}\"",
        "\"e\u{301}\"",
        "\"\\u00e9\"", "\"x\"", "{}", "[]", "\"2024-01-31\"", "3.25", "\"\\ud83d\\ude00\"",
    ]

    static func random(depth: Int, duplicates: Bool, using generator: inout SeededGenerator) -> RandomValue {
        let choice = Int.random(in: 0..<10, using: &generator)
        guard depth > 0, choice < 7 else { return .scalar(scalars.randomElement(using: &generator) ?? "0") }
        let count = Int.random(in: 0...6, using: &generator)
        let values = (0..<count).map { _ in random(depth: depth - 1, duplicates: duplicates, using: &generator) }
        guard choice < 4 else { return choice < 6 ? .array(values) : records(count: count, using: &generator) }
        var members: [(name: String, value: RandomValue)] = []
        for value in values {
            append((names.randomElement(using: &generator) ?? "", value), to: &members, duplicates: duplicates)
        }
        return .object(members)
    }

    /// Returns an array of objects that are identified by their ids, with unique values.
    private static func records(count: Int, using generator: inout SeededGenerator) -> RandomValue {
        .array(
            (0..<count).map { id in
                let word = String(generator.next() % 0xFFFF_FFFF, radix: 36)
                return .object([
                    ("id", .scalar("\(id)")), ("name", .scalar("\"name \(word)\"")),
                    ("note", .scalar("\"note \(word)\"")),
                    ("isOld", .scalar("true")),
                ])
            })
    }

    /// Takes a member out of an element of an array among `members`, and moves the element to another position.
    private static func takeMemberOutOfMovingElement(
        _ members: inout [(name: String, value: RandomValue)], using generator: inout SeededGenerator
    ) -> RandomValue? {
        for (place, member) in members.enumerated().shuffled(using: &generator) {
            guard case .array(var elements) = member.value,
                let element = elements.indices.randomElement(using: &generator),
                case .object(var fields) = elements[element],
                let field = fields.indices.dropFirst().randomElement(using: &generator)
            else { continue }
            let taken = fields.remove(at: field).value
            elements[element] = .object(fields)
            elements.insert(elements.remove(at: element), at: Int.random(in: 0...elements.count, using: &generator))
            members[place].value = .array(elements)
            return taken
        }
        return nil
    }

    private static func append(
        _ member: (name: String, value: RandomValue), to members: inout [(name: String, value: RandomValue)],
        duplicates: Bool
    ) {
        guard duplicates || !members.contains(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) else { return }
        members.append(member)
    }

    /// Returns the value with one change: an insertion, a deletion, a renaming, a replacement, a swap, a shuffle, a
    /// wrapping, or a value taken out of its container, which may itself move.
    func mutated(duplicates: Bool, using generator: inout SeededGenerator) -> RandomValue {
        switch self {
        case .scalar:
            return generator.chance(30)
                ? .object([("value", self)]) : .random(depth: 1, duplicates: duplicates, using: &generator)
        case .array(var elements):
            if !elements.isEmpty, generator.chance(60) {
                let position = elements.indices.randomElement(using: &generator) ?? 0
                elements[position] = elements[position].mutated(duplicates: duplicates, using: &generator)
                return .array(elements)
            }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: elements.shuffle(using: &generator)
            case 1 where !elements.isEmpty:
                elements.remove(at: Int.random(in: 0..<elements.count, using: &generator))
            case 2 where !elements.isEmpty:
                elements.append(elements.remove(at: Int.random(in: 0..<elements.count, using: &generator)))
            case 3: elements += elements
            default:
                elements.insert(
                    .random(depth: 2, duplicates: duplicates, using: &generator),
                    at: Int.random(in: 0...elements.count, using: &generator))
            }
            return .array(elements)
        case .object(var members):
            if !members.isEmpty, generator.chance(60) {
                let position = members.indices.randomElement(using: &generator) ?? 0
                members[position].value = members[position].value.mutated(duplicates: duplicates, using: &generator)
                return .object(members)
            }
            var inserted: (name: String, value: RandomValue)?
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: members.shuffle(using: &generator)
            case 5, 6:
                let name = "taken \(members.count)"
                if !members.contains(where: { $0.name == name }),
                    let taken = Self.takeMemberOutOfMovingElement(&members, using: &generator)
                {
                    members.insert((name, taken), at: 0)
                }
            case 1 where !members.isEmpty:
                members.remove(at: Int.random(in: 0..<members.count, using: &generator))
            case 2 where !members.isEmpty:
                let old = members.remove(at: Int.random(in: 0..<members.count, using: &generator))
                inserted = (Self.names.randomElement(using: &generator) ?? "", old.value)
            case 3 where members.count > 1:
                let value = members[0].value
                members[0].value = members[1].value
                members[1].value = value
            case 4 where !members.isEmpty:
                let old = members.remove(at: Int.random(in: 0..<members.count, using: &generator))
                let other = RandomValue.random(depth: 1, duplicates: duplicates, using: &generator)
                inserted = (Self.names.randomElement(using: &generator) ?? "", .array([other, old.value]))
            default:
                inserted = (
                    Self.names.randomElement(using: &generator) ?? "",
                    .random(depth: 2, duplicates: duplicates, using: &generator)
                )
            }
            if let inserted { Self.append(inserted, to: &members, duplicates: duplicates) }
            return .object(members)
        }
    }

    /// The value as JSON.
    var json: String {
        switch self {
        case .scalar(let text): text
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "\"") { text, scalar in
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        } + "\""
    }
}

/// Two random documents, most of them one made from the other with a few changes.
struct RandomPair {
    let old: String
    let new: String

    init(seed: UInt64, duplicates: Bool) {
        var generator = SeededGenerator(seed: seed)
        let value = RandomValue.random(depth: 5, duplicates: duplicates, using: &generator)
        old = value.json
        if generator.chance(15) {
            new = RandomValue.random(depth: 5, duplicates: duplicates, using: &generator).json
        } else {
            var changed = value
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                changed = changed.mutated(duplicates: duplicates, using: &generator)
            }
            new = changed.json
        }
    }
}
