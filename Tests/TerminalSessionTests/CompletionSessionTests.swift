import TestSupport
import Testing

@Suite("Completion sessions in the shells", .enabled(if: isInstalled("tmux"), "tmux is not installed"))
struct CompletionSessionTests {
    @Test(
        "Tab completes words in zsh, with completions installed as in the guide or sourced",
        .enabled(if: isInstalled("zsh"), "zsh is not installed"),
        arguments: [
            "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D",
            "autoload -U compinit; compinit -u -D; source ./_migration-inspector",
        ])
    func completing(setup: String) async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cd $(mktemp -d) && touch poems.json && exec zsh -f")
        try terminal.enter("migration-inspector completions zsh > _migration-inspector")
        try terminal.enter("\(setup); PS1='zsh> '; clear")
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
        try terminal.type("migration-inspector check po\t")
        try await terminal.sees("migration-inspector check poems.json")
    }

    @Test("Tab in bash completes names with spaces after a backslash and in quotation marks")
    func quoting() async throws {
        let terminal = try await TerminalSession()
        try terminal.enter("cd $(mktemp -d) && touch 'my poems.json' && exec bash --norc")
        try terminal.enter("source <(migration-inspector completions bash); PS1='bash> '; clear")
        try await terminal.sees("bash>")
        for (typed, completed) in [
            ("chains Bo", #"chains Book\ metadata"#), (#"chains Clock\ p"#, #"chains Clock\ preferences"#),
            (#"chains "Book m"#, #"chains "Book metadata""#), ("chains 'Clo", "chains 'Clock preferences'"),
            (#"check --chain="Clock p"#, #"check --chain="Clock preferences""#),
            (#"check "my p"#, #"check "my poems.json""#), (#"check my\ p"#, #"check my\ poems.json"#),
        ] {
            try terminal.type("migration-inspector \(typed)\t")
            try await terminal.sees("migration-inspector \(completed)")
            try terminal.press("C-u")
        }
    }
}
