import Foundation
import TestSupport
import Testing

@Suite("Leaving the screen", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct LeavingTests {
    /// Opens the demo-data in a terminal that already shows some text.
    private func open() async throws -> (terminal: TerminalSession, settings: String) {
        let terminal = try await TerminalSession()
        let settings = try await terminal.terminalSettings()
        try terminal.enter("echo 'was here before'; migration-inspector demo-data/poems")
        try await terminal.sees("Documents", "q quit")
        try await terminal.seesNo("was here before")
        return (terminal, settings)
    }

    /// Checks that the terminal is as before: the text, the settings, the cursor, and no mouse reports.
    private func expectSane(_ terminal: TerminalSession, _ settings: String) async throws {
        try await terminal.seesPrompt()
        try await terminal.sees("was here before")
        try await terminal.seesNo("Documents")
        #expect(try await terminal.terminalSettings() == settings)
        #expect(try terminal.isCursorVisible)
        #expect(try !terminal.reportsMouse)
    }

    @Test("q and Ctrl-C exit with status 0 and restore the terminal", arguments: ["q", "C-c"])
    func quitting(key: String) async throws {
        let (terminal, settings) = try await open()
        try terminal.press(key)
        try await terminal.seesPrompt()
        try terminal.enter("echo status=$?")
        try await terminal.sees("status=0\n")
        try await expectSane(terminal, settings)
    }

    @Test(
        "any signal restores the terminal, and the exit status shows which one it was",
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

    @Test("Ctrl-Z restores the shell, and fg brings back the screen")
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

    @Test("a stop by another process suspends the screen, and fg brings it back", arguments: [SIGTSTP, SIGSTOP])
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

    @Test("a suspended screen adapts to a window that was resized in the meantime")
    func resizingWhileSuspended() async throws {
        let (terminal, _) = try await open()
        try terminal.press("C-z")
        try await terminal.sees("Stopped")
        try terminal.resize(width: 80, height: 24)
        try terminal.enter("fg")
        try await terminal.seesRow("80 columns wide") { $0.count == 80 && $0.hasSuffix("┐") }
    }
}
