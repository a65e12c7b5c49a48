import DocumentModel
import Foundation
import Testing

/// The behavior of the coders beyond that of Foundation's.
@Suite("Document coders")
struct DocumentCoderTests {
    struct Poem: Codable, Equatable {
        var author: String
        var lines: [String]
        var rating: Int?
    }

    @Test("a value is encoded as a document and decoded from it")
    func roundTrip() throws {
        let poem = Poem(author: "Anonymous", lines: ["One", "Two"], rating: 3)
        let document = try DocumentEncoder().encode(poem)
        #expect(
            JSONWriter().string(document.root) == #"{"author":"Anonymous","lines":["One","Two"],"rating":3}"#)
        #expect(try DocumentDecoder().decode(Poem.self, from: document.root) == poem)
    }

    @Test("a type that is known only at run time can be decoded")
    func existentialType() throws {
        let type: any Decodable.Type = [Int].self
        let value = try DocumentDecoder().decode(type, from: Document(json: "[1, 2]").root)
        #expect(value as? [Int] == [1, 2])
    }

    @Test("any value inside a document can be decoded, and coding paths begin there")
    func insideDocument() throws {
        let document = try Document(json: #"{"pages": [{"n": 1}, {"n": "x"}]}"#)
        let pages = try #require(document.root["pages"])
        let error = #expect(throws: DecodingError.self) {
            try DocumentDecoder().decode([[String: Int]].self, from: pages)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(DocumentPath(codingPath: context.codingPath).description == "$[1].n")
    }

    @Test("members keep the order in which they are encoded, unless sorting is requested")
    func order() throws {
        struct Twice: Encodable {
            enum Keys: String, CodingKey { case b, a, c }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(1, forKey: .b)
                try container.encode(2, forKey: .a)
                var again = encoder.container(keyedBy: Keys.self)
                try again.encode(3, forKey: .b)
                try again.encode(4, forKey: .c)
            }
        }
        #expect(JSONWriter().string(try DocumentEncoder().encode(Twice()).root) == #"{"b":3,"a":2,"c":4}"#)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let sorted = DocumentEncoder(strategies: EncodingStrategies(matching: encoder))
        #expect(
            JSONWriter().string(try sorted.encode(Twice()).root)
                == String(decoding: try encoder.encode(Twice()), as: UTF8.self))
    }

    @Test(
        "the last value counts for members that are encoded twice, however many there are",
        arguments: [1, 16, 17, 18, 90])
    func manyMembersTwice(count: Int) throws {
        struct Twice: Encodable {
            let count: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathCodingKey.self)
                for sign in [1, -1] {
                    for number in 0..<count { try container.encode(sign * number, forKey: PathCodingKey("k\(number)")) }
                }
            }
        }
        let members = Array(try DocumentEncoder().encode(Twice(count: count)).root.members)
        #expect(members.map(\.name) == (0..<count).map { "k\($0)" })
        #expect(members.map(\.value.numberText) == (0..<count).map { "\(-$0)" })
    }

    @Test("a dictionary is written the same way every time")
    func dictionaries() throws {
        let numbers = Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", $0) })
        let names = try DocumentEncoder().encode(["d": numbers]).root["d"]?.members.map(\.name)
        #expect(names == numbers.keys.sorted())
    }

    @Test("an object with many members is read like one with few", arguments: [1, 63, 64, 65, 3000])
    func manyMembers(count: Int) throws {
        struct Ends: Decodable { var first, last: Int }
        let middle = (0..<count).map { "\"member \($0)\":\($0)" }.joined(separator: ",")
        let document = try Document(json: "{\"first\":1,\(middle),\"last\":2,\"first\":3}")
        let ends = try DocumentDecoder().decode(Ends.self, from: document.root)
        #expect(ends.first == 1 && ends.last == 2)
    }
}
