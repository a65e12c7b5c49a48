import Foundation
import TestSupport

/// A JSON value as Foundation reads it, so that the program's output is read by another parser.
enum JSONValue: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of a member, or null if this isn't an object or has no member with that name.
    subscript(key: String) -> JSONValue {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The element at a position, or null if there is no such element.
    subscript(position: Int) -> JSONValue { elements.indices.contains(position) ? elements[position] : .null }

    /// The elements of an array, or no elements if this isn't an array.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The names of an object's members, or no names if this isn't an object.
    var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

    /// The text of a string, or `nil` if this isn't a string.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of an integer, or `nil` if this isn't one.
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

    /// Parses JSON text.
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
    /// Parses standard output as a single JSON value.
    func json() throws -> JSONValue { try JSONValue(output) }

    /// Parses each line of standard output as a JSON value.
    func jsonLines() throws -> [JSONValue] { try lines.map { try JSONValue($0) } }
}
