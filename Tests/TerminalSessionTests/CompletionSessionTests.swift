import TestSupport
import Testing

@Suite("A session in zsh")
struct CompletionSessionTests {
    @Test("somebody types the beginnings of words, and Tab completes them")
    func completing() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cd $(mktemp -d) && migration-inspector completions zsh > completions && exec zsh -f")
        try terminal.enter("autoload -U compinit; compinit -u -D; source ./completions; PS1='zsh> '; clear")
        try await terminal.sees("zsh>")
        try terminal.type("migration-inspector ch\t")
        try await terminal.sees("check   -- \("every document's outcome, without a screen")")
        try terminal.press("C-u")
        try terminal.type("migration-inspector trace --form\tma\t")
        try await terminal.sees("migration-inspector trace --format=markdown")
        try terminal.press("C-u")
        try terminal.type("migration-inspector check --chain Bo\t")
        try await terminal.sees(#"--chain Book\ metadata"#)
        try terminal.press("C-u")
        try terminal.type("migration-inspector check --only failed,unrec\t")
        try await terminal.sees("--only failed,unrecognized")
        try terminal.press("C-u")
        try terminal.type("migration-inspector check comp\t")
        try await terminal.sees("migration-inspector check completions")
    }
}
