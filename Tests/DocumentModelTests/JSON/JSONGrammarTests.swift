import Foundation
import Testing

@testable import DocumentModel

/// Texts that RFC 8259 allows (`y`), forbids (`n`), or leaves to the parser (`i`), as sorted in Seriot's "Parsing
/// JSON is a Minefield".
@Suite("The grammar of JSON")
struct JSONGrammarTests {
    static let allowed = [
        "[]", "{}", "[[]]", "[{}]", "null", "true", "false", "0", "-0", "1", "-1", "123", "1.5", "1e5", "1E5", "1e+5",
        "1e-5", "1.5E+05",
        "0e0", "0.0", "-0.0e-0", "\"\"", " [] ", "\t\n\r []\r\n", "[1 , 2]", "{ \"a\" : 1 }", "{\"\":0}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":[]}}", #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uD83D\uDE00""#, #""\ud83d\ude00""#,
        #""\u00e9\u00E9""#, #""\\u""#,
        "\"\u{7F}\"", "\"é日😀\"", "\"\u{2028}\u{2029}\"", "\"\u{FFFF}\u{10FFFF}\"", "\"\u{FEFF}\"", "\u{FEFF}[]",
        "[1e400]", "[1e-400]",
        "123456789012345678901234567890", "0.1234567890123456789012345678901234567890", "\"/\"", "\"a\u{0301}\"",
        "[null,true,false]",
        "{\"\\u0061\":1}", "[\"        \"]", "[                                ]",
    ]

    static let forbidden = [
        "", " ", "[", "]", "{", "}", "[}", "{]", "[1", "[1,", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1]]", "[1],",
        "[][]", "{,}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{\"a\"::1}", "{a:1}", "{'a':1}", "{1:1}",
        "{\"a\":1}}", "{\"a\":1", "{\"a",
        "{null:1}", "{[]:1}", "'a'", "\"", "\"a", "a", "nul", "nulL", "NULL", "tru", "True", "fals", "nullx",
        "truefalse", "undefined",
        "NaN", "nan", "Infinity", "-Infinity", "inf", "-", "+", "+1", "--1", "01", "-01", "00", "1.", ".5", "-.5",
        "1.e5", "1e", "1e+", "1E-", "1ee5",
        "1e5.5", "1.5.5", "0x10", "1_000", "1,000", "1 000", "١", "1a", "- 1", "0e", "0.e1", "1e1e1", "-a", "[-]",
        "\"\n\"", "\"\t\"", "\"\0\"", "\"\u{1F}\"", #""\""#, #""\a""#, #""\'""#, #""\x41""#, #""\u""#, #""\u1""#,
        #""\u12""#, #""\u123""#,
        #""\u123g""#, #""\U0041""#, #""\ ""#, #""\u{41}""#, "\"\\\n\"", "\"\\é\"", "\u{A0}[]", "\u{2003}[]",
        "[]\u{FEFF}", "[\u{FEFF}]", "\u{0C}[]", "\u{0B}[]",
        "[]\0", "\0[]", "[1\0]", "// c\n[]", "[/* c */]", "# c\n[]", "[]//", "<a/>", "[\"a\" \"b\"]", "[\"a\":1]",
        "{\"a\":1:2}", "(1)", "[1;2]", "é",
    ]

    /// Texts that the RFC leaves open, and that are refused here as by Foundation: surrogates without their other half.
    static let refused = [
        #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uDE00\uD83D""#, #""\uD800a""#, #""\uD800\n""#,
        #""\uD83D\u0041""#, #""\uD800\u""#,
    ]

    @Test("a text that RFC 8259 allows is read and kept as it is", arguments: allowed)
    func acceptance(text: String) throws {
        let document = try Document(json: text)
        let written = JSONWriter().string(document.root)
        #expect(try Document(json: written) == document)
        #expect(try JSONWriter().string(Document(json: written).root) == written)
    }

    @Test(
        "a comma before a closing bracket is ignored as by Foundation's decoder, but only one, and only after a value",
        arguments: [
            "[1,]", "[,]", "{\"a\":1,}", "[1,,]", "{,}", "{\"a\":1,,}", "[1 , ]", "[1,\n]", "{\"a\":[1,],}", "[[],]",
            "[{},]",
            "[1,2", "[1,", "{\"a\":1,", "[,1]", "{\"a\":,}", "[1,]x", "[1,] ,", "1,", "[1,}", "{\"a\":1,]", "[\"x\",]",
            "{\"a\":\"x\" , }", "[null,]", "[true,]", "[1e5,]", "[1,]]", "{\"a\":{},}", "{\"a\":{\"b\":1,},}", "{ , }",
            "[[1,],]",
        ])
    func extraCommas(text: String) throws {
        guard let read = try? JSONDecoder().decode(AnyJSON.self, from: Data(text.utf8)) else {
            #expect(throws: DocumentParseError.self) { try Document(json: text) }
            return
        }
        let document = try Document(json: text)
        let written = JSONWriter().data(document.root)
        #expect(try JSONDecoder().decode(AnyJSON.self, from: written) == read)
        #expect(try Document(parsing: SourceBytes(written)).leniencies.isEmpty)
        #expect(!document.leniencies.isEmpty)
    }

    @Test("an ignored comma is reported with its location")
    func placesOfExtraCommas() throws {
        let document = try Document(json: "{\n  \"a\": [1, 2 ,\n ],\n  \"é\": 1,\n}")
        #expect(document.leniencies.map(\.kind) == [.commaBeforeClosingBracket, .commaBeforeClosingBracket])
        #expect(document.leniencies.map { "\($0.location)" } == ["line 2, column 14", "line 4, column 9"])
        #expect(try Document(json: "[1, 2]").leniencies.isEmpty)
        let many = "[" + String(repeating: "[1,],", count: 1000) + "1]"
        #expect(try Document(json: many).leniencies.count == Document.mostLeniencies)
    }

    @Test("a text that RFC 8259 forbids is refused, with the location", arguments: forbidden + refused)
    func refusal(text: String) throws {
        let error = try #require(throws: DocumentParseError.self) { try Document(json: text) }
        let location = try #require(error.location)
        #expect(location.offset <= text.utf8.count && location.line >= 1 && location.column >= 1)
    }

    static let illFormed: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE9],
        [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xE2, 0x28, 0xA1], [0xF0, 0x28, 0x8C, 0xBC],
    ]

    @Test("a text that is not UTF-8 is refused with its offset, at any position in a string", arguments: illFormed)
    func refusal(bytes: [UInt8]) throws {
        for padding in 0..<10 {
            let text = Data("[\"".utf8) + Data(repeating: 0x61, count: padding) + Data(bytes) + Data("\"]".utf8)
            let error = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(text)) }
            #expect(error.location?.offset == 2 + padding)
            #expect(error.problem == .notUTF8(byte: bytes[0]))
        }
        let cut = Data("\"".utf8) + Data(bytes)
        #expect(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(cut)) }
    }

    @Test("nesting is allowed as deeply as in Foundation, and deeper nesting is an error, not a crash")
    func depth() throws {
        func nested(_ depth: Int, _ opening: String, _ closing: String) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        for (opening, closing) in [("[", "]"), ("{\"a\":", "}")] {
            #expect(try Document(json: nested(512, opening, closing)).root.kind.isContainer)
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(nested(512, opening, closing).utf8))
            }
            #expect(throws: (any Error).self) {
                try JSONSerialization.jsonObject(with: Data(nested(513, opening, closing).utf8))
            }
            for depth in [513, 100_000] {
                let error = try #require(throws: DocumentParseError.self) {
                    try Document(json: nested(depth, opening, closing))
                }
                #expect(error.location?.offset == 512 * opening.utf8.count)
            }
        }
        #expect(throws: DocumentParseError.self) { try Document(json: String(repeating: "[", count: 100_000)) }
    }
}

/// Any JSON, as Foundation's decoder reads it.
private indirect enum AnyJSON: Decodable, Equatable {
    case object([String: AnyJSON])
    case array([AnyJSON])
    case scalar(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: AnyJSON].self) {
            self = .object(members)
        } else if let elements = try? container.decode([AnyJSON].self) {
            self = .array(elements)
        } else if let text = try? container.decode(String.self) {
            self = .scalar(text)
        } else if let number = try? container.decode(Double.self) {
            self = .scalar("\(number)")
        } else if let boolean = try? container.decode(Bool.self) {
            self = .scalar("\(boolean)")
        } else if container.decodeNil() {
            self = .scalar("null")
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no value")
        }
    }
}
