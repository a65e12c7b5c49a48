import DocumentModel
import Foundation
import Testing

@Suite("JSON5")
struct JSON5Tests {
    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return decoder
    }()

    private func document(_ text: String) throws -> Document {
        try Document(parsing: SourceBytes(text), allowsJSON5: true)
    }

    /// Texts with every construct, valid and invalid. JSONDecoder traps on `[1e+]` and on integers below
    /// `-0x8000000000000000`, which are left out.
    private static let texts: [String] = [
        "[1,2,]", "[,]", "[1,,2]", "{a:1,}", "{,}", "{a:1,,}", "// c\n[1]", "[1]// c", "[1]/* c */", "[1]/* c",
        "/* ** **/[1]", "/*/[1]", "/**/[1]", "[1] /", "[1/**/,/**/2]", "// c\r[1]", "// c\u{2028}[1]", "//c",
        "{'a':1}", "{a:'x'}", #"['it\'s "q"']"#, #"["it's"]"#, "{$a:1,_b:2,c1:3}", "{1a:1}", "{-a:1}", "{é:1}",
        "{aé:1}", "{日本:1}", #"{\u0061b:1}"#, #"{a\u0062:1}"#, #"{\x61:1}"#, #"{a\x62c:1}"#, "{a-b:1}", "{a.b:1}",
        "{a b:1}", "{null:1,true:2,Infinity:3}", "{a\u{200C}b:1}", "{a\u{0301}:1}", "{\u{0301}a:1}", "{ⅷ:1}",
        "{a\u{203F}b:1}", #"{\u0030a:1}"#, #"{a\u002d:1}"#, #"{a\n:1}"#, #"{\uD83D\uDE00:1}"#, #"{a\u0000:1}"#,
        #"{F\u0061\u0062:1}"#, "{fa:1}", "{a:1,b:2}", "{😀:1}", "[0x10]", "[-0x10]", "[+0xFf]", "[0X1f]", "[0x]",
        "[0xg]", "[0x1.5]", "[0xFFFFFFFFFFFFFFFF]", "[0x1FFFFFFFFFFFFFFFF]", "[-0x8000000000000000]",
        "[0x20000000000001]", "[00]", "[01]", "[+1]", "[+]", "[-]", "[+-1]", "[.5]", "[-.5]", "[+.5]", "[5.]", "[-5.]",
        "[5.e3]", "[.e3]", "[.]", "[5.5.]", "[1e5]", "[1E+5]", "[1e]", "[5.e]", "[0.]", "[0.0]", "[-0]", "[+0]",
        "[-0x0]", "[0x0]", "[1.5]", "[12345678901234567890]", "[Infinity]", "[-Infinity]", "[+Infinity]", "[NaN]",
        "[-NaN]", "[+NaN]", "[Inf]", "[infinity]", "[nan]", "[-inf]", "[1x]", "[1Infinity]", "['a\\\nb']",
        "['a\\\r\nb']", "['a\\\rb']", "['a\\\u{2028}b']", "['a\u{2028}b']", #"['\v']"#, #"['\0']"#, #"['\x41']"#,
        #"['\x4']"#, #"['\x00']"#, #"['\u0000']"#, #"['\a']"#, #"['\1']"#, #"['\'\"\\\/\b\f\n\r\t']"#, "['a\nb']",
        "['a\tb']", #"['\uD83D\uDE00']"#, #"['\uD83D']"#, #"['\uDE00']"#, #"['\xe9']"#, #"['\u00e9']"#, #"['\é']"#,
        #"['\u004']"#, #"['\U0041']"#, "\u{0B}[1]", "\u{0C}[1]", "\u{A0}[1]", "\u{FEFF}[1]", "[\u{FEFF}1]",
        "\u{2003}[1]", "[1\u{2028}]", "[1\u{85}]", "[1\u{3000}]", "[\"\u{A0}\"]", "", "   ", "// only", "5", "'a'",
        "Infinity", "null", "0x10", "+5", ".5", "a:1", "nul", "[nullx]", "[truex]", "[true1]", "[null/**/]",
        "{a:null/**/}", "{a/**/:/**/1}", "{a : 1}", "{a}", "{a:}", "{:1}", "{a 1}", "[1 2]", "[1", "{a:1", "['a",
        "{'a", "{a", "{a:1}x", "[1]]", "[1]/", "[1]#", "[[[]]]", "{a:{b:[1,{c:'d'}]}}", "[1,2,// end\n]", "{a:1,/*x*/}",
        "[/**/]", "{/**/}", "[1,/**/,]", "[+true]", "[-'a']", "[1_000]", "[0b1]", "[0o7]", "['a' 'b']", "[undefined]",
        "[1,//\r\n2]", "[0x1e]", "[1-2]", "[1.2.3]", "[1e5.5]", "[--1]", "[- 1]",
    ]

    @Test(
        "a JSON5 text is accepted if JSONDecoder accepts it, with the same values, and is refused otherwise",
        arguments: texts)
    func oracle(text: String) throws {
        let expected = try? Self.decoder.decode(Document.self, from: Data(text.utf8))
        let found = try? DocumentDecoder().decode(Document.self, from: document(text).root)
        #expect((expected == nil) == (found == nil))
        // JSONDecoder gives a document a Decimal for a number that is not finite, and that is not even infinite.
        if let expected, !text.contains("[") || !["Inf", "NaN"].contains(where: text.contains), text != "Infinity" {
            #expect(found == expected)
        }
    }

    @Test("reals are those of JSONDecoder, and a hexadecimal number is exact to the last digit of its type")
    func reals() throws {
        func check<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
            let expected = try? Self.decoder.decode([Value].self, from: Data(text.utf8))
            let found = try? DocumentDecoder().decode([Value].self, from: document(text).root)
            #expect("\(expected as Any)" == "\(found as Any)", "\(text) as \(type)")
        }
        for text in [
            "[+0x10]", "[0x20000000000001,]", "[0x1000001,]", "[-0x8000000000000000,]",
            "[0xFFFFFFFFFFFFFFFF,]", "[Infinity]", "[-Infinity]", "[NaN]", "[.5]", "[5.]", "[+.5e1]", "[-0x0]", "[+0]",
        ] {
            try check(Double.self, text)
            try check(Float.self, text)
            try check(Int.self, text)
            try check(UInt64.self, text)
            try check(UInt8.self, text)
            try check(Decimal.self, text)
        }
    }

    @Test("a byte that JSONDecoder takes for a no-break space is white space, and comments may contain any bytes")
    func bytesThatAreNoText() throws {
        for (bytes, opens) in [
            ([0x5B, 0xA0, 0x31, 0x5D], true), ([0x2F, 0x2F, 0xFF, 0x0A, 0x5B, 0x31, 0x5D], true),
            ([0x2F, 0x2A, 0xFF, 0x2A, 0x2F, 0x5B, 0x31, 0x5D], true), ([0x5B, 0x27, 0xFF, 0x27, 0x5D], false),
            ([0x7B, 0x61, 0xFF, 0x3A, 0x31, 0x7D], false), ([0xC2, 0x5B, 0x31, 0x5D], false),
        ] as [([UInt8], Bool)] {
            let document = try? Document(parsing: SourceBytes(Data(bytes)), allowsJSON5: true)
            #expect((document != nil) == opens, "\(bytes)")
            #expect(((try? Self.decoder.decode(Document.self, from: Data(bytes))) != nil) == opens, "\(bytes)")
        }
    }

    @Test("JSON5 is nested as deeply as JSON may be, and no deeper")
    func depth() throws {
        func text(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "/**/" + String(repeating: "]", count: depth)
        }
        #expect(try document(text(512)).root.nodes.count == 512)
        let error = try #require(throws: DocumentParseError.self) { try document(text(513)) }
        #expect(error.problem == .tooDeep)
    }

    @Test("every value and name has its location in the text")
    func places() throws {
        let text = "// poem\n{\n  title: 'Lear', /* é */ \"n\": 0x1F,\n  list: [ +1, .5, ],\n}\n"
        let document = try document(text)
        #expect(document.format == .json5)
        let source = try #require(document.source)
        #expect(
            document.root.nodes.dropFirst().map { source.string(in: $0.sourceRange ?? 0..<0) } == [
                "title", "'Lear'", "\"n\"", "0x1F", "list", "[ +1, .5, ]", "+1", ".5",
            ])
        #expect(document.root.location == SourceLocation(line: 2, column: 1, offset: 8))
        #expect(document.root["n"]?.location == SourceLocation(line: 3, column: 31, offset: 41))
        #expect(JSONWriter().string(document.root) == #"{"title":"Lear","n":31,"list":[1,0.5]}"#)
    }

    @Test("a problem in JSON5 is not reported as a construct that JSON lacks")
    func problemOfJSON5() throws {
        let error = try #require(throws: DocumentParseError.self) {
            try document("{\u{A0}\u{2003}version: 1}")
        }
        if case .json5 = error.problem { Issue.record("\(error.problem)") }
    }

    @Test("a text that is JSON stays JSON if JSON5 is allowed")
    func json() throws {
        #expect(try document("[1, 2,]").format == .json)
        #expect(try document("[1, 2,/**/]").format == .json5)
    }

    @Test("an error is that of the format in which more of the text can be read")
    func errors() throws {
        func error(_ text: String) throws -> DocumentParseError {
            try #require(throws: DocumentParseError.self) { try document(text) }
        }
        let json = try error("{\"a\": }")
        #expect(json.format == .json && json.problem == .unexpected(found: .character(0x7D), expected: .value))
        let json5 = try error("{a: 1, b}")
        #expect(json5.format == .json5 && json5.location?.column == 9)
        #expect(json5.problem == .unexpected(found: .character(0x7D), expected: .colon))
        #expect(try error("[1] /* c").problem == .unendedComment)
        #expect(try error("['a\n']").problem == .controlCharacter(0x0A))
        #expect(
            try error("[1,/**/'a").problem
                == .endInString(start: SourceLocation(line: 1, column: 8, offset: 7), inSingleQuotes: true))
        #expect(try error("[0x]").problem == .unexpected(found: .character(0x5D), expected: .hexadecimalDigit))
        #expect(try error("[1e+,//\n]").problem == .unexpected(found: .character(0x2C), expected: .digitOfExponent))
    }

    @Test(
        "each JSON5 construct is reported at its beginning if JSON is required",
        arguments: [
            ("[1, // c\n2]", 5, JSON5Construct.comment), ("/* c */ 1", 1, .comment), ("{\"a\": 1 /**/}", 9, .comment),
            ("{\"a\" /**/ : 1}", 6, .comment), ("[1] // c", 5, .comment), ("{'a': 1}", 2, .singleQuotes),
            ("[1, 'a']", 5, .singleQuotes), ("{a: 1}", 2, .bareName("a")), ("{\"a\": 1, b1$: 1}", 10, .bareName("b1$")),
            ("[0x1F]", 2, .hexadecimalNumber), ("[-0x1F]", 2, .hexadecimalNumber), ("[+1]", 2, .plusSign),
            ("[.5]", 2, .leadingPoint), ("[-.5]", 2, .leadingPoint), ("[1, 5.]", 5, .trailingPoint),
            ("[Infinity]", 2, .notFinite("Infinity")), ("[-Infinity]", 2, .notFinite("Infinity")),
            ("[NaN]", 2, .notFinite("NaN")), ("[\"a\\\nb\"]", 4, .continuedLine), (#"["\x41"]"#, 3, .escape("x")),
            (#"["\'"]"#, 3, .escape("'")), ("[\u{0B}1]", 2, .whiteSpace(0x0B)),
        ])
    func constructs(text: String, column: Int, construct: JSON5Construct) throws {
        let error = try #require(throws: DocumentParseError.self) { try Document(json: text) }
        #expect(error.problem == .json5(construct))
        #expect(error.location?.column == column)
        #expect(try document(text).format == .json5)
    }

    @Test("a JSON5 document is edited in memory, and numbers that are not finite stay what they are")
    func edits() throws {
        let edited = try document("{a: Infinity, b: 'x', /* c */ c: [NaN]}").applying([
            .set(DocumentPath("$.b") ?? .root, try Document(json: "2"))
        ])
        #expect(edited.format == .json5)
        #expect(JSONWriter().string(edited.root) == #"{"a":Infinity,"b":2,"c":[NaN]}"#)
    }

    @Test("the layout of a text with comments is kept, without the comments")
    func layout() throws {
        let document = try document("{ // c\n  /* d */ a /* e */ : 1\n}")
        #expect(JSONWriter(layout: .matching(document)).string(document.root) == "{\n  \"a\": 1\n}")
    }
}
