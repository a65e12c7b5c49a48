import DocumentModel
import Testing

@Suite("The JSON parser")
struct JSONParserTests {
    @Test("keys, numbers and nesting are kept as they were written")
    func roundTrip() throws {
        let text = #"{"b":[1,2.50,1e3,{"x":null}],"a":"né\n\"","a":true,"":[]}"#
        let document = try Document(json: text)
        #expect(JSONWriter().string(document.root) == text)
        #expect(document.root["a"]?.string == "né\n\"")
        #expect(document.root["b"]?[3]?["x"]?.isNull == true)
        #expect(document.root["b"]?[3]?["x"]?.path.description == "$.b[3].x")
    }

    @Test("parsing JSON or an XML property list reports its progress, and can be cancelled")
    func progress() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let strings = [String](repeating: text, count: 3)
        for list in [
            "[" + strings.map { "\"\($0)\"" }.joined(separator: ",") + "]",
            "<plist><array>" + strings.map { "<string>\($0)</string>" }.joined() + "</array></plist>",
        ] {
            var reports: [Int] = []
            let source = SourceBytes(list)
            let whole = try Document(parsing: source) {
                reports.append($0)
                return true
            }
            #expect(whole.root.count == 3 && whole.root[2]?.string == text)
            #expect((2...3).contains(reports.count) && reports == reports.sorted())
            #expect(reports.allSatisfy { (1 << 20...source.count).contains($0) })
            var calls = 0
            #expect(throws: CancellationError.self) {
                try Document(parsing: source) { _ in
                    calls += 1
                    return false
                }
            }
            #expect(calls == 1)
        }
    }

    @Test("a parse error says what was found, where, and what would have been right")
    func error() throws {
        let error = try #require(throws: DocumentParseError.self) { try Document(json: "{\n  \"a\": 1,\n,}") }
        #expect(error.location == SourceLocation(line: 3, column: 1, offset: 12))
        #expect(error.problem == .unexpected(found: .character(0x2C), expected: .name))
    }
}
