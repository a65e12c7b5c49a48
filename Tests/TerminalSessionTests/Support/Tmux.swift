import Foundation
import TestSupport

/// A tmux server of a test's own, which knows nothing of those of whoever runs the tests.
struct Tmux {
    /// The path of its socket.
    let socket: String

    private static let program = BuiltProgram(path: "/usr/bin/env")

    /// Why a command of tmux failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the server with one window, in which `command` runs.
    func start(width: Int, height: Int, folder: String, command: [String]) throws {
        // A new server exits when it has no session, so what it should know is said before the session begins.
        try run(
            ["set-option", "-g", "status", "off", ";", "set-option", "-g", "default-terminal", "tmux-256color", ";"]
                + ["set-option", "-s", "escape-time", "0", ";", "set-option", "-s", "set-clipboard", "on", ";"]
                + ["new-session", "-d"]
                + ["-x", "\(width)", "-y", "\(height)", "-c", folder] + command)
    }

    /// Ends the server and what runs in it.
    func stop() { _ = try? run("kill-server") }

    /// Has the server do something; gives what it prints.
    @discardableResult
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    /// Has the server do something; gives what it prints.
    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        // -u: all of what is on the screen is printed, whatever the locale.
        let run = try Self.program.run(["tmux", "-u", "-S", socket, "-f", "/dev/null"] + arguments)
        guard run.status == 0 else { throw Failure(description: "tmux \(arguments): \(run.errors)") }
        return run.output
    }
}
