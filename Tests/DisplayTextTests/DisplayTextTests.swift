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

    @Test(
        "what could touch the terminal becomes a visible escape",
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

    @Test("no character that Unicode calls a control, a format, private or unassigned is let through")
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

    @Test("escapes are told from text that looks like them")
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

    @Test("sequences that terminals measure differently are taken apart")
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

    @Test("without UTF-8 everything beyond ASCII is an escape")
    func ascii() {
        #expect(DisplayText("Grüße\u{301}", repertoire: .ascii).string == "Gr\\u{FC}\\u{DF}e\\u{301}")
    }

    @Test("the text is that of its units, whatever stands beside what")
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

    @Test("units say where they come from")
    func ranges() {
        let text = "a東\u{202E}"
        #expect(DisplayText(text).map { String(text[$0.range]) }.prefix(3) == ["a", "東", "\u{202E}"])
    }
}
