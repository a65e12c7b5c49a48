import TestSupport
import Testing

@Suite("The window", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct WindowTests {
    @Test("the window can be resized in both directions, and shows the failure if there is room")
    func resizing() async throws {
        let terminal = try await TerminalSession(width: 120, height: 36)
        try terminal.enter("migration-inspector demo-data/poems/rating-9.json")
        try await terminal.sees("Poem · version 1 at $.version", "^ fieldNoLongerValid names $.rating")

        try terminal.resize(width: 80, height: 24)
        try await terminal.seesRow("80 columns wide") { $0.count == 80 && $0.hasSuffix("┐") }
        try await terminal.sees("Star rating 9 is no longer valid", #"5 │   "starRating": 9"#, "q quit")

        try terminal.resize(width: 40, height: 10)
        try await terminal.seesRow("40 columns wide") { $0.count == 40 && $0.hasSuffix("┐") }

        try terminal.resize(width: 100, height: 30)
        try await terminal.seesRow("100 columns wide") { $0.count == 100 && $0.hasSuffix("┐") }
        try await terminal.sees("^ fieldNoLongerValid names $.rating")
    }

    @Test("the window can be too small for anything without a crash")
    func tiny() async throws {
        let terminal = try await TerminalSession(width: 80, height: 24)
        try terminal.enter("migration-inspector demo-data")
        try await terminal.sees("q quit")
        for (width, height) in [(10, 3), (2, 2), (1, 1), (200, 50)] {
            try terminal.resize(width: width, height: height)
        }
        try await terminal.seesRow("200 columns wide") { $0.count == 200 && $0.hasSuffix("┐") }
        try terminal.press("q")
        try await terminal.seesPrompt()
    }

    @Test("the window shows escape sequences in a document instead of executing them")
    func escapeSequences() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter(
            #"printf '{"version":1,"author":"\\u001b[2J\\u001b]0;mine\\u0007","poem":"\\u202egnp","starRating":9}' | migration-inspector -"#
        )
        let screen = try await terminal.sees("starRating  9  ◀", "q quit")
        #expect(!screen.contains("\u{202E}"))
        #expect(screen.hasPrefix("┌"))
    }
}
