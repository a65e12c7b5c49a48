import CProcess
import DocumentModel
import Foundation

/// A child process that answers on its standard output. It is killed when the value is destroyed, and when this process
/// ends for any reason.
///
/// ## Invariant
/// Only one thread uses it at a time.
final class ChildProgram {
    private var process: pid_t = 0
    /// The writer to the child's standard input, for a thread that only writes.
    let inputWriter: InputWriter
    private var output: Int32
    private var errors: Int32
    /// The end of a pipe that is never written to; see `cprocess_spawn_tied`.
    private let lifeline: Int32
    /// How long the child may sleep without output, in milliseconds; nil for no limit.
    private let patience: Int32?
    /// Whether the child was killed because it exceeded that limit.
    private(set) var wasIdle = false
    private var received: [UInt8] = []
    /// The number of received bytes that were already consumed.
    private var taken = 0
    private(set) var complaint: [UInt8] = []
    private var status: Int32?

    /// Returns the path of a program in one of the folders in PATH, or nil if none contains it.
    static func path(of name: String) -> FilePath? {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { FilePath($0.utf8).appending(FilePath(name)) }
            .first { access($0.cString, X_OK) == 0 && FileStatus(path: $0)?.isRegular == true }
    }

    /// Returns the environment of this process without some variables.
    static func environment(without names: [String]) -> [FilePath] {
        var variables: [FilePath] = []
        let beginnings = names.map { "\($0)=" }
        var entry = cprocess_environment()
        while let variable = entry?.pointee {
            let path = FilePath(cString: variable)
            if !beginnings.contains(where: { path.bytes.starts(with: $0.utf8) }) { variables.append(path) }
            entry = entry?.advanced(by: 1)
        }
        return variables
    }

    /// Starts a program without a shell.
    ///
    /// - Parameters:
    ///   - program: The program's absolute path.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The variables, as `NAME=VALUE`.
    ///   - patience: How long the program, with everything it started, may sleep without output while output is
    ///     expected, in milliseconds; nil for no limit.
    /// - Throws: ``SystemFailure``.
    init(
        _ program: FilePath, _ arguments: [FilePath], environment: [FilePath], patience: Int32? = nil
    ) throws(SystemFailure) {
        self.patience = patience
        var pipes: [(reading: Int32, writing: Int32)] = []
        for number in 0..<4 {
            let ends = Self.pipe(isSocket: number == 0) ?? (-1, -1)
            guard ends.reading >= 0 else {
                let failure = SystemFailure(code: errno, of: .descriptor)
                for pipe in pipes {
                    close(pipe.reading)
                    close(pipe.writing)
                }
                throw failure
            }
            pipes.append(ends)
        }
        let own = [pipes[0].reading, pipes[1].writing, pipes[2].writing, pipes[3].reading]
        defer { for descriptor in own { close(descriptor) } }
        inputWriter = InputWriter(pipes[0].writing)
        (output, errors, lifeline) = (pipes[1].reading, pipes[2].reading, pipes[3].writing)
        var argv = ([program] + arguments).map { strdup($0.cString) } + [nil]
        var variables = environment.map { strdup($0.cString) } + [nil]
        defer { for word in argv + variables { free(word) } }
        let code = cprocess_spawn_tied(
            &process, program.cString, &argv, &variables, own, Int32(own.count), SIGKILL)
        guard code == 0 else {
            process = 0
            throw SystemFailure(code: code, of: .process)
        }
    }

    deinit {
        for descriptor in [output, errors, lifeline] where descriptor >= 0 { close(descriptor) }
        if process > 0, status == nil {
            end()
            wait()
        }
    }

    /// Kills the child and everything it started.
    private func end() { kill(-process, SIGKILL) }

