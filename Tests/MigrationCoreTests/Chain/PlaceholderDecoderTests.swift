import Foundation
import Testing

@testable import MigrationCore

@Suite("Learning the fields of a type")
struct PlaceholderDecoderTests {
    private func fields(of type: any Decodable.Type) -> String {
        let fields = TypeFields(of: type)
        return fields.fields.map { $0.name + ($0.isRequired ? "" : "?") }.joined(separator: " ")
            + (fields.isComplete ? "" : " …")
    }

    @Test("fields are listed in order, with optional ones marked")
    func plain() {
        struct Plain: Decodable {
            var name: String
            var count: Int?
            var ratio: Float
            var tags: [String: [Int]]
            var set: Set<UInt8>
            var pairs: [Int: String]
        }
        #expect(fields(of: Plain.self) == "name count? ratio tags set pairs")
    }

    @Test("fields are named by their coding keys")
    func codingKeys() {
        struct Renamed: Decodable {
            var name: String
            var skipped = 1
            private enum CodingKeys: String, CodingKey { case name = "full name" }
        }
        #expect(fields(of: Renamed.self) == "full name")
    }

    @Test("placeholders exist for Foundation's types")
    func foundation() {
        struct Everything: Decodable {
            var url: URL
            var id: UUID
            var date: Date
            var data: Data
            var decimal: Decimal
            var zone: TimeZone
            var locale: Locale
            var calendar: Calendar
            var interval: DateInterval
            var components: DateComponents
            var indices: IndexSet
            var last: Bool
        }
        #expect(
            fields(of: Everything.self)
                == "url id date data decimal zone locale calendar interval components indices last")
    }

    @Test("placeholders exist for enums with raw values, with associated values and with a single case")
    func enums() {
        enum Word: String, Decodable { case love, meh }
        enum Number: Int, Decodable {
            case seven = 7
            case eight
        }
        enum Only: String, Decodable { case only }
        enum Shape: Decodable {
            case circle(radius: Double)
            case square(Double)
            case point
        }
        struct Enums: Decodable {
            var word: Word
            var number: Number
            var only: Only
            var shape: Shape
            var shapes: [Shape]
            var byWord: [Word: Int]
            var last: Word?
        }
        #expect(fields(of: Enums.self) == "word number only shape shapes byWord last?")
    }

    @Test("a type without values has no placeholder")
    func uninhabited() {
        enum NoKeys: CodingKey {}
        enum OneKey: CodingKey { case only }
        enum TwoKeys: CodingKey { case first, second }
        #expect(PlaceholderValue.zeros(NoKeys.self) == nil)
        #expect(PlaceholderValue.zeros(OneKey.self) == .only)
        #expect(PlaceholderValue.zeros(TwoKeys.self) == .first)
    }

    @Test("fields inside a field are not fields of the type")
    func nested() {
        struct Outer: Decodable {
            var inner: Inner
            var list: [Inner]
            struct Inner: Decodable {
                var deep: Deep
                struct Deep: Decodable { var deepest: String }
            }
        }
        #expect(fields(of: Outer.self) == "inner list")
    }

    @Test("a nested container counts as its key")
    func nestedContainers() {
        struct Flattened: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathKey.self)
                let inner = try container.nestedContainer(keyedBy: PathKey.self, forKey: "metadata")
                _ = try inner.decode(Int.self, forKey: "inside")
                var list = try container.nestedUnkeyedContainer(forKey: "list")
                while !list.isAtEnd { _ = try list.decode(String.self) }
                _ = try container.decode(Int.self, forKey: "last")
            }
        }
        #expect(fields(of: Flattened.self) == "metadata list last")
    }

    @Test("a superclass's fields belong to the type if both share a decoder, and are inside super if not")
    func inheritance() {
        class Base: Decodable { var base: String }
        final class Sharing: Base {
            required init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: "own")
                try super.init(from: decoder)
            }
        }
        final class Apart: Base {
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathKey.self)
                _ = try container.decode(Int.self, forKey: "own")
                try super.init(from: container.superDecoder())
            }
        }
        #expect(fields(of: Sharing.self) == "own base")
        #expect(fields(of: Apart.self) == "own super")
    }

    @Test("a key whose presence is checked first is optional")
    func questions() {
        struct Asking: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathKey.self)
                if container.contains("old") {
                    _ = try container.decode(Int.self, forKey: "old")
                } else {
                    _ = try container.decodeIfPresent(Int.self, forKey: "new")
                }
                _ = try container.decodeNil(forKey: "null")
                _ = try container.decode(Int.self, forKey: "sure")
            }
        }
        #expect(fields(of: Asking.self) == "old? new? null? sure")
    }

    @Test("a field with a property wrapper is required only if the wrapper requires it")
    func wrappers() {
        struct Wrapped: Decodable {
            @Plain var plain: Int
            @OrZero var orZero: Int
        }
        #expect(fields(of: Wrapped.self) == "plain orZero?")
    }

    @Test("a type that only wraps another has that type's fields")
    func singleValue() {
        struct Inner: Decodable { var name: String }
        struct Wrapper: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Inner.self) }
        }
        #expect(fields(of: Wrapper.self) == "name")
        #expect(fields(of: String.self) == "")
    }

    @Test("arrays and dictionaries have the fields of their elements, except inside a field")
    func elements() {
        struct Inner: Decodable { var name: String }
        struct Outer: Decodable { var list: [Inner], byName: [String: Inner] }
        #expect(fields(of: [Inner].self) == "name")
        #expect(fields(of: [Int: [Inner]].self) == "name")
        #expect(fields(of: [Outer].self) == "list byName")
        #expect(fields(of: Outer.self) == "list byName")
    }

    @Test("a type that first checks for null still has its fields")
    func nullable() {
        struct Nullable: Decodable {
            var name = ""
            private enum CodingKeys: String, CodingKey { case name }
            init(from decoder: any Decoder) throws {
                if try decoder.singleValueContainer().decodeNil() { return }
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            }
        }
        #expect(fields(of: Nullable.self) == "name")
        #expect(fields(of: Nullable?.self) == "name")
    }

    @Test("learning the fields of a type that contains itself terminates")
    func recursion() {
        final class Tree: Decodable {
            var left: Tree?
            var children: [Tree]
            var siblings: [Tree]
        }
        final class Endless: Decodable {
            var first: Endless
            var second: Endless
        }
        #expect(fields(of: Tree.self) == "left? children siblings")
        #expect(fields(of: Endless.self) == "first …")
    }

    @Test("the fields of a type that refuses the placeholders are known up to that point")
    func refusing() {
        struct Fussy: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathKey.self)
                let text = try container.decode(String.self, forKey: "date")
                guard text.count == 10 else {
                    throw DecodingError.dataCorruptedError(forKey: "date", in: container, debugDescription: "no date")
                }
                _ = try container.decode(String.self, forKey: "never")
            }
        }
        struct Holder: Decodable {
            var fussy: Fussy
            var after: Int
        }
        #expect(fields(of: Fussy.self) == "date …")
        #expect(fields(of: Holder.self) == "fussy …")
        #expect(fields(of: Never.self) == " …")
    }

    @Test("placeholders are not empty, because types may crash on empty values")
    func notEmpty() {
        struct Trusting: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathKey.self)
                _ = try container.decode([String].self, forKey: "lines").first!.first!
                _ = try 100 / container.decode(Int.self, forKey: "divisor")
                _ = try URL(string: container.decode(String.self, forKey: "address"))!
                _ = try Int(container.decode(String.self, forKey: "number"))!
            }
        }
        #expect(fields(of: Trusting.self) == "lines divisor address number")
    }

    @Test("a type can read the userInfo of the app's decoder")
    func userInfo() {
        struct Guided: Decodable {
            static let key = CodingUserInfoKey(rawValue: "key")
            init(from decoder: any Decoder) throws {
                guard let key = Self.key, decoder.userInfo[key] as? Bool == true else {
                    throw PlaceholderDecoder.Stopped()
                }
                _ = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: "found")
            }
        }
        let fields = TypeFields(of: Guided.self, userInfo: Guided.key.map { [$0: true] } ?? [:])
        #expect(fields.fields.map(\.name) == ["found"])
    }
}

private struct PathKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

@propertyWrapper
private struct Plain: Decodable {
    var wrappedValue: Int
}

@propertyWrapper
private struct OrZero: Decodable {
    var wrappedValue: Int
}

extension KeyedDecodingContainer {
    fileprivate func decode(_ type: OrZero.Type, forKey key: Key) throws -> OrZero {
        try decodeIfPresent(type, forKey: key) ?? OrZero(wrappedValue: 0)
    }
}
