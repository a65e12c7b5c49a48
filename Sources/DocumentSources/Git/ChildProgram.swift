import CProcess
import DocumentModel
import Foundation

/// A program that runs beside this one and answers on its standard output. It is ended when the value ends.
///
/// ## Invariant
/// One thread at a time uses it.
final class ChildProgram {
    private var process: pid_t = 0
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    private var received: [UInt8] = []
    /// How much of what was received is taken already.
    private var taken = 0
    private(set) var complaint: [UInt8] = []
    private var status: Int32?

    /// Starts a program, without a shell.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: What stands behind its name.
    ///   - environment: Variables, as `NAME=VALUE`.
    /// - Throws: The error number of the system.
    init(_ program: FilePath, _ arguments: [FilePath], environment: [FilePath]) throws(SystemFailure) {
        var pipes: [(reading: Int32, writing: Int32)] = []
        for number in 0..<3 {
            guard let pipe = Self.pipe(isSocket: number == 0) else {
                let code = errno
                for pipe in pipes {
                    close(pipe.reading)
                    close(pipe.writing)
                }
                throw SystemFailure(code: code)
            }
            pipes.append(pipe)
        }
        let own = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
        defer { for descriptor in own { close(descriptor) } }
        (input, output, errors) = (pipes[0].writing, pipes[1].reading, pipes[2].reading)
        var argv = ([program] + arguments).map { strdup($0.cString) } + [nil]
        var variables = environment.map { strdup($0.cString) } + [nil]
        defer { for word in argv + variables { free(word) } }
        let code = cprocess_spawn(&process, program.cString, &argv, &variables, own, 3)
        guard code == 0 else {
            process = 0
            throw SystemFailure(code: code)
        }
    }

    deinit {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
        if process > 0, status == nil {
            kill(process, SIGKILL)
            wait()
        }
    }

    /// What the system says went wrong.
    struct SystemFailure: Error {
        let code: Int32
    }

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

    /// Writes a few bytes to its standard input: fewer than it may leave lying there.
    ///
    /// - Returns: Whether they were taken.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { cprocess_send(input, $0.baseAddress, UInt($0.count), nil, 0) }
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return false }
            rest = rest.dropFirst(length)
        }
        return true
    }

    /// Closes its standard input.
    func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits for what it says next, on either stream.
    private func receive() {
        var requests = [output, errors].filter { $0 >= 0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&requests, nfds_t(requests.count), -1) > 0 else { return }
        var memory = [UInt8](repeating: 0, count: 1 << 16)
        for request in requests where request.revents != 0 {
            let length = read(request.fd, &memory, memory.count)
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

    private func take(_ count: Int) {
        taken += count
        if taken == received.count {
            received.removeAll(keepingCapacity: received.capacity < 1 << 20)
            taken = 0
        }
    }

    /// All that it says from now on, and the status with which it ends; of one that a signal ended, 128 and more.
    func finish() -> (output: [UInt8], status: Int32) {
        endInput()
        while output >= 0 || errors >= 0 { receive() }
        wait()
        return (Array(received[taken...]), status ?? 255)
    }

    private func wait() {
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0, errno == EINTR {}
        status = ending & 0x7F == 0 ? (ending >> 8) & 0xFF : 128 + (ending & 0x7F)
    }
}
