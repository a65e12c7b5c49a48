import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// A worker process, as seen by its parent. It's used by one thread at a time.
final class WorkerProcess {
    /// The chains that the worker knows.
    private(set) var chains: [ChainDescription] = []
    let page: WorkerPage
    /// The types that the worker does not ask for their fields.
    let unaskable: Set<RunPlace.Asked>

    private let process: pid_t
    private let socket: FrameSocket
    private let streams: [Descriptor]
    /// When this is closed, the system continues the process if it's stopped, so that it notices that its parent is
    /// gone.
    private let lifeline: Descriptor
    private var output = [CapturedOutput(), CapturedOutput()]
    private var nextNumber: UInt64 = 1
    private var ending: Int32?
    private var isOpen = [true, true]
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    private var reader: ReplyReader
    private var lastRequest: SentRequest?
    /// The intermediate trace of the worker's current document.
    private(set) var known: ReportedTrace?

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - memoryLimit: The limit for its address space, in bytes; 0 for no limit.
    ///   - backtraces: Whether Swift's runtime writes a backtrace when the worker crashes, which takes a while.
    ///   - unaskable: The types that the worker must not ask for their fields.
    /// - Throws: ``WorkerError``.
    init(
        memoryLimit: UInt64, backtraces: Bool = false, unaskable: Set<RunPlace.Asked> = []
    ) throws(WorkerError) {
        self.unaskable = unaskable
        func connected(
            _ make: (UnsafeMutablePointer<Int32>) -> Int32
        ) throws(WorkerError) -> (ours: Descriptor, theirs: Descriptor) {
            var ends: [Int32] = [-1, -1]
            guard make(&ends) == 0 else { throw .noDescriptor() }
            guard let ours = Descriptor(moving: ends[0]) else {
                let error = WorkerError.noDescriptor()
                close(ends[1])
                throw error
            }
            guard let theirs = Descriptor(moving: ends[1]) else { throw .noDescriptor() }
            _ = fcntl(ours.number, F_SETFL, fcntl(ours.number, F_GETFL) | O_NONBLOCK)
            return (ours, theirs)
        }
        let talk = try connected { socketpair(AF_UNIX, Self.streamType, 0, $0) }
        guard let memory = Descriptor(moving: WorkerPage.makeDescriptor()),
            let page = WorkerPage(descriptor: memory.number)
        else { throw .noDescriptor() }
        let (output, errors) = (try connected { pipe($0) }, try connected { pipe($0) })
        guard let input = Descriptor(moving: open("/dev/null", O_RDONLY)) else { throw .noDescriptor() }
        self.page = page
        reader = ReplyReader(
            mostShared: Int(clamping: memoryLimit > 0 ? memoryLimit : ProcessInfo.processInfo.physicalMemory))
        socket = FrameSocket(talk.ours)
        streams = [output.ours, errors.ours]
        let lifeline = try connected { pipe($0) }
        self.lifeline = lifeline.theirs
        let theirs = [input, output.theirs, errors.theirs, talk.theirs, memory, lifeline.ours]
        process = try Self.spawn(theirs.map(\.number), memoryLimit, backtraces: backtraces, unaskable)
        // Until then, nothing else keeps them open.
        withExtendedLifetime(theirs) {}
    }

    deinit { end() }

    #if os(Linux)
        static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        static let streamType = SOCK_STREAM
    #endif

    private static func spawn(
        _ descriptors: [Int32], _ memoryLimit: UInt64, backtraces: Bool, _ unaskable: Set<RunPlace.Asked>
    ) throws(WorkerError) -> pid_t {
        var changes = [WorkerMain.variable: "\(memoryLimit)", "SWIFT_DETERMINISTIC_HASHING": "1"]
        if !unaskable.isEmpty { changes[WorkerMain.unaskableVariable] = unaskable.unaskableText }
        if backtraces {
            changes["SWIFT_BACKTRACE"] = "enable=yes,interactive=no,color=no,threads=crashed,images=none,limit=64"
        } else if getenv("SWIFT_BACKTRACE") == nil {
            changes["SWIFT_BACKTRACE"] = "enable=no"
        }
        let variables = environment(changing: changes)
        defer { for variable in variables { free(variable) } }
        var process: pid_t = 0
        // The arguments are passed on as bytes, because they needn't be UTF-8. The lock is held during the start, so
        // that stopping all workers doesn't miss this one.
        let code = living.withLock { living in
            let code = cprocess_spawn_tied(
                &process, executable, CommandLine.unsafeArgv, variables, descriptors, Int32(descriptors.count), SIGCONT)
            guard code == 0 else { return code }
            living.processes.insert(process)
            if living.areStopped { kill(-process, SIGSTOP) }
            return code
        }
        guard code == 0 else { throw .cannotStart("\(SystemFailure(code: code, of: .process))") }
        return process
    }

