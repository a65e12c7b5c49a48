import Foundation
import TestSupport

/// A tmux server for one test, separate from those of the user who runs the tests.
struct Tmux {
    /// The path of its socket.
    let socket: String

    private static let program = BuiltProgram(path: "/usr/bin/env")

    /// The failure of a tmux command.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the server with one window that runs `command`.
    func start(width: Int, height: Int, folder: String, command: [String]) throws {
        // A new server exits without a session, so its options are set before the session starts.
        try run(
            ["set-option", "-g", "status", "off", ";", "set-option", "-g", "default-terminal", "tmux-256color", ";"]
                + ["set-option", "-s", "escape-time", "0", ";", "set-option", "-s", "set-clipboard", "on", ";"]
                + ["new-session", "-d"]
                + ["-x", "\(width)", "-y", "\(height)", "-c", folder] + command)
    }

    /// Stops the server and everything that runs in it.
    func stop() { _ = try? run("kill-server") }

    /// Runs a tmux command, and returns its output.
    @discardableResult
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    /// Runs a tmux command, and returns its output.
    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        // With -u, the whole screen is printed in any locale.
        let run = try Self.program.run(["tmux", "-u", "-S", socket, "-f", "/dev/null"] + arguments)
        guard run.status == 0 else { throw Failure(description: "tmux \(arguments): \(run.errors)") }
        return run.output
    }
}
