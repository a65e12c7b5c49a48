import DocumentModel
import DocumentSources
import Foundation

/// Standard output and standard error.
enum Console {
    /// Returns the message that an error has for the user.
    static func words(for error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }

    /// Writes `text` and a newline to standard output.
    ///
    /// - Throws: ``ConsoleError`` if not all of it could be written.
    static func print(_ text: String) throws(ConsoleError) { try write(Data((text + "\n").utf8)) }

    /// Lines for standard output, which are collected and written in chunks.
    struct Lines {
        private var text = Data()
        /// The number of bytes from which the collected lines are written.
        private static let mostKept = 64 << 10

        /// Adds a line; see ``Console/print(_:)``.
        mutating func print(_ line: String) throws(ConsoleError) {
            text.append(contentsOf: line.utf8)
            text.append(UInt8(ascii: "\n"))
            if text.count >= Self.mostKept { try flush() }
        }

        /// Writes the collected lines.
        mutating func flush() throws(ConsoleError) {
            try Console.write(text)
            text.removeAll(keepingCapacity: true)
        }
    }

    /// Writes bytes to standard output as they are.
    ///
    /// - Throws: ``ConsoleError`` if not all of them could be written.
    static func write(_ data: Data) throws(ConsoleError) {
        let code = write(data, to: reports.withLock { $0 })
        // The reader of the report has seen enough of it.
        if code == EPIPE { Interruption.end(by: SIGPIPE) }
        guard code == 0 else { throw ConsoleError(message: String(cString: strerror(code))) }
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { reports.withLock { isatty($0) } != 0 }

    /// Writes a line to standard error, made safe to print. All of the program's output there is written by this or
    /// ``draw(_:)``.
    static func error(_ line: String) {
        // If errors cannot be written, there is no way to report that either.
        _ = write(Data((SafeText.line(line) + "\n").utf8), to: STDERR_FILENO)
    }

    /// Replaces the progress line on the terminal at standard error.
    static func draw(_ line: String) {
        _ = write(Data(("\r\u{1B}[K" + SafeText.line(line)).utf8), to: STDERR_FILENO)
    }

    /// The name that the program was called by, safe to print.
    static let programName = SafeText.line(
        CommandLine.unsafeArgv[0].map { FilePath(cString: $0).lastComponent.description } ?? "migration-inspector")

    /// Writes a message to standard error, in one line that begins with the program's name.
    static func complain(_ text: String) { error("\(programName): \(text)") }

    /// Runs code that says why the program is about to end. Waits only a moment if the reader of standard error accepts
    /// nothing.
    static func sayLast(_ words: @escaping @Sendable () -> Void) {
        let isSaid = DispatchSemaphore(value: 0)
        let isStarted: Void? = try? WorkThread.start(name: "last words") {
            words()
            fflush(nil)
            isSaid.signal()
        }
        if isStarted != nil { _ = isSaid.wait(timeout: .now() + 1) }
    }

    /// The descriptor for reports: standard output, unless ``keepForReports()`` was called.
    private static let reports = Locked(STDOUT_FILENO)

    /// Reserves standard output for reports. From now on, anything that the code of an app's types prints there is sent
    /// to standard error, so that it can't get into a report or into a document that is being written.
    static func keepForReports() {
        reports.withLock { descriptor in
            let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            guard kept >= 0 else { return }
            guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
                close(kept)
                return
            }
            descriptor = kept
        }
    }

    /// Restores standard output, so that it can be written to under its name (`/dev/stdout`).
    static func giveBack() {
        reports.withLock { descriptor in
            guard descriptor != STDOUT_FILENO else { return }
            fflush(nil)
            dup2(descriptor, STDOUT_FILENO)
            close(descriptor)
            descriptor = STDOUT_FILENO
        }
    }

    /// Returns 0, or the code of the error that kept some of the data from being written.
    private static func write(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
                let count = Foundation.write(descriptor, start, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}

/// The error thrown when standard output doesn't accept what is written to it.
struct ConsoleError: Error {
    var message: String
}
