import DisplayText
import Testing

@testable import InspectorUI

@Suite("Truncation")
struct TruncationTests {
    @Test("long texts are cut with an ellipsis at the end or in the middle")
    func truncation() {
        #expect(TextWidth.truncate("demo-data/poems", to: 8) == "demo-da…")
        #expect(TextWidth.truncate("demo-data/poems", to: 9, middle: true) == "demo…oems")
        #expect(TextWidth.truncate("short", to: 5) == "short")
        #expect(TextWidth.truncate("東京都", to: 4) == "東…")
        #expect(TextWidth.truncate("abcdef", to: 5, glyphs: .ascii) == "ab...")
        #expect(TextWidth.truncate("abcdef", to: 2, glyphs: .ascii) == "ab")
        #expect(TextWidth.truncate("abc", to: 0) == "")
    }

    @Test("a truncated text always fits", arguments: 0..<12)
    func fits(columns: Int) {
        for text in ["plain text here", "東京東京東京東", "a\u{1B}b\u{202E}c", "e\u{301}e\u{301}e\u{301}", "👨\u{200D}👩x👍🏽"] {
            for middle in [false, true] {
                let shortened = TextWidth.truncate(text, to: columns, middle: middle)
                #expect(TextWidth.columns(of: shortened) <= columns)
            }
        }
    }

    @Test("the ellipsis has the style of the text it replaces")
    func styles() {
        let runs = [StyledText("key: ", .key), StyledText("a long string", .string)]
        #expect(
            TextWidth.truncate(runs, to: 8) == [
                StyledText("key: ", .key), StyledText("a ", .string), StyledText("…", .string),
            ])
        #expect(TextWidth.truncate(runs, to: 9, middle: true).map(\.text) == ["key:", "…", "ring"])
        let more = [StyledText("ab", .key), StyledText("cdefgh", .string), StyledText("ij", .dim)]
        #expect(
            TextWidth.truncate(more, to: 7, middle: true) == [
                StyledText("ab", .key), StyledText("c", .string), StyledText("…", .string), StyledText("h", .string),
                StyledText("ij", .dim),
            ])
    }
}
