import Foundation
import TestSupport
import Testing

@testable import DocumentModel

/// Values that encode themselves in every way that types can, compared with Foundation's encoders.
@Suite("Randomized encoding")
struct RandomizedEncodingTests {
    /// A value that encodes itself in one of the many ways in which types can.
    private indirect enum Value: Encodable {
        case null
        case integer(Int)
        case real(Double)
        case text(String)
        case boolean(Bool)
        case date, data, nothing
        case document(Document)
        case array([Value])
        case object([(String, Value)])
        case dictionary([String: Value])
        /// In a container inside that of the array or object.
        case nestedArray([Value])
        case nestedObject([(String, Value)])
        /// Through a single value container.
        case alone(Value)
        /// Into two containers in turn.
        case byTurns([(String, Value)])
        /// The object's members through containers that are requested again.
        case inParts([(String, Value)])
        case superclass([(String, Value)])
        /// Through super encoders that are kept while other members and elements are encoded.
        case superclasses([Value])
        /// Dictionaries whose keys aren't strings.
        case numbered([Int: Value])
        case keyed([Suit: Value])
        /// In containers that stay empty.
        case empty(Int)
        case counted([Value])
        /// With the path that the encoder reports.
        case pathed(Value)
        /// With a member that cannot be encoded, before or after it has begun, and with others after it.
        case swallowed([(String, Value)], begins: Bool)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .null: try encodeAlone(to: encoder) { try $0.encodeNil() }
            case .integer(let value): try encodeAlone(to: encoder) { try $0.encode(value) }
            case .real(let value): try encodeAlone(to: encoder) { try $0.encode(value) }
            case .text(let value): try encodeAlone(to: encoder) { try $0.encode(value) }
            case .boolean(let value): try encodeAlone(to: encoder) { try $0.encode(value) }
            case .date: try encodeAlone(to: encoder) { try $0.encode(Date(timeIntervalSinceReferenceDate: 1.5)) }
            case .data: try encodeAlone(to: encoder) { try $0.encode(Data([1, 2])) }
            case .nothing: break
            case .document(let document): try document.encode(to: encoder)
            case .array(let elements):
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(element) }
            case .object(let members): try Self.encode(members, to: encoder)
            case .dictionary(let members): try encodeAlone(to: encoder) { try $0.encode(members) }
            case .nestedArray(let elements):
                var container = encoder.unkeyedContainer()
                var nested = container.nestedUnkeyedContainer()
                for element in elements { try nested.encode(element) }
                try container.encode(elements.count)
                var objects = container.nestedContainer(keyedBy: PathCodingKey.self)
                for (number, element) in elements.enumerated() {
                    try objects.encode(element, forKey: PathCodingKey("\(number)"))
                }
            case .nestedObject(let members):
                var container = encoder.container(keyedBy: PathCodingKey.self)
                var nested = container.nestedContainer(keyedBy: PathCodingKey.self, forKey: PathCodingKey("in"))
                for (name, value) in members { try nested.encode(value, forKey: PathCodingKey(name)) }
                var elements = container.nestedUnkeyedContainer(forKey: PathCodingKey("list"))
                for (_, value) in members { try elements.encode(value) }
            case .alone(let value): try encodeAlone(to: encoder) { try $0.encode(value) }
            case .byTurns(let members):
                var container = encoder.container(keyedBy: PathCodingKey.self)
                var first = container.nestedContainer(keyedBy: PathCodingKey.self, forKey: PathCodingKey("one"))
                var second = container.nestedUnkeyedContainer(forKey: PathCodingKey("two"))
                for (name, value) in members {
                    try first.encode(value, forKey: PathCodingKey(name))
                    try second.encode(value)
                }
            case .inParts(let members):
                for (position, member) in members.enumerated() {
                    guard position % 2 == 1 else {
                        try Self.encode([member], to: encoder)
                        continue
                    }
                    var container = encoder.container(keyedBy: OtherKey.self)
                    try container.encode(member.1, forKey: OtherKey(stringValue: member.0))
                }
            case .superclass(let members):
                var container = encoder.container(keyedBy: PathCodingKey.self)
                try Self.encode(members, to: container.superEncoder())
                try container.encode(1, forKey: PathCodingKey("own"))
            case .superclasses(let elements):
                var container = encoder.container(keyedBy: PathCodingKey.self)
                let member = container.superEncoder(forKey: PathCodingKey("kept"))
                var list = container.nestedUnkeyedContainer(forKey: PathCodingKey("list"))
                for element in elements {
                    let kept = list.superEncoder()
                    try list.encode(1)
                    try element.encode(to: kept)
                }
                try container.encode(elements.count, forKey: PathCodingKey("count"))
                for (position, element) in elements.enumerated() {
                    var object = member.container(keyedBy: PathCodingKey.self)
                    try object.encode(element, forKey: PathCodingKey("\(position)"))
                }
            case .numbered(let members): try encodeAlone(to: encoder) { try $0.encode(members) }
            case .keyed(let members): try encodeAlone(to: encoder) { try $0.encode(members) }
            case .empty(0): _ = encoder.container(keyedBy: PathCodingKey.self)
            case .empty(1): _ = encoder.unkeyedContainer()
            case .empty(2):
                var container = encoder.unkeyedContainer()
                _ = container.nestedUnkeyedContainer()
                _ = container.superEncoder()
                _ = container.nestedContainer(keyedBy: PathCodingKey.self)
            case .empty:
                var container = encoder.container(keyedBy: PathCodingKey.self)
                _ = container.nestedContainer(keyedBy: PathCodingKey.self, forKey: PathCodingKey("object"))
                _ = container.nestedUnkeyedContainer(forKey: PathCodingKey("array"))
                _ = container.superEncoder()
                _ = container.nestedContainer(keyedBy: OtherKey.self, forKey: PathCodingKey("object"))
            case .counted(let elements):
                var container = encoder.unkeyedContainer()
                for element in elements {
                    try container.encode(element)
                    try container.encode(container.count)
                }
            case .swallowed(let members, let begins):
                var container = encoder.container(keyedBy: PathCodingKey.self)
                try? container.encode(Thrower(begins: begins), forKey: PathCodingKey("lost"))
                for (name, value) in members { try container.encode(value, forKey: PathCodingKey(name)) }
                var list = container.nestedUnkeyedContainer(forKey: PathCodingKey("swallowed list"))
                try? list.encode(Thrower(begins: begins))
                try list.encode(list.count)
            case .pathed(let value):
                var container = encoder.container(keyedBy: OtherKey.self)
                try container.encode(encoder.codingPath.map(\.stringValue), forKey: OtherKey(stringValue: "at"))
                try container.encode(value, forKey: OtherKey(stringValue: "value"))
            }
        }

        private static func encode(_ members: [(String, Value)], to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathCodingKey.self)
            for (name, value) in members { try container.encode(value, forKey: PathCodingKey(name)) }
        }

        private func encodeAlone(
            to encoder: any Encoder, _ body: (inout any SingleValueEncodingContainer) throws -> Void
        ) throws {
            var container = encoder.singleValueContainer()
            try body(&container)
        }
    }

    private enum Suit: String, Encodable, CaseIterable { case hearts, spades }

    private struct Thrower: Encodable {
        let begins: Bool

        func encode(to encoder: any Encoder) throws {
            if begins {
                var container = encoder.container(keyedBy: PathCodingKey.self)
                try container.encode(1, forKey: PathCodingKey("a"))
            }
            throw CancellationError()
        }
    }

    /// Keys of another type, whose containers come between those of the first.
    private struct OtherKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let names = [
        "a", "b", "version", "é", "e\u{301}", "K", "\u{212A}", "a longer name than sixteen bytes", "日本", "",
    ]

    private func value(depth: Int, _ random: inout SeededGenerator) throws -> Value {
        func values() throws -> [Value] {
            try (0..<Int.random(in: 0...3, using: &random)).map { _ in try value(depth: depth - 1, &random) }
        }
        func members() throws -> [(String, Value)] {
            try values().map { (Self.names.randomElement(using: &random) ?? "", $0) }
        }
        switch Int.random(in: 0..<(depth > 0 ? 28 : 9), using: &random) {
        case 0: return .null
        case 1: return .integer(Int.random(in: -300...300, using: &random))
        case 2: return .real(Double.random(in: -1...1, using: &random))
        case 3: return .text(Self.names.randomElement(using: &random) ?? "")
        case 4: return .boolean(true)
        case 5: return .date
        case 6: return .data
        case 7: return .nothing
        case 8: return .document(try Document(json: #"{"x":[1,1.50,{"x":null,"y":2}]}"#))
        case 9, 10: return .array(try values())
        case 11, 12, 13: return .object(try members())
        case 14, 15: return .dictionary(Dictionary(try members()) { $1 })
        case 16: return .nestedArray(try values())
        case 17: return .nestedObject(try members())
        case 18: return .alone(try value(depth: depth - 1, &random))
        case 19: return .byTurns(try members())
        case 20: return .inParts(try members())
        case 21: return .pathed(try value(depth: depth - 1, &random))
        // After an error inside a container, JSONEncoder keeps what the container had, or traps.
        case 22: return .swallowed(try members(), begins: false)
        case 23: return .superclasses(try values())
        case 24: return .numbered(Dictionary(try values().enumerated().map { ($0.offset, $0.element) }) { $1 })
        case 25: return .keyed(Dictionary(zip(Suit.allCases, try values())) { $1 })
        case 26: return .empty(Int.random(in: 0...3, using: &random))
        default: return random.chance(30) ? .superclass(try members()) : .counted(try values())
        }
    }

    /// Encoders with every combination of strategies for dates and data, and for keys.
    private static var encoders: [JSONEncoder] {
        var encoders: [JSONEncoder] = []
        let keys: [JSONEncoder.KeyEncodingStrategy] = [
            .useDefaultKeys, .convertToSnakeCase,
            // The names of an embedded document are data, so DocumentEncoder never converts them.
            .custom { keys in
                let name = keys.last?.stringValue ?? ""
                return PathCodingKey(["x", "y"].contains(name) ? name : "\(keys.count) \(name)")
            },
        ]
        let values: [(JSONEncoder.DateEncodingStrategy, JSONEncoder.DataEncodingStrategy)] = [
            (.deferredToDate, .base64), (.iso8601, .deferredToData), (.secondsSince1970, .custom { _, _ in }),
            (.custom { date, encoder in try ["date": date.timeIntervalSince1970].encode(to: encoder) }, .base64),
        ]
        for keys in keys {
            for (dates, data) in values {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = keys
                (encoder.dateEncodingStrategy, encoder.dataEncodingStrategy) = (dates, data)
                encoders.append(encoder)
            }
        }
        return encoders
    }

    @Test("DocumentEncoder writes the same values as JSONEncoder, however a type fills its containers")
    func random() throws {
        var random = SeededGenerator(seed: 7)
        let encoders = Self.encoders
        for round in 0..<8_000 {
            let value = Value.array([try value(depth: 4, &random)])
            let foundation = encoders[round % encoders.count]
            let document = try DocumentEncoder(strategies: EncodingStrategies(matching: foundation)).encode(value)
            let (ours, theirs) = (JSONWriter().data(document.root), try foundation.encode(value))
            let isEqual =
                try JSONSerialization.jsonObject(with: ours) as? NSArray
                == JSONSerialization.jsonObject(with: theirs) as? NSArray
            try #require(
                isEqual,
                "\(String(decoding: ours, as: UTF8.self)) instead of \(String(decoding: theirs, as: UTF8.self))")
        }
    }

    @Test("a value that throws an error after it began is not in the document")
    func swallowed() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            let members = [("a", try value(depth: 3, &random)), ("b", try value(depth: 3, &random))]
            let documents = try [true, false].map { try DocumentEncoder().encode(Value.swallowed(members, begins: $0)) }
            try #require(JSONWriter().string(documents[0].root) == JSONWriter().string(documents[1].root))
        }
    }

    /// Encodes its coding path, without checking that there is one.
    private struct Placed: Encodable {
        let inner: [Placed]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathCodingKey.self)
            try container.encode(encoder.codingPath.last!.stringValue, forKey: PathCodingKey("last"))
            try container.encode(encoder.codingPath.map(\.stringValue), forKey: PathCodingKey("all"))
            var nested = container.nestedContainer(keyedBy: OtherKey.self, forKey: PathCodingKey("nested"))
            try nested.encode(nested.codingPath.map(\.stringValue), forKey: OtherKey(stringValue: "path"))
            var list = container.nestedUnkeyedContainer(forKey: PathCodingKey("list"))
            for element in inner {
                try list.encode(element)
                try list.encode(list.codingPath.count)
            }
        }
    }

    @Test("a type that asks for its coding path gets the one that JSONEncoder gives")
    func paths() throws {
        let value = ["a": [Placed(inner: []), Placed(inner: [Placed(inner: []), Placed(inner: [])])]]
        let text = JSONWriter().string(try DocumentEncoder().encode(value).root)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let ours = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        #expect(try ours == JSONSerialization.jsonObject(with: foundation.encode(value)) as? NSDictionary)
    }

    /// A value that encodes others, nested more deeply than itself, with the same encoder while it is being encoded.
    private final class Busy: Encodable {
        private enum CodingKeys: CodingKey { case before, inner, next, after }

        private let depth: Int
        private let innerDepth: Int
        private let encoder: DocumentEncoder

        init(depth: Int, innerDepth: Int, _ encoder: DocumentEncoder) {
            (self.depth, self.innerDepth, self.encoder) = (depth, innerDepth, encoder)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(depth, forKey: .before)
            let inner = Busy(depth: innerDepth, innerDepth: 0, self.encoder)
            if innerDepth > 0 { try container.encode(self.encoder.encode(inner), forKey: .inner) }
            if depth > 0 {
                try container.encode(Busy(depth: depth - 1, innerDepth: innerDepth, self.encoder), forKey: .next)
            }
            try container.encode(depth, forKey: .after)
        }

        /// The expected text.
        func text() -> String {
            let inner = innerDepth > 0 ? #","inner":\#(Busy(depth: innerDepth, innerDepth: 0, encoder).text())"# : ""
            let next =
                depth > 0
                ? #","next":\#(Busy(depth: depth - 1, innerDepth: innerDepth, encoder).text())"# : ""
            return #"{"before":\#(depth)\#(inner)\#(next),"after":\#(depth)}"#
        }
    }

    @Test("an encoding is independent of another one that runs inside it")
    func encodingWithin() throws {
        let encoder = DocumentEncoder()
        for (depth, innerDepth) in [(3, 40), (60, 90)] {
            let value = Busy(depth: depth, innerDepth: innerDepth, encoder)
            for _ in 0..<3 { #expect(JSONWriter().string(try encoder.encode(value).root) == value.text()) }
        }
    }

    private struct Wide: Encodable {
        let names: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathCodingKey.self)
            for name in names { try container.encode(name, forKey: PathCodingKey(name)) }
        }
    }

    @Test("a key that is encoded twice is one member, however many there are", arguments: [7, 8, 9, 64, 300])
    func manyNames(count: Int) throws {
        let names = (0..<count).map { "name \($0)" }
        #expect(try DocumentEncoder().encode(Wide(names: names)).root.count == count)
        for position in [0, count / 2, count - 1] {
            let repeated = Wide(names: names + [names[position]])
            #expect(try DocumentEncoder().encode(repeated).root.count == count)
        }
    }
}
