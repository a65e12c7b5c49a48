import Testing

@testable import DocumentModel

@Suite("The beginning of a string")
struct NodeBeginningTests {
    @Test("the beginning of a string never ends inside a character or an escape, whatever the limit")
    func everyLimit() throws {
        let json = #""aé漢\n\u00e9\ud83d\ude00😀\"z""#
        let node = try Document(json: json).root
        let whole = try #require(node.string)
        for limit in 0...json.utf8.count {
            let beginning = try #require(node.beginning(limit: limit))
            #expect(whole.unicodeScalars.starts(with: beginning.text.unicodeScalars), "limit \(limit)")
            #expect(beginning.text.utf8.count <= limit)
            #expect(beginning.isWhole == (limit >= json.utf8.count - 2))
        }
        #expect(node.beginning(limit: 1000)?.text == whole)
    }

    @Test("the brief text of a value is the same, whether all of it is read or only its beginning")
    func briefText() throws {
        for piece in ["k", "é", "\\n", "\\\"", "😀", "e\u{301}\u{302}\u{303}", "\\u0001"] {
            let node = try Document(json: "\"" + String(repeating: piece, count: 5000) + "\"").root
            #expect(node.beginning(limit: 4096)?.isWhole == false)
            #expect(node.briefText == JSONWriter().string(node).abbreviated())
        }
        // If the part that is read has fewer characters than are shown, it does not count as the whole.
        let marks = try Document(json: "\"a" + String(repeating: "\u{301}", count: 5000) + "\"").root
        #expect(marks.briefText.utf8.starts(with: "\"a".utf8) && marks.briefText.hasSuffix("…"))
    }

    @Test("values other than strings and keys have no beginning")
    func kinds() throws {
        #expect(try Document(json: "12").root.beginning(limit: 10) == nil)
        #expect(try Document(json: "{\"key\": 1}").root.member(named: "key")?.key.beginning(limit: 2)?.text == "ke")
    }
}
