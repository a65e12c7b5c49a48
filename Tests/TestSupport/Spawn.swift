import Foundation

/// A way to start another program (posix_spawn(3)).
///
/// Foundation's Process waits for everything that a program started, and so never sees the end of one that leaves a
/// server running.
package struct Spawn: ~Copyable {
    /// The lock to hold from making a pipe until its reader has started. Otherwise, a program that another test starts
    /// in the meantime would inherit the write end and keep the reader waiting.
    package static let lock = NSLock()

    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    package init() throws {
        try Self.check(posix_spawn_file_actions_init(&actions))
        try Self.check(posix_spawnattr_init(&attributes))
        // The threads that run tests block signals, and a program would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        try Self.check(posix_spawnattr_setsigmask(&attributes, &signals))
        try Self.check(posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// Connects the program's first descriptors: standard input, output and error.
    package mutating func connect(_ handles: [FileHandle]) throws {
        for (descriptor, handle) in handles.enumerated() {
            try Self.check(posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, Int32(descriptor)))
        }
    }

    /// Starts the program at `path` in a folder.
    package mutating func start(
        _ path: String, _ arguments: [String], in folder: String, environment: [String: String]
    ) throws -> pid_t {
        // posix_spawn can't set the folder on every system, but a shell can change to it and then execute the program.
        let shell = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder, path]
        let arguments = (shell + arguments).map { strdup($0) }
        let environment = environment.map { strdup("\($0)=\($1)") }
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        try Self.check(posix_spawn(&child, shell[0], &actions, &attributes, arguments + [nil], environment + [nil]))
        return child
    }

    /// Waits for the end of a program that was started.
    ///
    /// - Returns: Its exit status, or the negated number of the signal that ended it.
    package static func wait(for child: pid_t) throws -> Int32 {
        while true {
            if let status = try status(of: child, options: 0) { return status }
        }
    }

    /// Returns the same as `wait(for:)` if the program has ended, or `nil` while it runs.
    package static func statusIfEnded(_ child: pid_t) throws -> Int32? { try status(of: child, options: WNOHANG) }

    private static func status(of child: pid_t, options: Int32) throws -> Int32? {
        var status: Int32 = 0
        let ended = waitpid(child, &status, options)
        guard ended != 0, ended > 0 || errno != EINTR else { return nil }
        guard ended > 0 else { throw POSIXError(.init(rawValue: errno) ?? .ECHILD) }
        // The layout of wait(2)'s status, which C only provides as macros.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }

    private static func check(_ error: Int32) throws {
        if error != 0 { throw POSIXError(.init(rawValue: error) ?? .EIO) }
    }
}

/// Returns the processes that a process has started and not yet waited for, on Linux (proc(5)).
package func children(of process: pid_t) -> [pid_t] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.flatMap { thread in
        (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8))?
            .split(separator: " ").compactMap { pid_t($0) } ?? []
    }
}
