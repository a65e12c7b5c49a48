import Foundation
import Testing

@testable import DocumentModel

@Suite("Documents with held documents in their place")
struct UnfoldingTests {
    private func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    /// Returns the source text of a value.
    private func source(_ node: DocumentNode?) throws -> String {
        let range = try #require(node?.sourceRange)
        return try #require(node?.document.source).string(in: range)
    }

    @Test("a value inside another has the path and the location in the file that a person expects")
    func places() throws {
        let document = try Document(
            json: #"{"n": 1, "list": [{"s": "{\"kéy\": \"a\\nb\", \"t\": [1, \"\u00e9\\u00e9\", 23]}"}], "z": 2}"#)
        let unfolded = try document.unfolding(along: [path("$.list[0].s.t[2]")])
        #expect(try source(unfolded.root.descendant(at: path("$.list[0].s.t[2]"))) == "23")
        #expect(try source(unfolded.root.descendant(at: path("$.list[0].s.kéy"))) == #"\"a\\nb\""#)
        #expect(try source(unfolded.root.descendant(at: path("$.list[0].s.t[1]"))) == #"\"\u00e9\\u00e9\""#)
        #expect(try source(unfolded.root["z"]) == "2")
        let value = try #require(unfolded.root.descendant(at: path("$.list[0].s.t")))
        #expect(try value.path == path("$.list[0].s.t"))
        #expect(try unfolded.root.descendant(at: path("$.list[0].s"))?.heldForm == .text)
        #expect(value.heldForm == nil && document.value(at: value.path)?.isEqual(to: value) == true)
        // The value itself is what it is in the file.
        #expect(try document.value(at: path("$.list[0].s"))?.kind == .string)
        #expect(try document.value(at: path("$.list[0].s.none")) == nil)
    }

    @Test("a value inside a string of an XML property list has its location, even with entities")
    func xml() throws {
        let xml = "<plist><dict><key>k</key><string>{\"a\": \"x &amp; y\", \"é\": [1, 22]}</string></dict></plist>"
        let document = try Document(parsing: SourceBytes(xml))
        let unfolded = try document.unfolding(along: [path("$.k.é[1]")])
        #expect(try source(unfolded.root.descendant(at: path("$.k.é[1]"))) == "22")
        #expect(try source(unfolded.root.descendant(at: path("$.k.a"))) == "\"x &amp; y\"")
    }

    @Test("a value that is held in another spelling has the location of the value that holds it")
    func elsewhere() throws {
        let inner = Data(#"{"key": [1, "{\"deep\": 2}"]}"#.utf8).base64EncodedString()
        let document = try Document(json: "{\"held\": \"\(inner)\"}")
        let unfolded = try document.unfolding(along: [path("$.held.key[1].deep")])
        let value = try #require(unfolded.root.descendant(at: path("$.held.key[1].deep")))
        #expect(value.numberText == "2")
        #expect(try source(value) == "\"\(inner)\"")
        #expect(unfolded.root["held"]?.heldForm == .base64(Base64Spelling(isURLSafe: false, isPadded: true)))
        #expect(try unfolded.root.descendant(at: path("$.held.key[1]"))?.heldForm == .text)
        let cdata = try Document(
            parsing: SourceBytes("<plist><array><string><![CDATA[{\"a\": 1}]]></string></array></plist>"))
        let inside = try #require(cdata.unfolding(along: [path("$[0].a")]).root.descendant(at: path("$[0].a")))
        #expect(try source(inside) == "<string><![CDATA[{\"a\": 1}]]></string>")
    }

    @Test("a location inside a string counts within its text, and names the string")
    func locations() throws {
        let document = try Document(json: "{\n \"a\": [\"{\\n \\\"b\\\": 1}\"],\n \"c\": 2}")
        let location = try #require(try document.location(along: path("$.a[0].b")))
        #expect(location == SourceLocation(line: 2, column: 7, offset: 8, within: try path("$.a[0]")))
        #expect(try document.location(along: path("$.c"))?.description == "line 3, column 7")
        #expect(try document.location(along: path("$.c.none"))?.description == "line 3, column 7")
    }

    @Test("a document that holds nothing along the path stays as it is")
    func nothing() throws {
        let document = try Document(json: #"{"a": "{}x", "b": "{\"c\": 1}"}"#)
        #expect(try document.unfolding(along: [path("$.a.c"), path("$.b")]).identity == document.identity)
    }

    @Test("the beginning and the end of a long text show whether it may hold a document")
    func long() throws {
        let list = "[" + Array(repeating: "1234567", count: 5000).joined(separator: ", ") + "]"
        let texts = [list, list + "\n", list + ".", "x" + list, "{" + list + "}"]
        let document = try DocumentEncoder().encode(texts)
        #expect(document.root.elements.map(\.seemsToHoldDocument) == [true, true, false, false, true])
        #expect(document.root.elements.map { $0.held != nil } == [true, true, false, false, false])
    }
}
