import Foundation
import Testing

@testable import DocumentModel

@Suite("Paths in a document")
struct DocumentPathTests {
    static let names = [
        "a", "_a1", "é", "日本", "unit price", "", "1a", "a-b", "a.b", "'", "\"", "\\", "\n\r\t\u{8}\u{C}\u{1}", "~", "/",
        "~1", "~0", "*", "$", "[0]", "0", "01",
        "~\u{301}", "/\u{301}", "'\u{301}", "a\u{301}", "\u{301}a", "😀", "e\u{301}\u{20DD}", "\u{7F}", "\r\n",
    ]

    @Test("a path is read back as it was printed, and so is its JSON Pointer", arguments: names)
    func laws(name: String) throws {
        for components in [
            [.key(name)], [.key(name), .index(3), .key(name)], [.index(0), .everyElement, .key(name)],
            [.key(name), .everyMember, .key(name)],
        ] as [[DocumentPath.Component]] {
            let path = DocumentPath(components)
            let back = try #require(DocumentPath(path.description))
            #expect(back.description.unicodeScalars.elementsEqual(path.description.unicodeScalars))
            #expect(back == path)
        }
        var builder = DocumentBuilder()
        builder.beginObject()
        builder.key(name)
        builder.beginArray()
        builder.null()
        builder.end()
        builder.end()
        let document = builder.finish()
        let path = DocumentPath([.key(name), .index(0)])
        #expect(DocumentPath(jsonPointer: path.jsonPointer, in: document.root) == path)
        #expect(document.root.descendant(at: path)?.isNull == true)
        #expect(document.root[name]?[0]?.path == path)
    }

    @Test(
        "a path is printed as in JSONPath",
        arguments: [
            ([.key("lines"), .index(3), .key("unit price")], "$.lines[3]['unit price']"), ([], "$"),
            ([.key("it's")], #"$['it\'s']"#), ([.key("日本")], "$.日本"),
            ([.everyElement, .index(0)], "$[*][0]"), ([.everyMember, .key("*")], "$.*['*']"),
            ([.key("\u{1}\n")], #"$['\u0001\n']"#),
        ] as [([DocumentPath.Component], String)])
    func printing(components: [DocumentPath.Component], text: String) {
        #expect(DocumentPath(components).description == text)
    }

    @Test(
        "a text that is not a path is refused",
        arguments: [
            "", "a", "$.", "$a", "$[", "$[]", "$[01]", "$[-1]", "$[1", "$['a]", "$['a'", "$.1a", "$..a", "$[a]", "$ .a",
            "$.a ", #"$['\x']"#, #"$['\uD800']"#, #"$['\ud83d\ue000']"#, #"$['\ud83d\udbff']"#,
            #"$['\ud83dx']"#, #"$['\udc00']"#, #"$['\u12']"#, "$[*", "$[*a]", "$['a'b]", "$a.b", "$.a[", "$.a['b",
            "$[99999999999999999999]",
        ])
    func refusals(text: String) { #expect(DocumentPath(text) == nil) }

    @Test("a path may have double quotation marks and all escapes")
    func reading() {
        #expect(DocumentPath(#"$["a'b"]"#) == DocumentPath([.key("a'b")]))
        #expect(DocumentPath(#"$['\ud83d\ude00\/']"#) == DocumentPath([.key("😀/")]))
        #expect(DocumentPath(#"$['\ud800\udc00\udbff\udfff']"#) == DocumentPath([.key("\u{10000}\u{10FFFF}")]))
        #expect(
            DocumentPath(#"$['\uD7FF\uE000\b\f\n\r\t\\']"#)
                == DocumentPath([.key("\u{D7FF}\u{E000}\u{8}\u{C}\n\r\t\\")]))
        #expect(DocumentPath("$.1.a.02") == DocumentPath([.key("1"), .key("a"), .key("02")]))
        #expect(DocumentPath("$[0][10][*]") == DocumentPath([.index(0), .index(10), .everyElement]))
    }

    @Test("JSON Pointers follow the examples of RFC 6901")
    func pointers() throws {
        let document = try Document(
            json: ##"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"##)
        for (pointer, text) in [
            ("", JSONWriter().string(document.root)), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"),
            ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
            ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
        ] {
            let path = try #require(DocumentPath(jsonPointer: pointer, in: document.root))
            let value = try #require(document.root.descendant(at: path))
            #expect(JSONWriter().string(value) == text)
            #expect(path.jsonPointer == pointer)
        }
        for pointer in ["foo", "/~", "/~2", "/a~"] { #expect(DocumentPath(jsonPointer: pointer) == nil) }
        #expect(DocumentPath(jsonPointer: "/01/1") == DocumentPath([.key("01"), .index(1)]))
    }

    @Test("a pointer's number is a position in an array, a name in an object, and a position if there is nothing")
    func pointerNumbers() throws {
        let root = try Document(json: #"[{"1": [7, {"0": 8}], "x": 1}, [2]]"#).root
        for (pointer, path) in [
            ("/0/1", "$[0]['1']"), ("/0/1/1/0", "$[0]['1'][1]['0']"), ("/1/0", "$[1][0]"), ("/0/x/3", "$[0].x[3]"),
            ("/0/2/3", "$[0]['2'][3]"), ("/5/1", "$[5][1]"), ("/01", "$['01']"), ("/-", "$['-']"), ("/0/", "$[0]['']"),
        ] {
            #expect(DocumentPath(jsonPointer: pointer, in: root)?.description == path)
        }
    }

    @Test("a path is converted from and to a coding path")
    func codingPaths() {
        let path = DocumentPath([.key("a"), .index(3), .key("7")])
        #expect(DocumentPath(codingPath: path.codingPath) == path)
        #expect(DocumentPath(codingPath: [PathCodingKey(intValue: 7)]) == DocumentPath([.key("7")]))
    }
}
