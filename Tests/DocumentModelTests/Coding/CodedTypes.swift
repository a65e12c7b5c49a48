import Foundation

// Types that use everything that a coder offers.

struct Person: Codable {
    var name: String
    var age: Int
    var email: String?
    var isMember: Bool?
    var score: Double
    var tags: [String]
    var home: Address?

    struct Address: Codable {
        var street: String
        var number: UInt8
    }
}

enum Shape: Codable {
    case circle(radius: Double)
    case rectangle(width: Int, height: Int)
    case polygon([Int], closed: Bool)
    case empty
}

enum Suit: String, Codable { case hearts, spades }
enum Level: Int, Codable {
    case low = 1
    case high
}

/// A dictionary key that conforms to `CodingKeyRepresentable`.
enum Season: String, Codable, CodingKeyRepresentable { case spring, autumn }

struct WideNumbers: Codable {
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var bool: Bool?
    var string: String?
    var int: Int?
    var int128: Int128?
    var uint128: UInt128?
}

class Animal: Codable {
    var legs: Int

    init(legs: Int) { self.legs = legs }
}

/// A subclass that codes its superclass under the key `super`.
final class Dog: Animal {
    var name: String

    init(legs: Int, name: String) {
        self.name = name
        super.init(legs: legs)
    }

    enum CodingKeys: String, CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
    }
}

/// A subclass that codes its superclass under another key.
final class Cat: Animal {
    var name: String

    init(legs: Int, name: String) {
        self.name = name
        super.init(legs: legs)
    }

    enum CodingKeys: String, CodingKey { case name, base }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder(forKey: .base))
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder(forKey: .base))
        try container.encode(name, forKey: .name)
    }
}

/// A class in an array. Its superclass is the element after its own.
final class Bird: Animal {
    var song: String

    init(legs: Int, song: String) {
        self.song = song
        super.init(legs: legs)
    }

    required init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        song = try container.decode(String.self)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(song)
        try super.encode(to: container.superEncoder())
    }
}

/// Containers that are nested by hand, begun early and filled late.
struct Nested: Codable {
    var title: String
    var numbers: [Int]
    var deep: Double

    enum Keys: String, CodingKey {
        case head, body, title, deep, list
        case innerList = "inner_list"
    }

    init(title: String, numbers: [Int], deep: Double) {
        self.title = title
        self.numbers = numbers
        self.deep = deep
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let head = try container.nestedContainer(keyedBy: Keys.self, forKey: .head)
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        title = try head.decode(String.self, forKey: .title)
        let inner = try list.nestedContainer(keyedBy: Keys.self)
        var numbers = try list.nestedUnkeyedContainer()
        self.numbers = []
        while !numbers.isAtEnd { self.numbers.append(try numbers.decode(Int.self)) }
        deep = try inner.decode(Double.self, forKey: .deep)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        var inner = list.nestedContainer(keyedBy: Keys.self)
        var numberList = list.nestedUnkeyedContainer()
        var head = container.nestedContainer(keyedBy: Keys.self, forKey: .head)
        for number in numbers { try numberList.encode(number) }
        try inner.encode(deep, forKey: .deep)
        try head.encode(title, forKey: .title)
    }
}

/// Asks for one key twice, for a missing key, and for null.
struct Curious: Codable {
    var found: [String]

    enum Keys: String, CodingKey { case a, b, c }

    init(found: [String]) { self.found = found }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        found = container.allKeys.map(\.stringValue).sorted()
        found.append("\(container.contains(.a)) \(container.contains(.c))")
        found.append("\(try container.decodeNil(forKey: .a))")
        found.append("\(try container.decodeIfPresent(Int.self, forKey: .a) ?? -1)")
        found.append("\(try container.decodeIfPresent(Int.self, forKey: .a) ?? -1)")
        found.append("\((try? container.decode(String.self, forKey: .a)) ?? "no string")")
        found.append("\(container.codingPath.count) \(decoder.codingPath.count)")
        found.append(decoder.userInfo.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined())
        found.append("\(try container.decode([Int?].self, forKey: .b))")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeNil(forKey: .a)
        try container.encode(1, forKey: .b)
        try container.encode(found, forKey: .a)
        var again = encoder.container(keyedBy: Keys.self)
        try again.encodeIfPresent(String?.none, forKey: .b)
        try again.encode(encoder.userInfo.count, forKey: .c)
    }
}

/// Catches the errors of inner values, as tolerant types do.
struct Tolerant: Decodable {
    var caught: String

    enum Keys: String, CodingKey { case a, b }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        do {
            caught = "\(try container.decode(Int8.self, forKey: .a))"
        } catch is DecodingError {
            caught = "decoding error"
        } catch {
            caught = "another error"
        }
        caught += " \((try? container.decode(Person.self, forKey: .b))?.name ?? "nobody")"
    }
}

/// Reads an array element by element.
struct Elements: Decodable {
    var found: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        found.append("\(container.count ?? -1)")
        while !container.isAtEnd {
            let index = container.currentIndex
            if try container.decodeNil() {
                found.append("nil")
            } else if let value = try? container.decode(Int.self) {
                found.append("\(value)")
            } else if let value = try container.decodeIfPresent(String.self) {
                found.append(value)
            }
            found.append("\(index) \(container.codingPath.count)")
        }
        found.append("\(try container.decodeIfPresent(Int.self) ?? -1)")
    }
}

/// Reads past the end of an array in one of several ways.
struct PastEnd<Way: PastEndWay>: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        try Way.step(&container)
    }
}

protocol PastEndWay { static func step(_ container: inout any UnkeyedDecodingContainer) throws }

enum PastEndScalar: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws { _ = try container.decode(Bool.self) }
}
enum PastEndValue: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws { _ = try container.decode(Person.self) }
}
enum PastEndNil: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws { _ = try container.decodeNil() }
}
enum PastEndKeyed: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws {
        _ = try container.nestedContainer(keyedBy: Nested.Keys.self)
    }
}
enum PastEndUnkeyed: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws {
        _ = try container.nestedUnkeyedContainer()
    }
}
enum PastEndSuper: PastEndWay {
    static func step(_ container: inout any UnkeyedDecodingContainer) throws { _ = try container.superDecoder() }
}

/// Asks for a container that is missing or is of another kind.
struct AsksKeyed: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Nested.Keys.self).nestedContainer(keyedBy: Nested.Keys.self, forKey: .head)
    }
}
struct AsksUnkeyed: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Nested.Keys.self).nestedUnkeyedContainer(forKey: .head)
    }
}

struct SnakePerson: Codable {
    var firstName: String
    var lastURL: String?
    var _hidden: Int?
    var trailing: Int?
    var children: [String: Int]
    var byAge: [Int: String]?
    var matrix: [[String: [SnakeChild]]]?

    struct SnakeChild: Codable { var petName: String }

    enum CodingKeys: String, CodingKey {
        case firstName, lastURL, _hidden, children, byAge, matrix
        case trailing = "trailing_"
    }
}

struct Dated: Codable {
    var day: Date
    var maybe: Date?
    var list: [Date]
    var named: [String: Date]
}

struct Blobs: Codable {
    var blob: Data
    var maybe: Data?
    var list: [Data]
    var named: [String: Data]
}

struct Generic<Value: Codable>: Codable { var value: Value }

/// A type that encodes nothing.
struct Nothing: Codable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
}

struct Failing: Codable {
    struct Failure: Error {}

    init() {}
    init(from decoder: any Decoder) throws { throw Failure() }
    func encode(to encoder: any Encoder) throws { throw Failure() }
}
