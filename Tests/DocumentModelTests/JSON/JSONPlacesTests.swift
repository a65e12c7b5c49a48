import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("Locations in a JSON text")
struct JSONPlacesTests {
    private func error(_ text: String) throws -> DocumentParseError {
        try #require(throws: DocumentParseError.self) { try Document(json: text) }
    }

    @Test(
        "locations count lines that end at LF, CRLF or CR, columns in scalars and offsets in bytes",
        arguments: [
            ("[\n 1,\n  x]", 3, 3, 8), ("[\r\n 1,\r\n  x]", 3, 3, 10), ("[\r 1,\r  x]", 3, 3, 8),
            ("[\r\n\n\r\rx]", 5, 1, 6), ("x", 1, 1, 0),
            ("[\"é日😀e\u{301}\", x]", 1, 11, 17), ("\u{FEFF}x", 1, 1, 3), ("\u{FEFF}\nx", 2, 1, 4), ("", 1, 1, 0),
            ("[\n", 2, 1, 2), ("[1,\u{A0}]", 1, 4, 3),
        ])
    func errors(text: String, line: Int, column: Int, offset: Int) throws {
        #expect(try error(text).location == SourceLocation(line: line, column: column, offset: offset))
    }

    @Test("the locations of values agree with the index of lines")
    func values() throws {
        let text = "{\r\n  \"é\": [1,\r    \"x\\n\",\n\n {\"a\": null}]\n}"
        let document = try Document(json: text)
        let source = try #require(document.source)
        let index = LineIndex(source)
        for node in document.root.nodes {
            let range = try #require(node.sourceRange)
            #expect(node.location == index.location(at: range.lowerBound))
            #expect(index.offset(of: index.location(at: range.lowerBound)) == range.lowerBound)
        }
        #expect(document.root["é"]?[2]?["a"]?.location == SourceLocation(line: 5, column: 8, offset: 34))
        #expect(
            (0..<index.count).map { source.string(in: index.range(ofLine: $0)) } == [
                "{", "  \"é\": [1,", "    \"x\\n\",", "", " {\"a\": null}]", "}",
            ])
    }

    @Test(
        "the location of an offset is the same with and without an index of lines", arguments: 0..<40 as Range<UInt64>)
    func lines(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [Unicode.Scalar] = ["a", "\n", "\r", "é", "😀", "\u{0B}", "\u{0D}", "\u{8A}", "\u{A0A}"]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<40, using: &generator) {
            text.append(alphabet.randomElement(using: &generator) ?? "a")
        }
        let bytes = SourceBytes(String(text))
        let index = LineIndex(bytes)
        var (line, column, offset) = (1, 1, 0)
        var previous: Unicode.Scalar?
        for scalar in text {
            // A new line does not begin between CR and LF.
            if previous == "\n" || (previous == "\r" && scalar != "\n") { (line, column) = (line + 1, 1) }
            let expected = SourceLocation(line: line, column: column, offset: offset)
            #expect(index.location(at: offset) == expected)
            #expect(LineIndex.location(at: offset, in: bytes) == expected)
            column += 1
            offset += UTF8.width(scalar)
            previous = scalar
        }
        #expect(index.location(at: offset) == LineIndex.location(at: offset, in: bytes))
    }
}