    /// Returns a pipe with descriptor numbers that spawning doesn't use, or nil with `errno` set. Writing to a socket
    /// doesn't raise a signal if its other end is closed.
    private static func pipe(isSocket: Bool) -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard (isSocket ? socketpair(AF_UNIX, Self.streamType, 0, &ends) : Foundation.pipe(&ends)) == 0 else {
            return nil
        }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        let code = errno
        for end in ends { close(end) }
        if moved.allSatisfy({ $0 >= 0 }) { return (moved[0], moved[1]) }
        for end in moved where end >= 0 { close(end) }
        errno = code
        return nil
    }

    #if os(Linux)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = SOCK_STREAM
    #endif

    /// Writes to the standard input of a program. The input is closed when the value is destroyed.
    ///
    /// ## Invariant
    /// Only one thread uses it. That may be a different thread than the one that reads the program's output.
    final class InputWriter: @unchecked Sendable {
        private var descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { end() }

        /// Writes bytes, and waits until they are accepted.
        ///
        /// - Returns: Whether all of them were accepted.
        func write(_ bytes: ArraySlice<UInt8>) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let length = rest.withUnsafeBytes { cprocess_send(descriptor, $0.baseAddress, UInt($0.count), nil, 0) }
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { return false }
                rest = rest.dropFirst(length)
            }
            return true
        }

        /// Whether the program has stopped reading.
        var isUnwanted: Bool {
            var request = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&request, 1, 0) > 0
        }

        /// Closes the program's standard input.
        func end() {
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Writes a few bytes to the child's standard input, no more than fit in its buffer.
    ///
    /// - Returns: Whether they were accepted.
    func write(_ bytes: [UInt8]) -> Bool { inputWriter.write(bytes[...]) }

    /// Closes the child's standard input.
    func endInput() { inputWriter.end() }

    /// How long to wait for output, in milliseconds, before checking what the child is doing.
    private static let turn: Int32 = 50

    /// Waits for output on either stream. Kills the child if it is cancelled or exceeds its limit: a program that waits
    /// for something other than its input or the processor, such as a named pipe, would wait forever.
    private func receive(isCancelled: () -> Bool = { false }) {
        var idle = Duration.zero
        var (worked, last) = (cprocess_processor_seconds(process), ContinuousClock.now)
        while !receive(patience: Self.turn) {
            if let patience = patience.map({ Duration.milliseconds($0) }) {
                let now = cprocess_processor_seconds(process)
                let isIdle = now == worked && isAsleep
                // Checking takes longer the more processes there are. Time in which this process was stopped doesn't
                // count.
                idle = isIdle ? idle + min(last.duration(to: .now), patience / 10) : .zero
                (worked, last) = (now, .now)
                if idle >= patience { wasIdle = true }
            }
            if wasIdle || isCancelled() { end() }
        }
    }

    /// Whether no thread of the child's process group is running or ready to run; false if the system doesn't report
    /// it.
    private var isAsleep: Bool {
        let group = Self.processes("/proc").filter { Self.status($0)?.group == process }
        return !group.isEmpty
            && group.allSatisfy { Self.processes($0.appending("task")).allSatisfy { Self.status($0)?.state != "R" } }
    }

    private static func processes(_ folder: FilePath) -> [FilePath] {
        (FolderEntry.entries(ofFolder: folder) ?? []).filter { pid_t("\($0.name)") != nil }.map {
            folder.appending($0.name)
        }
    }

    /// Returns the state and the process group of a process or thread, which follow its name in the file
    /// (proc_pid_stat(5)). Returns nil if it is gone.
    private static func status(_ folder: FilePath) -> (state: Substring, group: pid_t)? {
        guard let file = try? OpenFile(path: folder.appending("stat")) else { return nil }
        let bytes = SourceBytes(capacity: 512) { max(0, file.read(into: $0, at: 0)) }
        // A name may contain parentheses, spaces and newlines.
        let words = String(decoding: bytes.data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 2, let group = pid_t(words[2]) else { return nil }
        return (words[0], group)
    }

    /// Waits for output on either stream, at most `patience` milliseconds.
    ///
    /// - Returns: Whether there was output, or a stream ended.
    @discardableResult
    private func receive(patience: Int32) -> Bool {
        var requests = [output, errors].filter { $0 >= 0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&requests, nfds_t(requests.count), patience) > 0 else { return false }
        var memory = [UInt8](repeating: 0, count: 1 << 16)
        for request in requests where request.revents != 0 {
            let length = Foundation.read(request.fd, &memory, memory.count)
            if length < 0, errno == EINTR { continue }
            if length > 0 {
                if request.fd == output {
                    received += memory[..<length]
                } else {
                    complaint = Array((complaint + memory[..<length]).prefix(memory.count))
                }
                continue
            }
            close(request.fd)
            if request.fd == output { output = -1 } else { errors = -1 }
        }
        return true
    }

    /// Returns the output up to the end of a line, or nil if the output ends first.
    func line() -> [UInt8]? {
        var searched = taken
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                defer { take(end + 1 - taken) }
                return Array(received[taken..<end])
            }
            searched = received.count
            guard output >= 0 else { return nil }
            receive()
        }
    }

    /// Returns the next bytes of the output, or nil if the output ends first.
    func bytes(_ count: Int) -> SourceBytes? {
        while received.count - taken < count {
            guard output >= 0 else { return nil }
            receive()
        }
        defer { take(count) }
        return received[taken..<taken + count].withUnsafeBytes { SourceBytes($0) }
    }

    /// Reads output, waiting at most `patience` milliseconds for it.
    ///
    /// - Returns: The number of bytes read, 0 at the end of the output; nil if there is no output yet.
    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) -> Int? {
        if received.count == taken, output >= 0 { receive(patience: patience) }
        let count = min(received.count - taken, memory.count)
        guard count > 0 else { return output >= 0 ? nil : 0 }
        received.withUnsafeBytes { memory.copyMemory(from: .init(rebasing: $0[taken..<taken + count])) }
        take(count)
        return count
    }

    private func take(_ count: Int) {
        taken += count
        if taken == received.count {
            received.removeAll(keepingCapacity: received.capacity < 1 << 20)
            taken = 0
        }
    }

    /// Returns the rest of the output and the exit status; if a signal ended the program, the status is 128 plus the
    /// signal's number.
    ///
    /// - Parameters:
    ///   - endsInput: Whether to close the program's standard input here. Pass false if another thread closes it after
    ///     writing everything.
    ///   - isCancelled: Called now and then; the program is killed when it returns true.
    func finish(
        endsInput: Bool = true, isCancelled: () -> Bool = { false }
    ) -> (output: [UInt8], status: Int32) {
        if endsInput { endInput() }
        while output >= 0 || errors >= 0 { receive(isCancelled: isCancelled) }
        wait()
        return (Array(received[taken...]), status ?? 255)
    }

    private func wait() {
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0, errno == EINTR {}
        status = ending & 0x7F == 0 ? (ending >> 8) & 0xFF : 128 + (ending & 0x7F)
    }
}
