import Testing

@testable import DisplayText

@Suite("Text width")
struct TextWidthTests {
    @Test(
        "texts take the columns that terminals give them",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("한국어", 6),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("🚀", 2), ("👨\u{200D}👩", 4), ("❤\u{FE0F}", 1), ("שלום", 4),
            ("ที่", 1), ("\n", 2), ("\u{1B}", 6), ("\u{3000}", 2), ("●○▶✓✗", 5),
        ])
    func columns(text: String, columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test("a beginning never ends inside an escape or a wide character")
    func prefixes() {
        #expect(TextWidth.prefix(of: "ab\u{1B}c", fitting: 7).text == "ab")
        #expect(TextWidth.prefix(of: "ab\u{1B}c", fitting: 8).text == "ab\u{1B}")
        #expect(TextWidth.prefix(of: "東京", fitting: 3) == ("東", 2))
        #expect(TextWidth.prefix(of: "abc", fitting: 9) == ("abc", 3))
        #expect(TextWidth.prefix(of: "e\u{301}x", fitting: 1).text == "e\u{301}")
    }

    @Test("lines break at blanks, and long words where they must")
    func wrapping() {
        #expect(TextWidth.wrap("An epicure dining at Crewe", to: 10) == ["An epicure", "dining at", "Crewe"])
        #expect(TextWidth.wrap("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(TextWidth.wrap("ab cdefghijkl", to: 6) == ["ab", "cdefgh", "ijkl"])
        #expect(TextWidth.wrap("東京都庁", to: 5) == ["東京", "都庁"])
        #expect(TextWidth.wrap("", to: 5) == [""])
        #expect(TextWidth.wrap("東", to: 1) == ["東"])
    }

    @Test("a megabyte wraps in time that grows with its length")
    func longText() {
        let text = String(repeating: "word and ", count: 1 << 15)
        let time = ContinuousClock().measure { _ = TextWidth.wrap(text, to: 40) }
        #expect(time < .seconds(10))
    }
}
