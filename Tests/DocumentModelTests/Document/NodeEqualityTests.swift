import DocumentModel
import Testing

@Suite("Equality of values")
struct NodeEqualityTests {
    @Test("values nested 500 levels deep are compared without delay, with members in any order")
    func deepNesting() throws {
        func nested(_ innermost: Int, isReversed: Bool) throws -> Document {
            let (before, after) = isReversed ? (#"{"b":0,"c":1,"a":"#, "}") : (#"{"a":"#, #","b":0,"c":1}"#)
            return try Document(
                json: String(repeating: before, count: 500) + "\(innermost)" + String(repeating: after, count: 500))
        }
        #expect(try nested(1, isReversed: false) == nested(1, isReversed: true))
        #expect(try nested(1, isReversed: false) != nested(2, isReversed: true))
        #expect(try nested(1, isReversed: false) != nested(2, isReversed: false))
    }

    @Test("members with one name each count, in order")
    func duplicates() throws {
        #expect(try Document(json: #"{"a":1,"b":0,"a":2}"#) == Document(json: #"{"a":1,"a":2,"b":0}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) != Document(json: #"{"a":1,"a":3}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) != Document(json: #"{"a":2,"a":1}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) != Document(json: #"{"a":1}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) != Document(json: #"{"a":2,"a":2}"#))
    }

    @Test("objects with very many members are equal in any order, and a duplicate name among them is noticed")
    func manyMembers() throws {
        func object(_ names: [String], _ value: (Int) -> Int = { $0 }) throws -> Document {
            try Document(
                json: "{" + names.enumerated().map { "\"\($1)\":\(value($0))" }.joined(separator: ",") + "}")
        }
        let names = (0..<600).map { "name \($0)" }
        let document = try object(names)
        #expect(try document == object(names.reversed()) { 599 - $0 })
        #expect(try document != object(names.reversed()) { $0 == 300 ? 0 : 599 - $0 })
        #expect(try document != object(Array(names.dropLast())))
        #expect(try document != object(names + ["one more"]))
        #expect(document.root.duplicateNames.isEmpty)
        for (from, to) in [(0, 599), (599, 0), (17, 300), (511, 512)] {
            var twice = names
            twice[to] = names[from]
            #expect(try object(twice).root.duplicateNames == [names[from]])
        }
        let more = try object(["a", "b\\u0062", "é", "a", "e\u{301}", "bb", "a"])
        #expect(more.root.duplicateNames == ["a", "é", "bb"])
        #expect(try Document(json: "[1, 1]").root.duplicateNames.isEmpty)
    }

    @Test("values of two kinds are different, and so are arrays of which one is the beginning of the other")
    func kinds() throws {
        let values = [
            "null", "true", "false", "0", "1", "\"\"", "\"1\"", "[]", "[[]]", "[0]", "[0,0]", "{}", "{\"a\":0}",
            "{\"a\":0,\"b\":0}", "{\"b\":0}", "{\"a\":[]}",
        ]
        for (place, value) in values.enumerated() {
            for (otherPlace, other) in values.enumerated() {
                #expect(try (Document(json: value) == Document(json: other)) == (place == otherPlace))
                let difference = DocumentDifference(
                    old: try Document(json: value).root, new: try Document(json: other).root)
                #expect(difference.isEmpty == (place == otherPlace))
            }
        }
    }
}
