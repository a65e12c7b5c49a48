import Testing

@testable import DisplayText

@Suite("Display text")
struct DisplayTextTests {
    private func shown(_ text: String) -> String {
        DisplayText(text).string
    }

    @Test("plain text is shown as it is")
    func plain() {
        #expect(shown("An epicure dining at Crewe \\ \"~\"") == "An epicure dining at Crewe \\ \"~\"")
        #expect(shown("Grüße 東京 ελ") == "Grüße 東京 ελ")
    }

    @Test("a long text loses its middle without breaking a character's encoding")
    func withoutMiddle() {
        #expect("abcdefgh".withoutMiddle(most: 8) == "abcdefgh")
        #expect("abcdefghi".withoutMiddle(most: 8) == "abcd...fghi")
        #expect("a東京都東京b".withoutMiddle(most: 8) == "a東...京b")
        #expect("😀😀😀".withoutMiddle(most: 6) == "...")
    }

    @Test(
        "characters that could affect the terminal become visible escapes",
        arguments: [
            ("\u{1B}[2J", "\\u{1B}[2J"), ("\0", "\\0"), ("a\tb\r\n", "a\\tb\\r\\n"), ("\u{7F}", "\\u{7F}"),
            ("\u{9B}31m", "\\u{9B}31m"), ("\u{85}", "\\u{85}"), ("\u{202E}evil", "\\u{202E}evil"),
            ("\u{61C}\u{200E}\u{2066}", "\\u{61C}\\u{200E}\\u{2066}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("a\u{200B}b", "a\\u{200B}b"), ("\u{FEFF}", "\\u{FEFF}"), ("\u{AD}", "\\u{AD}"), ("\u{E000}", "\\u{E000}"),
            ("\u{378}", "\\u{378}"), ("\u{FFFF}", "\\u{FFFF}"), ("\u{10FFFF}", "\\u{10FFFF}"),
            ("\u{E0041}", "\\u{E0041}"), ("\u{3164}", "\\u{3164}"), ("\u{34F}", "\\u{34F}"),
        ])
    func escapes(text: String, expected: String) {
        #expect(shown(text) == expected)
    }

    @Test("control, format, private and unassigned characters are always escaped")
    func everyCharacter() {
        let letThrough = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
            guard CharacterClass(scalar, .unicode) != .escaped else { return false }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                return true
            default:
                return scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint
            }
        }
        #expect(letThrough.map { String($0.value, radix: 16) } == [])
    }

    @Test("escapes can be distinguished from text that looks like them")
    func flagged() {
        let units = Array(DisplayText("\\n\n"))
        #expect(units.map(\.text) == ["\\", "n", "\\", "n"])
        #expect(units.map(\.isEscape) == [false, false, true, true])
    }

    @Test("combining marks join the character before them, four at most")
    func marks() {
        #expect(DisplayText("e\u{301}x").map(\.text) == ["e\u{301}", "x"])
        #expect(shown("\u{301}x") == "\\u{301}x")
        #expect(shown("\n\u{301}") == "\\n\\u{301}")
        #expect(
            shown("e\u{301}\u{302}\u{303}\u{304}\u{305}").unicodeScalars.elementsEqual(
                "e\u{301}\u{302}\u{303}\u{304}\\u{305}".unicodeScalars))
    }

    @Test("sequences that terminals measure differently are split up")
    func sequences() {
        #expect(shown("👨\u{200D}👩\u{200D}👧") == "👨👩👧")
        #expect(shown("❤\u{FE0F}!") == "❤!")
        #expect(shown("1\u{FE0F}\u{20E3}").unicodeScalars.elementsEqual("1\u{20E3}".unicodeScalars))
        #expect(shown("👍🏽") == "👍\\u{1F3FD}")
        #expect(shown("🏽") == "🏽")
        #expect(shown("🇩🇪") == "\\u{1F1E9}\\u{1F1EA}")
    }

    @Test("a joiner or selector that joins nothing is an escape")
    func strayJoiners() {
        #expect(shown("a\u{200D}b") == "a\\u{200D}b")
        #expect(shown("👨\u{200D}") == "👨\\u{200D}")
        #expect(shown("a\u{FE0F}") == "a\\u{FE0F}")
        #expect(shown("\u{FE0F}") == "\\u{FE0F}")
        #expect(shown("❤\u{FE0F}\u{FE0E}\u{E0101}") == "❤\\u{FE0E}\\u{E0101}")
    }

    @Test("all characters beyond ASCII are escaped without UTF-8")
    func ascii() {
        #expect(DisplayText("Grüße\u{301}", repertoire: .ascii).string == "Gr\\u{FC}\\u{DF}e\\u{301}")
    }

    @Test("the text equals its units for any combination of characters")
    func textOfUnits() {
        let characters = ["a", "b", "1", "\\", "\n", "\u{301}", "\u{FE0F}", "\u{200D}", "👨", "🏽", "東", "ü"]
        for first in characters {
            for second in characters {
                for third in characters {
                    let text = first + second + third + "z"
                    let units = DisplayText(text).map(\.text).joined()
                    #expect(shown(text).unicodeScalars.elementsEqual(units.unicodeScalars), "\(units)")
                }
            }
        }
    }

    @Test("units have their ranges in the original text")
    func ranges() {
        let text = "a東\u{202E}"
        #expect(DisplayText(text).map { String(text[$0.range]) }.prefix(3) == ["a", "東", "\u{202E}"])
    }

    // MARK: - Boundaries

    @Test(
        "each kind of character ends where the next begins",
        arguments: [
            (0x1F, .escaped), (0x20, .narrow), (0x7E, .narrow), (0x7F, .escaped), (0x9F, .escaped), (0xA0, .narrow),
            (0xAC, .narrow), (0xAD, .escaped), (0xAE, .narrow), (0x2FF, .narrow), (0x300, .combining),
            (0x10FF, .narrow), (0x1100, .wide), (0x115E, .wide), (0x115F, .escaped), (0x1160, .escaped),
            (0x1161, .combining), (0x11FF, .combining), (0x1200, .narrow), (0x262F, .narrow), (0x2630, .escaped),
            (0x2637, .escaped), (0x2638, .narrow), (0x2689, .narrow), (0x268A, .escaped), (0x268F, .escaped),
            (0x2690, .narrow), (0x2E5D, .narrow), (0x2E7F, .escaped), (0x2E80, .wide), (0x303E, .wide),
            (0x303F, .narrow), (0x3041, .wide),
            (0x33FF, .wide), (0x3400, .wide), (0x9FFF, .wide), (0xA000, .wide), (0xA4C6, .wide), (0xA4D0, .narrow),
            (0xA95F, .narrow), (0xA960, .wide), (0xA97C, .wide), (0xA97D, .escaped), (0xAC00, .wide), (0xD7A3, .wide),
            (0xD7A4, .escaped), (0xD7B0, .combining), (0xD7FB, .combining), (0xD7FC, .escaped), (0xE000, .escaped),
            (0xF900, .wide), (0xFE0F, .escaped), (0xFF00, .escaped), (0xFF01, .wide), (0xFF60, .wide),
            (0xFF61, .narrow),
            (0xFFFD, .narrow), (0xFFFE, .escaped), (0x1D2F3, .narrow), (0x1D300, .escaped), (0x1D356, .escaped),
            (0x1D360, .escaped), (0x1D376, .escaped), (0x1D377, .narrow), (0x1F1E5, .escaped), (0x1F1E6, .escaped),
            (0x1F1FF, .escaped), (0x1F200, .wide), (0x1F3FB, .wide), (0x1FAE0, .wide), (0x20000, .wide),
            // The first ones of Unicode 15 and 15.1, and the last code point of all.
            (0x1FAE8, .escaped), (0x11F00, .escaped), (0x2FFC, .escaped), (0x10FFFF, .escaped),
        ] as [(UInt32, CharacterClass)])
    func classes(value: UInt32, expected: CharacterClass) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(CharacterClass(scalar, .unicode) == expected, "\(String(value, radix: 16))")
        #expect(scalar.isEscapedForDisplay == (expected == .escaped))
        #expect(CharacterClass(scalar, .ascii) == (value < 0x80 ? expected : .escaped))
        let columns = expected == .escaped ? shown(String(Character(scalar))).count : expected == .wide ? 2 : 1
        if expected != .combining { #expect(TextWidth.columns(of: String(Character(scalar))) == columns) }
    }

    @Test("Hangul vowels join consonants and syllables, and nothing else")
    func hangul() {
        for base in ["\u{1100}", "\u{115E}", "\u{A960}", "\u{A97C}", "\u{AC00}", "\u{D7A3}"] {
            for vowel in ["\u{1161}", "\u{11FF}", "\u{D7B0}", "\u{D7FB}"] {
                #expect(DisplayText(base + vowel).map(\.columns) == [2])
            }
        }
        for base in ["a", "東", "\u{A4C6}", "\u{10FF}", "\u{A4FF}", "\u{F900}", "\u{A95F}"] {
            #expect(shown(base + "\u{1161}x").hasSuffix("\\u{1161}x"), "\(base)")
        }
    }

    @Test("joiners join only pictures, and selectors only follow characters with variants")
    func joining() {
        for (text, expected) in [
            ("©\u{200D}©", "©\\u{200D}©"), ("1\u{200D}2", "1\\u{200D}2"), ("👨\u{200D}a", "👨\\u{200D}a"),
            ("a\u{200D}👨", "a\\u{200D}👨"), ("👨\n\u{200D}👩", "👨\\n\\u{200D}👩"),
            ("👨\u{200D}\u{200D}👩", "👨\\u{200D}\\u{200D}👩"),
            ("#\u{FE0F}*\u{FE0E}9\u{FE0F}", "#*9"), ("/\u{FE0F}", "/\\u{FE0F}"), ("é\u{FE00}", "é"),
            ("\u{3007}\u{E0100}", "\u{3007}"), ("a\u{301}\u{FE0F}", "a\u{301}\\u{FE0F}"),
            ("👍\u{1F3FA}", "👍\u{1F3FA}"), ("👍\u{1F3FB}", "👍\\u{1F3FB}"), ("👍\u{1F3FF}", "👍\\u{1F3FF}"),
            ("👍\u{1F400}", "👍\u{1F400}"), ("a\u{1F3FB}", "a\u{1F3FB}"), ("\n\u{1F3FB}", "\\n\u{1F3FB}"),
            ("1\u{1F3FB}", "1\u{1F3FB}"), ("👍\u{1F3FB}\u{1F3FB}", "👍\\u{1F3FB}\u{1F3FB}"),
        ] { #expect(shown(text).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(text) is \(shown(text))") }
    }

    @Test("units cover the text in order, with all characters of an escape at the same range")
    func cover() {
        for text in ["a東\u{202E}b\n\t", "e\u{301}\u{302}\n", "👨\u{200D}👩x", "❤\u{FE0F}\u{FE0F}", "\u{301}"] {
            var end = text.startIndex
            for unit in DisplayText(text) {
                #expect(unit.range.lowerBound >= end || unit.isEscape && unit.range.upperBound == end)
                #expect(unit.text.unicodeScalars.allSatisfy { !$0.isASCII } || unit.columns == 1)
                if unit.isEscape { #expect(unit.text.unicodeScalars.count == 1 && unit.columns == 1) }
                end = unit.range.upperBound
            }
            #expect(end == text.endIndex)
        }
        let pieces = Array(DisplayText(" a東\n\u{202E}e\u{301} ").pieces)
        #expect(pieces.map(\.columns) == [1, 1, 2, 2, 8, 1, 1])
        #expect(pieces.map(\.isBlank) == [true, false, false, false, false, false, true])
    }
}
