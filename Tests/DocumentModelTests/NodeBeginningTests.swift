import Testing

@testable import DocumentModel

@Suite("The beginning of a string")
struct NodeBeginningTests {
    @Test("whatever the limit, it is a beginning of the string, and never ends inside a character or an escape")
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

    @Test("only strings and keys have one")
    func kinds() throws {
        #expect(try Document(json: "12").root.beginning(limit: 10) == nil)
        #expect(try Document(json: "{\"key\": 1}").root.member(named: "key")?.key.beginning(limit: 2)?.text == "ke")
    }
}
