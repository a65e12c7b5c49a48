import Foundation

/// Another program that has a store open: Python's sqlite3 in a separate process, which runs until this value is
/// released.
public final class StoreWriter {
    private let child: pid_t
    private let input: FileHandle
    private let output: FileHandle
    private var isRunning = true

    /// Executes each line of input as SQL, and answers with a line: the selected rows or the error. An empty line ends
    /// it.
    private static let script = """
        import sqlite3, sys
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        for line in iter(sys.stdin.readline, ""):
            if line == "\\n":
                break
            try:
                print(store.execute(line).fetchall(), flush=True)
            except Exception as error:
                print("error:", error, flush=True)
        """

    /// Opens the store at `path`, or makes it, and executes `statements`.
    public init(_ path: String, _ statements: String...) throws {
        let (input, output) = (Pipe(), Pipe())
        child = try Spawn.lock.withLock {
            for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            var spawn = try Spawn()
            try spawn.connect([input.fileHandleForReading, output.fileHandleForWriting])
            let child = try spawn.start(
                "/usr/bin/env", ["python3", "-c", Self.script, path], in: "/", environment: BuiltProgram.environment)
            try input.fileHandleForReading.close()
            try output.fileHandleForWriting.close()
            return child
        }
        (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
        for statement in statements { try execute(statement) }
    }

    deinit { quit() }

    /// Executes a statement, which must not contain a line end.
    ///
    /// - Returns: The selected rows, in Python's notation.
    /// - Throws: ``Refusal`` with SQLite's message.
    @discardableResult
    public func execute(_ statement: String) throws -> String {
        try input.write(contentsOf: Data((statement + "\n").utf8))
        var line = Data()
        while let byte = try output.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        let answer = String(decoding: line, as: UTF8.self)
        guard !answer.isEmpty, !answer.hasPrefix("error:") else {
            throw Refusal(description: "\(statement): \(answer)")
        }
        return answer
    }

    /// Closes the store and ends the program.
    public func quit() {
        guard isRunning else { return }
        try? input.write(contentsOf: Data("\n".utf8))
        wait()
    }

    /// Kills the program without closing the store.
    public func crash() {
        kill(child, SIGKILL)
        wait()
    }

    private func wait() {
        isRunning = false
        _ = try? Spawn.wait(for: child)
    }

    /// Makes a store and closes it.
    public static func make(_ path: String, _ statements: String...) throws {
        let writer = try StoreWriter(path)
        for statement in statements { try writer.execute(statement) }
        writer.quit()
    }

    /// A statement that SQLite refused.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}
