import DocumentModel
import Testing

@Suite("Equality of values")
struct NodeEqualityTests {
    @Test("takes no longer for values nested 500 deep, members in whatever order")
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

    @Test("of members with one name the first counts")
    func duplicates() throws {
        #expect(try Document(json: #"{"a":1,"a":2}"#) == Document(json: #"{"a":1,"a":3}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) == Document(json: #"{"a":1}"#))
        #expect(try Document(json: #"{"a":1,"a":2}"#) != Document(json: #"{"a":2,"a":2}"#))
    }
}