    /// Returns the environment with the given changes. Variables are copied as bytes, because they needn't be UTF-8.
    /// The caller frees them.
    private static func environment(changing changes: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var variables = changes.map { strdup("\($0)=\($1)") }
        var next = cprocess_environment()
        while let variable = next?.pointee {
            let isChanged = changes.keys.contains { strncmp(variable, "\($0)=", $0.utf8.count + 1) == 0 }
            if !isChanged { variables.append(strdup(variable)) }
            next = next.map { $0 + 1 }
        }
        return variables + [nil]
    }

    /// The path of the running program, even if its file on disk has been replaced.
    private static let executable: String = {
        #if os(Linux)
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }()

    /// Ends the process and everything it started, and waits for its end.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    @discardableResult
    func end() -> Int32 {
        if let ending { return ending }
        kill(-process, SIGKILL)
        return reap()
    }

    /// Whether the process can accept requests: it hasn't ended and has sent nothing unasked.
    var isReady: Bool {
        ending == nil && !hasEnded && (try? socket.receive(waits: false)) == .nothing && socket.isEmpty
    }

    private func reap() -> Int32 {
        // A process traced by another one ends only when the tracer lets it. Users shouldn't have to wait for that.
        guard waitForEnd(within: Self.patienceWhenKilled) else {
            Self.living.withLock { _ = $0.processes.remove(process) }
            ending = -SIGKILL
            return -SIGKILL
        }
        // Processes that it started may still run in its group, whose number isn't reused until the process has been
        // waited for.
        kill(-process, SIGKILL)
        // Remove it first: after waitpid(2), the number may belong to another process.
        Self.living.withLock { _ = $0.processes.remove(process) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = cprocess_ending(status)
        ending = code
        return code
    }

    /// Whether the process has ended. The process can still be waited for.
    private var hasEnded: Bool { cprocess_has_ended(process) != 0 }

    /// Waits for the process to end. Returns false if it doesn't end in time.
    private func waitForEnd(within patience: Duration) -> Bool {
        let start = ContinuousClock.now
        while !hasEnded {
            if start.duration(to: .now) > patience { return false }
            usleep(1000)
        }
        return true
    }

    /// Whether the process is stopped by something other than this process.
    private var isStopped: Bool {
        Self.living.withLock { !$0.areStopped && cprocess_is_stopped(process) != 0 }
    }

    /// The running workers of all hosts.
    private static let living = Locked((processes: Set<pid_t>(), areStopped: false))

    /// Stops all workers and everything they started, including workers that are started later, or continues them.
    static func stopAll(_ areStopped: Bool) {
        living.withLock { living in
            living.areStopped = areStopped
            for process in living.processes { kill(-process, areStopped ? SIGSTOP : SIGCONT) }
        }
    }

    // MARK: - Talking

    /// How to continue an exchange.
    enum Turn {
        case goOn
        /// Ends the process.
        case end
        /// Takes back the requests that the worker hasn't begun.
        case revoke
    }

    /// How an exchange ended.
    enum Outcome<Request> {
        /// This many requests were answered; the ones after them were taken back.
        case answered(Int)
        /// The process ended during a request, after the given number of requests before it had been answered.
        case lost(Request, answered: Int, LostWorker)
    }

    /// Waits for the worker's first message, which contains the chains.
    ///
    /// - Throws: ``WorkerError`` if it doesn't arrive in time, or if making the program's chains ends the process.
    func waitForChains() throws(WorkerError) {
        var isLate = false
        let outcome = try exchange([()]) { size, _ throws(BrokenFrame) in
            try reader.admit(size, about: nil, wanting: .outline)
        } onFrame: { frame, _ throws(BrokenFrame) in
            chains = try ReplyReader.chains(in: frame)
            return .isAnswer
        } turn: { _, time in
            isLate = time > .seconds(WorkerError.patience)
            return isLate ? .end : .goOn
        }
        guard case .lost(_, _, let lost) = outcome else {
            // Data after the chains has ended the worker.
            if ending != nil { throw .chainsEnded(Crash(.unreadableAnswer)) }
            return
        }
        let crash = isLate ? nil : lost.crash
        if page.state == .withoutThread { throw .cannotStart("\(SystemFailure(code: EAGAIN, of: .thread))") }
        // If another process killed it, the chains aren't to blame.
        throw page.state == .starting || crash?.cause == .killed ? .noAnswer(crash) : .chainsEnded(crash)
    }

    /// Sends requests, and delivers the replies in order as they arrive.
    ///
    /// - Parameters:
    ///   - blames: Whether a worker that breaks a rule before it has begun any request counts as lost with the first
    ///     one. If not, no requests count as answered.
    ///   - onReply: Called with the index of each request, from 0, and its reply.
    ///   - onRevoked: Called with the number of requests left to the worker when the ones after them are taken back.
    ///   - turn: Called now and then with the worker's current request and how long the worker has been at it.
    /// - Throws: ``WorkerError`` if this process has no room for the data from the worker.
    func ask<Answer>(
        _ requests: [WorkerRequest], wanting wanted: Wanted<Answer>, blames: Bool = true,
        onReply: (Int, WorkerReply<Answer>) -> Void, onRevoked: (Int) -> Void = { _ in },
        turn: (WorkerRequest, Duration) -> Turn
    ) throws(WorkerError) -> Outcome<WorkerRequest> {
        page.resume(at: nextNumber)
        for (index, request) in requests.enumerated() {
            guard let frame = OutgoingFrame(request, wanting: wanted.name, behind: &lastRequest) else {
                preconditionFailure("what is known to be unreadable is not asked for")
            }
            socket.add(frame)
            nextNumber += 1
            // The worker begins the first requests while the others are encoded.
            if index % Self.few == 0 { _ = socket.flush(waits: false) }
        }
        var number = 0
        return try exchange(requests, blames: blames) { size, request throws(BrokenFrame) in
            try reader.admit(size, about: request, wanting: wanted.name)
        } onFrame: { frame, request throws(BrokenFrame) in
            switch try reader.read(frame, to: request, wanting: wanted, printed: output, among: chains) {
            case .reported(let trace):
                known = ReportedTrace(trace)
                return .isOnTheWay
            case .answer(let reply):
                known = nil
                onReply(number, reply)
                number += 1
                return .isAnswer
            }
        } onRevoked: {
            onRevoked($0)
        } turn: {
            turn($0, $1)
        }
    }

    /// The processor time that the worker has used; nil if the system doesn't report it.
    var processorTime: Duration? {
        let seconds = cprocess_processor_seconds(process)
        return seconds < 0 ? nil : .seconds(seconds)
    }

    /// How long to wait before each turn, in milliseconds.
    private static let turnInterval: Int32 = 20
    /// The maximum time that counts between two turns. If more time passes, this process was stopped or busy with an
    /// answer, or the machine was asleep, none of which is the worker's fault.
    private static let longestTurn = Duration.milliseconds(200)
    /// If more than ``few`` answers are pending, wait this long, in microseconds, so that several arrive together.
    private static let gathering: useconds_t = 1000
    private static let few = 16
    /// How long a worker may be stopped before it counts as ended. Anything that stops it together with its program
    /// also continues both.
    private static let patienceWhenStopped = Duration.seconds(1)
    /// How long a killed worker may take to end.
    private static let patienceWhenKilled = Duration.seconds(5)
    /// How long a worker that closed its socket may take to end.
    private static let patienceWhenClosed = Duration.seconds(1)

    /// The meaning of a frame for the current request.
    private enum Progress { case isAnswer, isOnTheWay }

    /// - Parameters:
    ///   - admit: Called with the sizes in each frame, before it's kept, and the request that it belongs to.
    ///   - onFrame: Called with each frame and the request that it belongs to.
    private func exchange<Request>(
        _ requests: [Request], blames: Bool = true, admit: (FrameSize, Request) throws(BrokenFrame) -> Void,
        onFrame: (Frame, Request) throws(BrokenFrame) -> Progress, onRevoked: (Int) -> Void = { _ in },
        turn: (Request, Duration) -> Turn
    ) throws(WorkerError) -> Outcome<Request> {
        var rest = requests[...]
        var answered: Int { rest.startIndex }
        // How long the worker has been at the request, and how long it has been stopped.
        var (time, stopped) = (Duration.zero, Duration.zero)
        var lastTurn = ContinuousClock.now
        var hasEnded = false
        let first = nextNumber - UInt64(requests.count)
        func lost(_ request: Request, _ cause: Crash.Cause? = nil) -> Outcome<Request> {
            .lost(request, answered: answered, self.lost(with: first + UInt64(answered), because: cause))
        }
        /// Returns the outcome for a worker that ended. A request that it hadn't begun isn't to blame, and is given to
        /// another worker.
        func ended(with request: Request, _ cause: Crash.Cause? = nil) -> Outcome<Request> {
            let hasBegun = page.claimed >= first + UInt64(answered) || blames && answered == 0
            if hasBegun { return lost(request, cause) }
            end()
            return .answered(answered)
        }
        while !rest.isEmpty {
            var polled = [pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)]
            if socket.hasOutgoing { polled[0].events |= Int16(POLLOUT) }
            polled += zip(streams, isOpen).map { stream, isOpen in
                pollfd(fd: isOpen ? stream.number : -1, events: Int16(POLLIN), revents: 0)
            }
            poll(&polled, nfds_t(polled.count), Self.turnInterval)
            let now = ContinuousClock.now
            let turnTime = min(lastTurn.duration(to: now), Self.longestTurn)
            lastTurn = now
            time += turnTime
            // A worker that accepts no more data has ended, but may have answered before.
            let isGone = polled[0].revents & Int16(POLLOUT) != 0 && !socket.flush(waits: false)
            let hasArrived = isGone || polled[0].revents & ~Int16(POLLOUT) != 0
            var arrival = FrameSocket.Arrival.nothing
            do throws(BrokenFrame) {
                if hasArrived { arrival = try socket.receive(waits: false) }
                // Read output after the socket: anything printed before an answer was sent has arrived by now.
                readStreams()
                while let request = rest.first,
                    let frame = try socket.next(admitting: { size throws(BrokenFrame) in try admit(size, request) })
                {
                    // The worker claims a request before it answers, so an earlier frame is from the app's code. If
                    // that forges the claim too, it can't be distinguished from the worker.
                    guard page.claimed >= first + UInt64(answered) else { throw BrokenFrame(.kind) }
                    guard try onFrame(frame, request) == .isAnswer else { continue }
                    rest.removeFirst()
                    time = .zero
                }
                if rest.isEmpty, !socket.isEmpty { throw BrokenFrame() }
            } catch {
                end()
                guard let request = rest.first else { return .answered(answered) }
                return ended(with: request, error.cause)
            }
            guard let request = rest.first else { break }
            if case .noRoom(let failure) = arrival {
                end()
                throw .cannotReceive("\(failure)")
            }
            if arrival == .end || isGone && arrival == .nothing {
                // If the worker ends by itself, it's worth knowing how. But it may have closed its socket and keep
                // running.
                if waitForEnd(within: Self.patienceWhenClosed) { return ended(with: request) }
                end()
                return ended(with: request, .disconnected)
            }
            if hasArrived {
                if rest.count > Self.few { usleep(Self.gathering) }
            } else if hasEnded {
                return ended(with: request)
            } else if self.hasEnded {
                // A process that the worker started may still hold the socket, which then never ends. Everything that
                // the worker sent has arrived by now.
                hasEnded = true
                continue
            } else if isStopped {
                stopped += turnTime
                if stopped > Self.patienceWhenStopped {
                    end()
                    return lost(request, .stopped)
                }
            } else {
                stopped = .zero
            }
            switch turn(request, time) {
            case .goOn: break
            case .revoke:
                guard rest.count > 1 else { continue }
                let left = page.revoke(first: first, answered...rest.endIndex)
                guard left < rest.endIndex else { continue }
                // A worker that claims not to have begun may have begun anyway.
                if left == answered { end() }
                rest = rest[..<left]
                onRevoked(left)
            case .end:
                end()
                return lost(request)
            }
        }
        return .answered(answered)
    }

