import Foundation
import Testing

@testable import DocumentModel

@Suite("Formats that the beginning of a file announces")
struct DocumentFormatTests {
    private func announced(_ text: String, _ encoding: TextEncoding = .utf8, withMark: Bool = false) -> DocumentFormat?
    {
        .announced(by: SourceBytes(encoding.data(of: Data(text.utf8), withByteOrderMark: withMark)))
    }

    @Test(
        "the beginning of a file announces an object of JSON, a property list, or nothing",
        arguments: [
            ("{", DocumentFormat.json), (" \t\r\n{x", .json), ("[", nil), ("1", nil), ("", nil), (" ", nil),
            ("\"{\"", nil), ("x{", nil), ("é{", nil), ("bplist00", .plistBinary), ("bplis", nil), (" bplist00", nil),
            ("<plist>", .plistXML), ("<plist version='1.0'>", .plistXML), ("<plist/>", .plistXML),
            ("<plist", .plistXML),
            ("<plists>", nil), ("<Plist>", nil), ("<html>", nil), ("<?xml version='1.0'?><plist>", .plistXML),
            ("<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE plist PUBLIC>", .plistXML),
            ("<!DOCTYPE plist>", .plistXML),
            ("<!DOCTYPE html>", nil), ("<!DOCTYPE plistx>", nil), ("<?xml?><html>", nil), ("<!-- {", nil),
            ("<?xml {", nil),
            ("// a\n{", .json), ("/* a */ // {\r\n /**/\n{", .json), ("/* {", nil), ("// {", nil), ("/ {", nil),
            ("// a\nimport {", nil), ("/* a */ [", nil), ("/* a */ // b\n", nil),
            ("\n<plist>", .plistXML), ("<!--a--><!--b--><?c?><plist>", .plistXML), ("<!-- a --{", nil),
        ] as [(String, DocumentFormat?)])
    func forms(text: String, format: DocumentFormat?) {
        #expect(announced(text) == format)
        guard format != .plistBinary else { return }
        #expect(announced(text, .utf8, withMark: true) == format)
        for encoding in [TextEncoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
            #expect(announced(text, encoding, withMark: true) == format)
        }
    }

    @Test(
        "the beginning of a file is read up to the length of the head in wide encodings, even without a byte order mark"
    )
    func head() {
        for encoding in [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
            #expect(announced("{\"a\": 1}", encoding) == .json)
            let spaces = DocumentFormat.headLength / encoding.unitLength
            #expect(announced(String(repeating: " ", count: spaces - 1) + "{}", encoding) == .json)
            let isSeen = announced(String(repeating: " ", count: spaces) + "{}", encoding) == .json
            #expect(isSeen == (encoding == .utf8))
        }
    }

    @Test("a brief text has a scalar as JSON writes it, up to 60 characters, and the number of elements of a container")
    func briefTexts() throws {
        for (json, text) in [
            ("{}", "an object of 0 members"), (#"{"a":1}"#, "an object of 1 member"),
            ("[1,2]", "an array of 2 elements"),
            ("[1]", "an array of 1 element"), ("1.50", "1.50"), ("null", "null"), (#""a\n""#, #""a\n""#),
        ] {
            #expect(try Document(json: json).root.briefText == text)
        }
        let digits = String(repeating: "é", count: 60)
        #expect(digits.abbreviated() == digits && (digits + "1").abbreviated() == digits + "…")
        #expect("abc".abbreviated(to: 2) == "ab…" && "ab".abbreviated(to: 2) == "ab" && "".abbreviated(to: 0).isEmpty)
    }
}
