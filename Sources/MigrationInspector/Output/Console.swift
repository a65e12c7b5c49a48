import DocumentModel
import DocumentSources
import Foundation

/// Standard output and standard error.
enum Console {
    /// What an error of the program says to a person.
    static func words(for error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }

    /// Writes `text` and a line end to standard output.
    ///
    /// - Throws: ``ConsoleError``, when it does not all arrive.
    static func print(_ text: String) throws(ConsoleError) { try write(Data((text + "\n").utf8)) }

    /// Many lines on their way to standard output, of which some at a time are kept.
    struct Lines {
        private var text = Data()
        /// How many bytes are written at a time.
        private static let mostKept = 64 << 10

        /// Writes a line; see ``Console/print(_:)``.
        mutating func print(_ line: String) throws(ConsoleError) {
            text.append(contentsOf: line.utf8)
            text.append(UInt8(ascii: "\n"))
            if text.count >= Self.mostKept { try flush() }
        }

        /// Writes the lines that are kept.
        mutating func flush() throws(ConsoleError) {
            try Console.write(text)
            text.removeAll(keepingCapacity: true)
        }
    }

    /// Writes bytes to standard output as they are.
    ///
    /// - Throws: ``ConsoleError``, when they do not all arrive.
    static func write(_ data: Data) throws(ConsoleError) {
        let code = write(data, to: reports.withLock { $0 })
        // What reads the report has seen enough of it.
        if code == EPIPE { Interruption.end(by: SIGPIPE) }
        guard code == 0 else { throw ConsoleError(message: String(cString: strerror(code))) }
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { reports.withLock { isatty($0) } != 0 }

    /// Writes a line to standard error, made safe to print. Everything that the program prints there goes through this
    /// or ``draw(_:)``.
    static func error(_ line: String) {
        // Where errors cannot be written, that cannot be said either.
        _ = write(Data((SafeText.line(line) + "\n").utf8), to: STDERR_FILENO)
    }

    /// Replaces the progress line on the terminal at standard error.
    static func draw(_ line: String) {
        _ = write(Data(("\r\u{1B}[K" + SafeText.line(line)).utf8), to: STDERR_FILENO)
    }

    /// What the program is called, as it was called, safe to print.
    static let programName = SafeText.line(
        CommandLine.unsafeArgv[0].map { FilePath(cString: $0).lastComponent.description } ?? "migration-inspector")

    /// Writes what a person should know to standard error, in one line that begins with the program's name.
    static func complain(_ text: String) { error("\(programName): \(text)") }

    /// Does what says why the program is about to end, which does not wait longer than a moment where what reads standard
    /// error takes nothing.
    static func sayLast(_ words: @escaping @Sendable () -> Void) {
        let isSaid = DispatchSemaphore(value: 0)
        let isStarted: Void? = try? WorkThread.start(name: "last words") {
            words()
            fflush(nil)
            isSaid.signal()
        }
        if isStarted != nil { _ = isSaid.wait(timeout: .now() + 1) }
    }

    /// Where reports go; standard output itself, unless ``keepForReports()`` was called.
    private static let reports = Locked(STDOUT_FILENO)

    /// From here on only reports go to standard output. What the code of an app's types prints there goes to standard
    /// error, where it cannot get into a report or into a document that is being written.
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

    /// Gives standard output back, for what is to be written by its name (`/dev/stdout`).
    static func giveBack() {
        reports.withLock { descriptor in
            guard descriptor != STDOUT_FILENO else { return }
            fflush(nil)
            dup2(descriptor, STDOUT_FILENO)
            close(descriptor)
            descriptor = STDOUT_FILENO
        }
    }

    /// Zero, or why not all was written.
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

/// Standard output did not take what was written to it.
struct ConsoleError: Error {
    var message: String
}
