import DocumentModel
import Testing

@testable import MigrationInspector

@Suite("Source excerpts")
struct SourceExcerptTests {
    @Test("a short line is shown whole, with the caret under the position")
    func short() {
        let excerpt = SourceExcerpt(
            bytes: SourceBytes("{\n  \"é\": 9\n}"), location: SourceLocation(line: 2, column: 8, offset: 10))
        #expect(excerpt.lines == ["2 │   \"é\": 9", "  │        ^"])
        let later = SourceExcerpt(bytes: excerpt.bytes, location: excerpt.location, firstLine: 9)
        #expect(later.lines == ["10 │   \"é\": 9", "   │        ^"])
    }

    @Test("other values on the same line have a caret of their own, and values on other lines an excerpt")
    func others() {
        let bytes = SourceBytes("{\"from\": 9, \"to\": 3,\n \"é\": 1,\n \"z\": 2}")
        func location(_ line: Int, _ column: Int) -> DocumentModel.SourceLocation {
            DocumentModel.SourceLocation(line: line, column: column, offset: 0)
        }
        let sameLine = SourceExcerpt(bytes: bytes, location: location(1, 10), others: [location(1, 19)])
        #expect(sameLine.lines == ["1 │ {\"from\": 9, \"to\": 3,", "  │          ^        ^"])
        let before = SourceExcerpt(bytes: bytes, location: location(1, 19), others: [location(1, 10), location(3, 7)])
        #expect(before.lines == sameLine.lines + ["3 │  \"z\": 2}", "  │       ^"])
        let second = SourceExcerpt(
            bytes: bytes, location: location(3, 7), others: [location(2, 7), location(1, 10), location(1, 19)])
        #expect(
            second.lines == ["3 │  \"z\": 2}", "  │       ^", "2 │  \"é\": 1,", "  │       ^"] + sameLine.lines)
    }

    @Test("an excerpt of a very long line only reads the part around the position")
    func long() {
        let before = String(repeating: "ü", count: 2_000_000)
        let bytes = SourceBytes("[\"\(before)\", 9, \"\(before)\"]")
        let started = ContinuousClock.now
        let column = before.unicodeScalars.count + 6
        let excerpt = SourceExcerpt(bytes: bytes, location: SourceLocation(line: 1, column: column, offset: 0))
        let lines = excerpt.lines
        #expect(
            lines == [
                "1 │ …" + String(repeating: "ü", count: 57) + "\", 9, \"" + String(repeating: "ü", count: 56) + "…",
                "  │ " + String(repeating: " ", count: 61) + "^",
            ])
        #expect(ContinuousClock.now - started < .seconds(5))
    }

    @Test(
        "an excerpt shows 60 characters on either side, and an ellipsis if there are more",
        arguments: [0, 1, 59, 60, 61, 62, 300])
    func reach(count: Int) {
        let reach = 60
        for (isAhead, letter) in [(true, "a"), (false, "é")] {
            let text = String(repeating: letter, count: count)
            let line = isAhead ? text + "X" : "X" + text
            let excerpt = SourceExcerpt(
                bytes: SourceBytes("first\n\(line)\nlast"),
                location: SourceLocation(line: 2, column: isAhead ? count + 1 : 1, offset: 0))
            // The character at the position is the first one of those after it.
            let shown = min(count, isAhead ? reach : reach - 1)
            let kept = String(repeating: letter, count: shown)
            let isCut = shown < count
            let expected = isAhead ? (isCut ? "…" : "") + kept + "X" : "X" + kept + (isCut ? "…" : "")
            let column = isAhead ? shown + (isCut ? 1 : 0) : 0
            #expect(excerpt.lines == ["2 │ " + expected, "  │ " + String(repeating: " ", count: column) + "^"])
        }
    }

    @Test("the caret is under the position for any width of the text before it")
    func columns() {
        func lines(_ text: String, _ column: Int) -> [String] {
            SourceExcerpt(bytes: SourceBytes(text), location: SourceLocation(line: 1, column: column, offset: 0)).lines
        }
        #expect(lines("日本x", 3) == ["1 │ 日本x", "  │     ^"])
        let shown = SafeText.line("a\u{7}")
        #expect(shown.count > 2)
        #expect(lines("a\u{7}b", 3) == ["1 │ \(shown)b", "  │ " + String(repeating: " ", count: shown.count) + "^"])
        // A binary property list or a text in UTF-16.
        #expect(lines("ab\u{0}c", 1).isEmpty && lines("\u{0}abc", 3).isEmpty)
    }

    @Test("the first and the last line have an excerpt, and positions outside have none")
    func lineNumbers() {
        let bytes = SourceBytes("a\nb\nc")
        for (line, text) in [(-1, nil), (0, nil), (1, "a"), (2, "b"), (3, "c"), (4, nil)] as [(Int, String?)] {
            let lines = SourceExcerpt(bytes: bytes, location: SourceLocation(line: line, column: 1, offset: 0)).lines
            #expect(lines.first == text.map { "\(line) │ \($0)" }, "\(line)")
        }
    }

    @Test("a position beyond the end of its line or of the text doesn't fail")
    func beyond() {
        let bytes = SourceBytes("ab\ncd")
        let place = { SourceExcerpt(bytes: bytes, location: SourceLocation(line: $0, column: $1, offset: 0)).lines }
        #expect(place(2, 99) == ["2 │ cd", "  │   ^"])
        #expect(place(9, 1).isEmpty)
    }
}
