import CProcess
import DocumentModel
import Foundation

/// A program that runs beside this one and answers on its standard output. It is ended when the value ends, and when this
/// process does, in whatever way.
///
/// ## Invariant
/// One thread at a time uses it.
final class ChildProgram {
    private var process: pid_t = 0
    /// Writes to its standard input; for a thread that does nothing else.
    let inputWriter: InputWriter
    private var output: Int32
    private var errors: Int32
    /// The end of a pipe that nothing is written to; see `cprocess_spawn_tied`.
    private let lifeline: Int32
    /// How long it may say nothing and sleep, in milliseconds; nil for any time.
    private let patience: Int32?
    /// Whether it was ended because that was too long.
    private(set) var wasIdle = false
    private var received: [UInt8] = []
    /// How much of what was received is taken already.
    private var taken = 0
    private(set) var complaint: [UInt8] = []
    private var status: Int32?

    /// Where a program is among the folders of PATH; nil where it is in none of them.
    static func path(of name: String) -> FilePath? {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { FilePath($0.utf8).appending(FilePath(name)) }
            .first { access($0.cString, X_OK) == 0 && FileStatus(path: $0)?.isRegular == true }
    }

    /// The environment of this process, without some variables.
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

    /// Starts a program, without a shell.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: What stands behind its name.
    ///   - environment: Variables, as `NAME=VALUE`.
    ///   - patience: How long it may say nothing and sleep while something is expected of it, with all that it started,
    ///     in milliseconds; nil for any time.
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

    /// Ends it and what it started.
    private func end() { kill(-process, SIGKILL) }

    /// A pipe whose ends have numbers that spawning leaves alone; nil with `errno` set. A socket is one that can be written
    /// to without a signal where nobody reads.
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

    /// Writes to the standard input of a program, which ends with the value.
    ///
    /// ## Invariant
    /// One thread uses it, which may be another than the one that reads what the program says.
    final class InputWriter: @unchecked Sendable {
        private var descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { end() }

        /// Writes bytes, and waits until they are taken.
        ///
        /// - Returns: Whether they were taken.
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

        /// Whether the program reads no more.
        var isUnwanted: Bool {
            var request = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&request, 1, 0) > 0
        }

        /// Says that there is no more.
        func end() {
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Writes a few bytes to its standard input: fewer than it may leave lying there.
    ///
    /// - Returns: Whether they were taken.
    func write(_ bytes: [UInt8]) -> Bool { inputWriter.write(bytes[...]) }

    /// Closes its standard input.
    func endInput() { inputWriter.end() }

    /// How long to wait, in milliseconds, before asking what a program does that says nothing.
    private static let turn: Int32 = 50

    /// Waits for what it says next, on either stream. It is ended where that is not wanted any more, or its patience is at
    /// an end: what waits for something else than its input or the processor, such as a named pipe, waits for ever.
    private func receive(isCancelled: () -> Bool = { false }) {
        var idle = Duration.zero
        var (worked, last) = (cprocess_processor_seconds(process), ContinuousClock.now)
        while !receive(patience: Self.turn) {
            if let patience = patience.map({ Duration.milliseconds($0) }) {
                let now = cprocess_processor_seconds(process)
                let isIdle = now == worked && isAsleep
                // Looking takes longer the more processes there are; time in which this process was stopped does not count.
                idle = isIdle ? idle + min(last.duration(to: .now), patience / 10) : .zero
                (worked, last) = (now, .now)
                if idle >= patience { wasIdle = true }
            }
            if wasIdle || isCancelled() { end() }
        }
    }

    /// Whether no thread of its process group runs or waits for the processor; false where the system does not tell.
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

    /// The state and the process group of a process or thread, which come after its name (proc_pid_stat(5)); nil for one
    /// that is gone.
    private static func status(_ folder: FilePath) -> (state: Substring, group: pid_t)? {
        guard let file = try? OpenFile(path: folder.appending("stat")) else { return nil }
        let bytes = SourceBytes(capacity: 512) { max(0, file.read(into: $0, at: 0)) }
        // A name may hold parentheses, blanks and ends of lines.
        let words = String(decoding: bytes.data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 2, let group = pid_t(words[2]) else { return nil }
        return (words[0], group)
    }

    /// Waits for what it says next, on either stream, no longer than `patience`, in milliseconds.
    ///
    /// - Returns: Whether it said something, or ended.
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

    /// What it says up to the end of a line; nil where it ends before.
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

    /// The next bytes of what it says; nil where it ends before.
    func bytes(_ count: Int) -> SourceBytes? {
        while received.count - taken < count {
            guard output >= 0 else { return nil }
            receive()
        }
        defer { take(count) }
        return received[taken..<taken + count].withUnsafeBytes { SourceBytes($0) }
    }

    /// What it says next; waits for that no longer than `patience`, in milliseconds.
    ///
    /// - Returns: How many bytes were read, 0 where it says no more; nil where it has said nothing yet.
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

    /// All that it says from now on, and the status with which it ends; of one that a signal ended, 128 and more.
    ///
    /// - Parameters:
    ///   - endsInput: Whether its standard input ends here, rather than where another thread has written all.
    ///   - isCancelled: Asked now and then; when it returns true, the program is ended.
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