    /// The maximum number of buffers of output to read at a time, so that endless output doesn't hold up everything
    /// else.
    private static let mostBuffers = 64

    /// Reads the output of the app's code.
    private func readStreams() {
        // Set this before reading: a worker that finds a pipe empty has to see it.
        page.hasTakenOutput = true
        defer { page.hasTakenOutput = !output.allSatisfy(\.isSeparated) }
        for (index, stream) in streams.enumerated() where isOpen[index] {
            for _ in 0..<Self.mostBuffers {
                let length = buffer.withUnsafeMutableBytes { read(stream.number, $0.baseAddress, $0.count) }
                if length > 0 { output[index].append(buffer[..<length], before: nextNumber) }
                if length == 0 { isOpen[index] = false }
                if length < buffer.count { break }
            }
        }
    }

    /// Returns what is known of the process, which has ended or is about to.
    ///
    /// - Parameters:
    ///   - number: The number of the request during which it ended.
    ///   - cause: Why it was ended, if that says more than how it ended.
    private func lost(with number: UInt64, because cause: Crash.Cause?) -> LostWorker {
        let code = ending ?? reap()
        readStreams()
        var cause = cause
        // The worker ends itself if it can no longer communicate.
        if cause == nil, code == -SIGKILL, page.state == .disconnected { cause = .disconnected }
        // It may have ended before it began the request, or have gone on to another one while its answer was in
        // transit.
        let isAtRequest = page.claimed == number
        var place = isAtRequest ? page.seenPlace : RunPlace()
        // It was about to answer. Something that the app's code did last may have prevented that.
        if cause != nil, isAtRequest, place.phase == RunPlace.Phase.idle.rawValue {
            place.phase = RunPlace.Phase.finishing.rawValue
        }
        return LostWorker(
            isFirst: number == 1, ending: code, cause: cause, place: place, node: isAtRequest ? page.seenNode : -1,
            fault: page.seenFault,
            output: output.enumerated().map { page.separated(stream: $0) == number ? $1 : CapturedOutput() },
            known: known)
    }
}

