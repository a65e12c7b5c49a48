import TestSupport
import Testing

@Suite("Terminals and their variables")
struct EnvironmentTests {
    @Test("without a locale the lines and signs are there all the same")
    func noLocale() async throws {
        let terminal = try await TerminalSession(environment: ["LANG": nil])
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("┌", "│", "✓ version-none.json", "✗ rating-9.json", "○")
    }

    @Test("NO_COLOR takes the colours and leaves the signs")
    func noColor() async throws {
        let coloured = try await TerminalSession()
        try coloured.enter("migration-inspector demo-data/poems/rating-9.json")
        try await coloured.sees("^ fieldNoLongerValid")
        #expect(try coloured.colouredScreen().contains(Self.colour))

        let plain = try await TerminalSession(environment: ["NO_COLOR": "1"])
        try plain.enter("migration-inspector demo-data/poems/rating-9.json")
        try await plain.sees("✗", "^ fieldNoLongerValid", "◀")
        #expect(try !plain.colouredScreen().contains(Self.colour))
    }

    /// A sequence that sets a colour (ECMA-48, SGR 30 to 37, 38, 40 to 47, 48, 90 to 97, 100 to 107).
    private nonisolated(unsafe) static let colour = /\u{1B}\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m/

    @Test(
        "a terminal of 8 colours, or of none, or an old one shows the failure",
        arguments: ["screen", "vt100", "linux", "xterm"])
    func otherTerminals(name: String) async throws {
        let terminal = try await TerminalSession(environment: ["TERM": name])
        try terminal.enter("migration-inspector demo-data/poems/rating-9.json")
        try await terminal.sees("fieldNoLongerValid", "Star rating 9 is no longer valid", "q quit")
    }

    @Test("an unknown terminal, or none that can be drawn on, gets a sentence", arguments: ["nonsense", "dumb", ""])
    func unknownTerminal(name: String) async throws {
        let terminal = try await TerminalSession()
        let settings = try await terminal.terminalSettings()
        try terminal.enter("TERM=\(name) migration-inspector demo-data; echo status=$?")
        let screen = try await terminal.sees("status=70")
        #expect(screen.contains("migration-inspector: "))
        #expect(screen.split(separator: "\n").count <= 5)
        try await terminal.seesPrompt()
        #expect(try await terminal.terminalSettings() == settings)
    }

    @Test("a path that is not there is named, and the screen is left alone")
    func missingPath() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector nowhere.json; echo status=$?")
        try await terminal.sees("migration-inspector: nowhere.json: ", "\nstatus=66\n")
    }

    @Test("the document may come from a pipe, and the keys still come from the keyboard")
    func standardInput() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cat demo-data/poems/rating-9.json | migration-inspector inspect -; echo status=$?")
        try await terminal.sees("standard input", "^ fieldNoLongerValid at $.rating")
        try terminal.press("?")
        try await terminal.sees("Keys and signs")
        try terminal.press("q")
        try await terminal.seesNo("Keys and signs")
        try terminal.press("q")
        try await terminal.sees("status=0")
    }

    @Test("nothing but the screen is written where standard error goes elsewhere")
    func standardError() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector demo-data 2> \(folder.path("errors"))")
        try await terminal.sees("q quit")
        try terminal.press("q")
        try await terminal.seesPrompt()
        #expect(try folder.text("errors") == "")
    }
}
