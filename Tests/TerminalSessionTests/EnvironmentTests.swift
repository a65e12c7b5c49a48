import TestSupport
import Testing

@Suite("Terminals and environment variables", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct EnvironmentTests {
    @Test("the screen shows its lines and signs without a locale")
    func noLocale() async throws {
        let terminal = try await TerminalSession(environment: ["LANG": nil])
        try terminal.enter("migration-inspector demo-data/poems")
        try await terminal.sees("┌", "│", "✓ version-none.json", "✗ rating-9.json", "○")
    }

    @Test("NO_COLOR removes the colors and keeps the signs")
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

    /// A sequence that sets a color (ECMA-48, SGR 30 to 37, 38, 40 to 47, 48, 90 to 97, 100 to 107).
    private nonisolated(unsafe) static let colour = /\u{1B}\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m/

    @Test(
        "an old terminal, or one with eight colors or none, shows the failure",
        arguments: ["screen", "vt100", "linux", "xterm"])
    func otherTerminals(name: String) async throws {
        let terminal = try await TerminalSession(environment: ["TERM": name])
        try terminal.enter("migration-inspector demo-data/poems/rating-9.json")
        try await terminal.sees("fieldNoLongerValid", "Star rating 9 is no longer valid", "q quit")
    }

    @Test(
        "an unknown or unsuitable terminal gets an error message, and its settings stay unchanged",
        arguments: ["nonsense", "dumb", ""])
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

    @Test("a missing path is reported without starting the screen")
    func missingPath() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("migration-inspector nowhere.json; echo status=$?")
        try await terminal.sees("migration-inspector: nowhere.json: ", "\nstatus=66\n")
    }

    @Test("a document can come from a pipe while keys come from the keyboard")
    func standardInput() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cat demo-data/poems/rating-9.json | migration-inspector inspect -; echo status=$?")
        try await terminal.sees("standard input", "^ fieldNoLongerValid names $.rating")
        try terminal.press("?")
        try await terminal.sees("Keys and signs")
        try terminal.press("q")
        try await terminal.seesNo("Keys and signs")
        try terminal.press("q")
        try await terminal.sees("status=0")
    }

    @Test("the screen writes nothing to a redirected standard error")
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
