import DocumentModel
import Foundation

/// This program as one that does only unavoidable work, for the rows that show a limit of memory.
enum MinimalProgram {
    /// The environment variable that makes this program a minimal one.
    static let variable = "BENCHMARKS_AS_MINIMAL"

    /// The work of a minimal program.
    enum Work: String {
        /// Waits until its input ends. The inspector always has at least one other process too.
        case wait
        /// Parses a document, beside a process that waits.
        case parse
        /// Parses two documents and compares them, beside a process that waits.
        case compare
    }

    /// Does the work named in the environment and ends the program, or returns at once if none is named.
    static func runIfAsked() {
        guard let work = ProcessInfo.processInfo.environment[variable].flatMap(Work.init) else { return }
        do {
            try run(work, CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) })
            exit(0)
        } catch {
            Report.complain("\(error)")
            exit(1)
        }
    }

    private static func run(_ work: Work, _ files: [URL]) throws {
        if work == .wait {
            _ = FileHandle.standardInput.readDataToEndOfFile()
            return
        }
        // Only this process can write to the pipe, so the waiting process ends whenever this one does.
        let input = Pipe()
        let (reading, writing) = (input.fileHandleForReading, input.fileHandleForWriting)
        guard fcntl(writing.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw InspectorProcess.Failure(description: "a pipe cannot be closed in other processes: error \(errno)")
        }
        let other = try InspectorProcess.start(
            [], variables: [variable: Work.wait.rawValue],
            descriptors: [reading.fileDescriptor, STDOUT_FILENO, STDERR_FILENO])
        defer {
            try? writing.close()
            waitpid(other, nil, 0)
        }
        // Long enough for the other process to be running.
        usleep(100_000)
        let documents = try files.map { try Document(parsing: read($0)) }
        if work == .compare { use(DocumentDifference(old: documents[0].root, new: documents[1].root)) }
        use(documents)
    }

    /// Reads a file into the document's memory without another copy.
    private static func read(_ file: URL) throws -> SourceBytes {
        let handle = try FileHandle(forReadingFrom: file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        return try SourceBytes(capacity: Int(size)) { memory in
            var count = 0
            while count < memory.count {
                let read = Foundation.read(handle.fileDescriptor, memory.baseAddress! + count, memory.count - count)
                if read < 0 && errno == EINTR { continue }
                guard read > 0 else {
                    let reason = read == 0 ? "it became shorter" : String(cString: strerror(errno))
                    throw InspectorProcess.Failure(description: "'\(file.path)' cannot be read: \(reason)")
                }
                count += read
            }
            return count
        }
    }
}
