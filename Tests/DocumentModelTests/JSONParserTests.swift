import DocumentModel
import Testing

@Suite("The JSON parser")
struct JSONParserTests {
    @Test("keeps keys, numbers and nesting as they were written")
    func roundTrip() throws {
        let text = #"{"b":[1,2.50,1e3,{"x":null}],"a":"né\n\"","a":true,"":[]}"#
        let document = try Document(json: text)
        #expect(JSONWriter().string(document.root) == text)
        #expect(document.root["a"]?.string == "né\n\"")
        #expect(document.root["b"]?[3]?["x"]?.isNull == true)
        #expect(document.root["b"]?[3]?["x"]?.path.description == "$.b[3].x")
    }

    @Test("says what was found, where, and what would have been right")
    func error() throws {
        let error = try #require(throws: DocumentParseError.self) { try Document(json: "{\n  \"a\": 1,\n,}") }
        #expect(error.location == SourceLocation(line: 3, column: 1, offset: 12))
        #expect(error.problem == .unexpected(found: .character(0x2C), expected: .name))
    }
}