/// An intermediate trace that a worker sent before its answer; equal only to itself.
final class ReportedTrace: Sendable, Equatable {
    let trace: MigrationTrace

    init(_ trace: MigrationTrace) { self.trace = trace }

    static func == (left: ReportedTrace, right: ReportedTrace) -> Bool { left === right }
}

/// What is known of a worker that ended with a request unanswered.
struct LostWorker: Sendable {
    /// Whether the request was the worker's first.
    let isFirst: Bool
    /// The exit status, or the negative number of a signal.
    let ending: Int32
    /// Why the parent ended it, or why it ended itself, if that says more.
    let cause: Crash.Cause?
    let place: RunPlace
    /// The index of the last node that was read; -1 for none.
    let node: Int64
    let fault: WorkerFault
    /// The output to standard output and standard error.
    let output: [CapturedOutput]
    /// The intermediate trace of the document.
    let known: ReportedTrace?

    /// Whether it may have ended because of something that an earlier document left behind: used memory or a running
    /// thread.
    var mayBeOfEarlier: Bool {
        guard !isFirst else { return false }
        if crash.cause == .outOfMemory { return true }
        return switch WorkerFault.Thread(rawValue: fault.thread) {
        case .main: false
        case .other: true
        case .unknown, nil: cause == nil
        }
    }

