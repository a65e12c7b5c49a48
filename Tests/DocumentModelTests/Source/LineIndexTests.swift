import Testing

@testable import DocumentModel

@Suite("The lines of a text")
struct LineIndexTests {
    private func lines(_ text: String) -> [String] {
        let bytes = SourceBytes(text)
        let index = LineIndex(bytes)
        return (0..<index.count).map { bytes.string(in: index.range(ofLine: $0)) }
    }

    @Test(
        "lines end at LF, CRLF or CR, and a byte order mark is on none",
        arguments: [
            ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("\n", ["", ""]), ("\r\n", ["", ""]), ("\r", ["", ""]),
            ("\n\r\n\r", ["", "", "", ""]), ("\r\r\n\n", ["", "", "", ""]), ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
            ("\u{FEFF}a\r\n", ["a", ""]), ("\u{FEFF}", [""]), ("1234567\r\n9", ["1234567", "9"]),
            ("12345678\r\n1", ["12345678", "1"]), ("123456\r\n", ["123456", ""]),
            ("\u{0B}\u{0C}\u{85}", ["\u{0B}\u{0C}\u{85}"]),
        ])
    func ranges(text: String, expected: [String]) { #expect(lines(text) == expected) }

    @Test("lines have every byte, including line ends, and the last line has what is after it")
    func lineOfByte() {
        let bytes = SourceBytes("ab\r\n\ncd\re")
        let index = LineIndex(bytes)
        #expect((0...bytes.count + 5).map(index.line) == [0, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3])
        #expect(LineIndex(SourceBytes("\u{FEFF}a\nb")).line(at: 0) == 0)
    }

    @Test("every line and column has a nearest byte, whatever encoding the offset was counted in")
    func nearest() {
        let index = LineIndex(SourceBytes("aé😀\r\n\n日b"))
        func offset(_ line: Int, _ column: Int) -> Int {
            index.offset(of: SourceLocation(line: line, column: column, offset: 4711))
        }
        #expect([0, 1, 2, 3, 4, 9].map { offset(1, $0) } == [0, 0, 1, 3, 7, 7])
        #expect([1, 2].map { offset(2, $0) } == [9, 9])
        #expect([1, 2, 3].map { offset(3, $0) } == [10, 13, 14])
        #expect(offset(0, 2) == 1 && offset(-5, 1) == 0 && offset(4, 1) == 10 && offset(99, 2) == 13)
    }

    @Test("a location after the end of the text is its end")
    func behindEnd() {
        let bytes = SourceBytes("a\né")
        #expect(LineIndex.location(at: 99, in: bytes) == SourceLocation(line: 2, column: 2, offset: 99))
        #expect(LineIndex(bytes).location(at: 99) == SourceLocation(line: 2, column: 2, offset: 99))
    }

    @Test("a collection is divided where its elements begin to fulfill a condition")
    func partition() {
        for count in 0...17 {
            for first in 0...count { #expect((0..<count).partitioningIndex { $0 >= first } == first) }
            #expect((5..<5 + count).partitioningIndex { $0 >= 7 } == max(5, min(7, 5 + count)))
        }
    }
}
