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

    @Test("a prefix never ends inside an escape or a wide character")
    func prefixes() {
        #expect(TextWidth.prefix(of: "ab\u{1B}c", fitting: 7).text == "ab")
        #expect(TextWidth.prefix(of: "ab\u{1B}c", fitting: 8).text == "ab\u{1B}")
        #expect(TextWidth.prefix(of: "東京", fitting: 3) == ("東", 2))
        #expect(TextWidth.prefix(of: "abc", fitting: 9) == ("abc", 3))
        #expect(TextWidth.prefix(of: "e\u{301}x", fitting: 1).text == "e\u{301}")
    }

    @Test("lines break at blanks, and long words break where they must")
    func wrapping() {
        #expect(TextWidth.wrap("An epicure dining at Crewe", to: 10) == ["An epicure", "dining at", "Crewe"])
        #expect(TextWidth.wrap("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(TextWidth.wrap("ab cdefghijkl", to: 6) == ["ab", "cdefgh", "ijkl"])
        #expect(TextWidth.wrap("東京都庁", to: 5) == ["東京", "都庁"])
        #expect(TextWidth.wrap("", to: 5) == [""])
        #expect(TextWidth.wrap("東", to: 1) == ["東"])
    }

    /// All texts of up to four of these characters.
    private static let texts: [String] = {
        var texts = [""]
        for _ in 0..<4 { texts = [""] + texts.flatMap { text in ["a", " ", "東", "\n", "e\u{301}"].map { text + $0 } } }
        return texts
    }()

    @Test("a prefix is as long as possible, and reports how many columns it takes")
    func longestPrefix() {
        for text in Self.texts {
            let pieces = Array(DisplayText(text).pieces)
            for columns in 0...8 {
                var used = 0
                let fitting = pieces.prefix { piece in
                    used += piece.columns
                    return used <= columns
                }
                let prefix = TextWidth.prefix(of: text, fitting: columns)
                #expect(prefix.text.endIndex == fitting.last?.range.upperBound ?? text.startIndex)
                #expect(prefix.columns == TextWidth.columns(of: String(prefix.text)) && prefix.columns <= columns)
            }
        }
    }

    @Test("lines lose only the blank at a break, and are as long as possible but no longer")
    func everyWrap() {
        for text in Self.texts {
            for columns in 1...4 {
                let lines = TextWidth.wrap(text, to: columns)
                #expect(lines.first?.startIndex == text.startIndex && lines.last?.endIndex == text.endIndex)
                for (line, next) in zip(lines, lines.dropFirst()) {
                    let between = text[line.endIndex..<next.startIndex]
                    let rest = text[next.startIndex...]
                    let width = TextWidth.columns(of: String(line))
                    #expect(between == " " || between.isEmpty)
                    // The next word would have had to fit too, or the next character of the same word.
                    let word = rest.prefix { $0 != " " }
                    let character = DisplayText(String(rest)).pieces.first { _ in true }?.columns ?? 0
                    #expect(width + (between == " " ? 1 + TextWidth.columns(of: String(word)) : character) > columns)
                    if between.isEmpty { #expect(!line.dropFirst().contains(" "), "\(lines)") }
                }
                for line in lines where TextWidth.columns(of: String(line)) > columns {
                    #expect(DisplayText(String(line)).pieces.map(\.columns).count == 1, "\(lines)")
                }
            }
        }
    }

    @Test("a megabyte of text wraps in linear time")
    func longText() {
        let text = String(repeating: "word and ", count: 1 << 15)
        let time = ContinuousClock().measure { _ = TextWidth.wrap(text, to: 40) }
        #expect(time < .seconds(10))
    }
}