    /// The crash to report.
    var crash: Crash {
        let isPlaced = fault.offset != 0 && !fault.moduleName.isEmpty
        let words = output[1].lastWords
        return Crash(
            crashCause, place: isPlaced ? "\(fault.moduleName)+0x\(String(fault.offset, radix: 16))" : nil,
            lastWords: words?.text, isVerdict: words?.isVerdict ?? false)
    }

    private var crashCause: Crash.Cause {
        if fault.kind == WorkerFault.Kind.outOfMemory.rawValue { return .outOfMemory }
        if let cause { return cause }
        if ending >= 0 { return .exit(ending) }
        if fault.kind == WorkerFault.Kind.stackOverflow.rawValue { return .stackOverflow }
        return switch -ending {
        case SIGILL, SIGTRAP: .trap
        case SIGABRT: .abort
        case SIGSEGV, SIGBUS: .badAccess
        case SIGFPE: .arithmetic
        case SIGKILL: .killed
        case let number: .signal(number)
        }
    }
}

/// A reason why there is no worker.
public enum WorkerError: Error {
    /// The process cannot be started, for this system error.
    case cannotStart(String)
    /// This process has no room for the data that the worker sends, for this system error.
    case cannotReceive(String)
    /// The process ended before it could answer. The crash is nil if it was ended because it didn't answer in time.
    case noAnswer(Crash?)
    /// Making the program's chains ended the process. The crash is nil if it took too long.
    case chainsEnded(Crash?)

    /// How long to wait for a process, in seconds.
    static let patience = 5

    /// Returns the error for a missing resource that's needed to communicate with the process, with the reason in
    /// `errno`.
    static func noDescriptor() -> WorkerError { .cannotStart("\(SystemFailure(code: errno, of: .descriptor))") }
}

/// A file descriptor that is closed with the instance.
final class Descriptor {
    let number: Int32

    /// Moves a descriptor to a number that spawning leaves unchanged, and keeps other processes from inheriting it.
    ///
    /// - Returns: nil if the descriptor is negative or cannot be moved, with `errno` set.
    init?(moving descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        let code = errno
        close(descriptor)
        errno = code
        guard moved >= 0 else { return nil }
        number = moved
    }

    /// Takes ownership of a descriptor without moving it.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
