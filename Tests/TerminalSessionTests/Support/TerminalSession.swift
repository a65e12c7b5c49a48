import Foundation
import TestSupport

/// A user at a real terminal: a shell in a window of a separate tmux server, with keys typed into it and a screen to
/// read.
///
///     let terminal = try await TerminalSession(width: 80, height: 24)
///     try await terminal.enter("migration-inspector demo-data")
///     try await terminal.sees("22 documents")
///     try terminal.press("q")
///
/// Nothing waits for a fixed time. Methods that look for something look again until it is there.
final class TerminalSession {
    private let tmux: Tmux
    private let files: TemporaryFolder

    private static let prompt = "shell>"

    /// Opens a window with a shell in the project's folder, and waits for its prompt.
    ///
    /// - Parameter environment: Variables to add to the few default ones. A variable with the value `nil` is removed.
    init(width: Int = 120, height: Int = 36, environment: [String: String?] = [:]) async throws {
        files = try TemporaryFolder()
        tmux = Tmux(socket: files.path("tmux"))
        var variables: [String: String?] = [
            "PATH": "\(Project.builtProducts.path(percentEncoded: false)):/usr/bin:/bin", "HOME": files.path,
            "HISTFILE": "", "LANG": "C.UTF-8", "PS1": "\(Self.prompt) ", "TERM": "tmux-256color",
        ]
        variables.merge(environment) { $1 }
        let assignments = variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
        try tmux.start(
            width: width, height: height, folder: Project.folder.path(percentEncoded: false),
            command: ["/usr/bin/env", "-i"] + assignments + ["/bin/bash", "--norc", "--noprofile", "-i"])
        try await seesPrompt()
    }

    deinit { tmux.stop() }

    // MARK: - Doing

    /// Types a line and presses Enter.
    func enter(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    /// Types text, key by key.
    func type(_ text: String) throws { try tmux.run("send-keys", "-l", text) }

    /// Presses keys: characters, or tmux's names for keys (`Down`, `C-z`, `PPage`).
    func press(_ keys: String...) throws { try tmux.run(["send-keys"] + keys) }

    /// Clicks on the cell in this column and row, both from 1, with the report that an xterm sends to a program that
    /// asked for the mouse (xterm's control sequences, "Mouse Tracking").
    func click(column: Int, row: Int) throws {
        for button in [0, 3] {
            let codes = [button, column, row].map { Character(Unicode.Scalar(UInt8(32 + $0))) }
            try type("\u{1B}[M" + String(codes))
        }
    }

    /// Resizes the window.
    func resize(width: Int, height: Int) throws { try tmux.run("resize-window", "-x", "\(width)", "-y", "\(height)") }

    /// Sends a signal to the program that the shell runs.
    func signal(_ signal: Int32) async throws {
        try await waits("for a program of the shell") { try self.programIdentifier() != nil }
        guard let program = try programIdentifier() else { return }
        kill(program, signal)
    }

    // MARK: - Seeing

    /// Returns the screen with a line for each row, without trailing spaces.
    func screen() throws -> String { try tmux.run("capture-pane", "-p") }

    /// Returns the screen with its color escape sequences.
    func colouredScreen() throws -> String { try tmux.run("capture-pane", "-p", "-e") }

    /// Waits until all of these texts are on the screen at once.
    @discardableResult
    func sees(_ texts: String...) async throws -> String {
        var screen = ""
        try await waits("to see \(texts)") {
            screen = try self.screen()
            return texts.allSatisfy(screen.contains)
        }
        return screen
    }

    /// Waits until a text is on the screen above the first row that contains another.
    func sees(_ text: String, above row: String) async throws {
        try await waits("to see \(text) above \(row)") {
            let rows = try self.screen().split(separator: "\n", omittingEmptySubsequences: false)
            return rows.prefix { !$0.contains(row) }.contains { $0.contains(text) }
        }
    }

    /// Waits until this text is no longer on the screen.
    @discardableResult
    func seesNo(_ text: String) async throws -> String {
        var screen = ""
        try await waits("to see no \(text)") {
            screen = try self.screen()
            return !screen.contains(text)
        }
        return screen
    }

    /// Waits until a row of the screen meets the condition.
    ///
    /// - Parameter key: A key to press before every look, for a row that may disappear before a busy machine looks
    ///   again.
    func seesRow(_ words: String, pressing key: String? = nil, where condition: (Substring) -> Bool) async throws {
        try await waits("to see a row \(words)") {
            if let key { try self.press(key) }
            return try self.screen().split(separator: "\n").contains(where: condition)
        }
    }

    /// Waits until the shell shows its prompt.
    func seesPrompt() async throws {
        try await waits("for the prompt") {
            try self.screen().split(separator: "\n").last.map(String.init)?.trimmingCharacters(in: .whitespaces)
                == Self.prompt
        }
    }

    /// Returns the terminal's settings as stty prints them at the prompt.
    func terminalSettings() async throws -> String {
        let name = "stty-\(UUID().uuidString)"
        try enter("stty -a > \(files.path(name)); echo told $?")
        try await sees("told 0")
        try enter("clear")
        try await seesNo("told 0")
        try await seesPrompt()
        return try files.text(name)
    }

    /// Waits until tmux's clipboard contains this text.
    func hasCopied(_ text: String) async throws {
        try await waits("for \(text) in the clipboard") { (try? self.tmux.run("show-buffer")) == text }
    }

    /// Whether the cursor is visible.
    var isCursorVisible: Bool { get throws { try fact("cursor_flag") == "1" } }

    /// Whether a program has asked for mouse reports.
    var reportsMouse: Bool { get throws { try fact("mouse_any_flag") == "1" } }

    private func fact(_ name: String) throws -> String {
        try tmux.run("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - Waiting

    /// An error for something that didn't appear in time, with the screen at that moment.
    struct WaitedInVain: Error, CustomStringConvertible {
        let description: String
    }

    private func waits(_ purpose: String, until condition: () throws -> Bool) async throws {
        guard try await awaits(until: condition) else {
            throw WaitedInVain(description: "waited \(purpose) in vain; this is there:\n\(try screen())")
        }
    }

    /// Returns the process that the shell runs, or `nil` if it runs none (proc(5)).
    private func programIdentifier() throws -> pid_t? {
        let shell = try fact("pane_pid")
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return children.split(separator: " ").last.flatMap { pid_t($0) }
    }
}
