import Foundation
import Testing

@Suite("Leaving the screen")
struct LeavingTests {
    /// Opens the demo-data as somebody who has something on the screen already.
    private func open() async throws -> (terminal: TerminalSession, settings: String) {
        let terminal = try await TerminalSession()
        let settings = try await terminal.terminalSettings()
        try terminal.enter("echo 'was here before'; migration-inspector demo-data/poems")
        try await terminal.sees("Documents", "q quit")
        try await terminal.seesNo("was here before")
        return (terminal, settings)
    }

    /// The terminal is as it was: the text, the settings, the cursor, and no report of the mouse.
    private func expectSane(_ terminal: TerminalSession, _ settings: String) async throws {
        try await terminal.seesPrompt()
        try await terminal.sees("was here before")
        try await terminal.seesNo("Documents")
        #expect(try await terminal.terminalSettings() == settings)
        #expect(try terminal.isCursorVisible)
        #expect(try !terminal.reportsMouse)
    }

    @Test("with q or Ctrl-C exits 0 and gives the terminal back", arguments: ["q", "C-c"])
    func quitting(key: String) async throws {
        let (terminal, settings) = try await open()
        try terminal.press(key)
        try await terminal.seesPrompt()
        try terminal.enter("echo status=$?")
        try await terminal.sees("status=0\n")
        try await expectSane(terminal, settings)
    }

    @Test(
        "by any signal gives the terminal back, and the shell is told which it was",
        arguments: [
            (SIGTERM, "status=143"), (SIGHUP, "status=129"), (SIGSEGV, "status=139"), (SIGABRT, "status=134"),
            (SIGILL, "status=132"), (SIGTRAP, "status=133"), (SIGBUS, "status=135"), (SIGFPE, "status=136"),
        ])
    func signals(signal: Int32, status: String) async throws {
        let (terminal, settings) = try await open()
        try await terminal.signal(signal)
        try await terminal.seesPrompt()
        try terminal.enter("echo status=$?")
        try await terminal.sees("\(status)\n")
        try await expectSane(terminal, settings)
    }

    @Test("for a while with Ctrl-Z gives the shell back, and fg the screen")
    func suspending() async throws {
        let (terminal, settings) = try await open()
        try terminal.press("j", "C-z")
        try await terminal.sees("Stopped", "was here before")
        try await terminal.seesPrompt()
        #expect(try await terminal.terminalSettings() == settings)

        try terminal.enter("fg")
        try await terminal.sees("version-1.json ─", "q quit")
        try terminal.press("q")
        try await terminal.seesPrompt()
        #expect(try await terminal.terminalSettings() == settings)
    }

    @Test("for a while because another process asks for it", arguments: [SIGTSTP, SIGSTOP])
    func suspendedFromOutside(signal: Int32) async throws {
        let (terminal, settings) = try await open()
        try await terminal.signal(signal)
        try await terminal.sees("Stopped")
        if signal == SIGTSTP {
            try await terminal.sees("was here before")
            #expect(try await terminal.terminalSettings() == settings)
        }
        try terminal.enter("fg")
        try await terminal.sees("Documents", "q quit")
        try await terminal.seesNo("Stopped")
        try terminal.press("j")
        try await terminal.sees("version-1.json ─")
        try terminal.press("q")
        try await terminal.seesPrompt()
        #expect(try await terminal.terminalSettings() == settings)
        #expect(try terminal.isCursorVisible && !terminal.reportsMouse)
    }

    @Test("for a while, the window may change its size meanwhile")
    func resizingWhileSuspended() async throws {
        let (terminal, _) = try await open()
        try terminal.press("C-z")
        try await terminal.sees("Stopped")
        try terminal.resize(width: 80, height: 24)
        try terminal.enter("fg")
        try await terminal.seesRow("80 columns wide") { $0.count == 80 && $0.hasSuffix("┐") }
    }
}
