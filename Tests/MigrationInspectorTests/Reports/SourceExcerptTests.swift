import DocumentModel
import Testing

@testable import MigrationInspector

@Suite("Excerpts of a source")
struct SourceExcerptTests {
    @Test("a short line is shown whole, with the sign under the place")
    func short() {
        let excerpt = SourceExcerpt(
            bytes: SourceBytes("{\n  \"é\": 9\n}"), location: SourceLocation(line: 2, column: 8, offset: 10))
        #expect(excerpt.lines == ["2 │   \"é\": 9", "  │        ^"])
        let later = SourceExcerpt(bytes: excerpt.bytes, location: excerpt.location, firstLine: 9)
        #expect(later.lines == ["10 │   \"é\": 9", "   │        ^"])
    }

    @Test("of a line of many megabytes only what surrounds the place is looked at")
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

    @Test("a place beyond the end of its line, or of the text, is no reason to fail")
    func beyond() {
        let bytes = SourceBytes("ab\ncd")
        let place = { SourceExcerpt(bytes: bytes, location: SourceLocation(line: $0, column: $1, offset: 0)).lines }
        #expect(place(2, 99) == ["2 │ cd", "  │   ^"])
        #expect(place(9, 1).isEmpty)
    }
}
