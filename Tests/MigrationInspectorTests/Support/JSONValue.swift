import Foundation
import TestSupport

/// A JSON value as Foundation reads it, so that what the program writes is read by somebody else.
enum JSONValue: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of a member; null where this is no object or has none of that name.
    subscript(key: String) -> JSONValue {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The element at a position; null where there is none.
    subscript(position: Int) -> JSONValue { elements.indices.contains(position) ? elements[position] : .null }

    /// The elements of an array; none where this is none.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The names of an object's members; none where this is no object.
    var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

    /// The text of a string; nil where this is none.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a whole number; nil where this is none.
    var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Reads JSON text.
    init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(Dictionary(members) { $1 }) }
}

extension ProgramRun {
    /// Standard output as one JSON value.
    func json() throws -> JSONValue { try JSONValue(output) }

    /// Standard output as a JSON value a line.
    func jsonLines() throws -> [JSONValue] { try lines.map { try JSONValue($0) } }
}
