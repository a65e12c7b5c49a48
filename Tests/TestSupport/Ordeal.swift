import Foundation

/// A run of the built program that is disturbed in some way, and must still leave nothing behind.
///
/// All its processes have an environment variable by which they are found, and its temporary files have a separate
/// folder.
package final class Ordeal {
    package let process: pid_t
    private let mark = "FAULT_TEST=\(UUID().uuidString)"
    private let folder: TemporaryFolder
    private let files: TemporaryFolder
    package private(set) var status: Int32?

    /// The longest time that a program may take to end, on the slowest machine.
    private static let patience = 120.0

    /// Whether the processes of a run can be found on this system (proc(5)).
    package static let isPossible = FileManager.default.fileExists(atPath: "/proc/self/environ")

    /// Returns how often to repeat a test that is usually repeated `usual` times. The environment variable
    /// `FAULT_TEST_COUNT` sets the number of signals for a longer run, instead of the usual 26. The result grows by the
    /// same factor.
    package static func count(_ usual: Int) -> Int {
        let signals = ProcessInfo.processInfo.environment["FAULT_TEST_COUNT"].flatMap { Int($0) } ?? 26
        return max(1, usual * signals / 26)
    }

    /// A run that doesn't behave as it should.
    package struct Misbehavior: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - shell: The shell script that runs the program, which it gets as `"$@"`.
    ///   - terminal: The program's standard streams and controlling terminal, or `nil` to use files.
    package init(
        _ arguments: [String], in folder: TemporaryFolder, program: String = BuiltProgram.inspector.path,
        shell: String = "exec \"$@\"", terminal: Terminal? = nil
    ) throws {
        self.folder = folder
        files = try TemporaryFolder()
        for name in ["output", "errors"] { try files.write("", to: name) }
        try FileManager.default.createDirectory(atPath: files.path("temporary"), withIntermediateDirectories: true)
        let pair = mark.split(separator: "=").map(String.init)
        let environment = BuiltProgram.environment.merging([
            pair[0]: pair[1], "TMPDIR": files.path("temporary"), "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no", "VISUAL": "true",
        ]) { $1 }
        let handles =
            try terminal.map {
                Array(repeating: FileHandle(fileDescriptor: $0.programSide, closeOnDealloc: false), count: 3)
            }
            ?? [
                FileHandle(forReadingFrom: URL(filePath: "/dev/null")),
                FileHandle(forWritingTo: URL(filePath: files.path("output"))),
                FileHandle(forWritingTo: URL(filePath: files.path("errors"))),
            ]
        let script = terminal == nil ? shell : "exec /usr/bin/setsid -c /bin/sh -c '\(shell)' sh \"$@\""
        process = try Spawn.lock.withLock {
            var spawn = try Spawn()
            try spawn.connect(handles)
            return try spawn.start(
                "/bin/sh", ["-c", "ulimit -c 0; \(script)", "sh", program] + arguments, in: folder.path,
                environment: environment)
        }
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            _ = try? Spawn.wait(for: process)
        }
    }

    package var output: String { (try? files.text("output")) ?? "" }
    package var errors: String { (try? files.text("errors")) ?? "" }

    /// Lets the program run for `seconds`.
    package func sleep(_ seconds: Double) { usleep(useconds_t(max(0, seconds) * 1e6)) }

    package func signal(_ number: Int32) throws { if try !hasEnded() { kill(process, number) } }

    /// Returns whether the program has ended.
    package func hasEnded() throws -> Bool {
        if status == nil { status = try Spawn.statusIfEnded(process) }
        return status != nil
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: Its exit status, or the negated number of the signal that ended it.
    @discardableResult
    package func end() throws -> Int32 {
        let end = Date() + Self.patience
        while try !hasEnded() {
            guard Date() < end else { throw Misbehavior(description: "the program does not end") }
            usleep(1000)
        }
        return status ?? 0
    }

    /// Returns the program's workers.
    package func workers() -> [pid_t] { children(of: process) }

    /// The names of the run's current temporary files.
    package var temporaryNames: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: files.path("temporary")) }
    }

    /// Checks that no process and no temporary file of the run is left.
    package func expectNothingLeft() throws {
        let end = Date() + 5
        while true {
            let left = processes()
            if left.isEmpty { break }
            guard Date() < end else { throw Misbehavior(description: "left: processes \(left)") }
            usleep(5000)
        }
        let names = try temporaryNames
        if !names.isEmpty { throw Misbehavior(description: "left: temporary files \(names)") }
    }

    private func processes() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            process in
            guard let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ") else { return false }
            return variables.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
        }
    }
}
