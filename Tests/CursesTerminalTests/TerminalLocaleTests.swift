import Testing

@testable import CursesTerminal

@Suite("Locale")
struct TerminalLocaleTests {
    @Test("the locale variable is chosen with POSIX precedence")
    func precedence() {
        #expect(TerminalLocale.name(in: [:]) == nil)
        #expect(TerminalLocale.name(in: ["LANG": "a", "LC_CTYPE": "b", "LC_ALL": "c"]) == "c")
        #expect(TerminalLocale.name(in: ["LANG": "a", "LC_CTYPE": "b", "LC_ALL": ""]) == "b")
        #expect(TerminalLocale.name(in: ["LANG": "a"]) == "a")
    }

    @Test("a bare environment and an uninstalled UTF-8 locale may be UTF-8, and another codeset may not")
    func guesses() {
        for name in [nil, "C", "POSIX", "en_US.UTF-8", "tlh_XX.utf8"] {
            #expect(TerminalLocale.mayBeUTF8(named: name))
        }
        for name in ["de_DE.ISO-8859-1", "de_DE", "ja_JP.eucJP"] { #expect(!TerminalLocale.mayBeUTF8(named: name)) }
    }
}
