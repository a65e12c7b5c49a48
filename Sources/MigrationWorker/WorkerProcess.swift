import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// A worker process, as its parent sees it. Used by one thread at a time.
final class WorkerProcess {
    /// The chains that the worker knows.
    private(set) var chains: [ChainDescription] = []
    let page: WorkerPage

    private let process: pid_t
    private let socket: FrameSocket
    private let streams: [Descriptor]
    /// Once this is closed, the system has the process go on if it is stopped, so that it sees that this one is gone.
    private let lifeline: Descriptor
    private var output = [CapturedOutput(), CapturedOutput()]
    private var nextNumber: UInt64 = 1
    private var ending: Int32?
    private var isOpen = [true, true]
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    private var reader: ReplyReader
    private var lastRequest: SentRequest?
    /// What was told of the document that the worker is at.
    private(set) var known: ToldTrace?

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - memoryLimit: How many bytes of address space it may have; 0 for any number.
    ///   - backtraces: Whether Swift's runtime writes a backtrace when it crashes, which takes a while.
    /// - Throws: ``WorkerError``.
    init(memoryLimit: UInt64, backtraces: Bool = false) throws(WorkerError) {
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
        process = try Self.spawn(theirs.map(\.number), memoryLimit, backtraces: backtraces)
        // Until then nothing else keeps them.
        withExtendedLifetime(theirs) {}
    }

    deinit { end() }

    #if os(Linux)
        static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        static let streamType = SOCK_STREAM
    #endif

    private static func spawn(
        _ descriptors: [Int32], _ memoryLimit: UInt64, backtraces: Bool
    ) throws(WorkerError) -> pid_t {
        var changes = [WorkerMain.variable: "\(memoryLimit)", "SWIFT_DETERMINISTIC_HASHING": "1"]
        if backtraces {
            changes["SWIFT_BACKTRACE"] = "enable=yes,interactive=no,color=no,threads=crashed,images=none,limit=64"
        } else if getenv("SWIFT_BACKTRACE") == nil {
            changes["SWIFT_BACKTRACE"] = "enable=no"
        }
        let variables = environment(changing: changes)
        defer { for variable in variables { free(variable) } }
        var process: pid_t = 0
        // The arguments as they were given: they need not be UTF-8.
        // While one is started, nothing else is done to all: it would be left out.
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

    /// The environment as it is, since its variables need not be UTF-8, but for those that change. To be freed.
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

    /// The program itself: the one that runs, also where another has taken its place on the disk.
    private static let executable: String = {
        #if os(Linux)
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }()

    /// Ends the process, what it started too, and waits for its end.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    @discardableResult
    func end() -> Int32 {
        if let ending { return ending }
        kill(-process, SIGKILL)
        return reap()
    }

    /// Whether the process can be asked: it has not ended, and says nothing unasked.
    var isReady: Bool {
        ending == nil && !hasEnded && (try? socket.receive(waits: false)) == .nothing && socket.isEmpty
    }

    private func reap() -> Int32 {
        // One that another process traces ends only when that lets it; a person is not to wait for that.
        guard waitForEnd(within: Self.patienceWhenKilled) else {
            Self.living.withLock { _ = $0.processes.remove(process) }
            ending = -SIGKILL
            return -SIGKILL
        }
        // What it started may go on, in its group, whose number is not given away before the process is waited for.
        kill(-process, SIGKILL)
        // Once it is waited for, its number may be another's.
        Self.living.withLock { _ = $0.processes.remove(process) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = cprocess_ending(status)
        ending = code
        return code
    }

    /// Whether the process has ended, without taking notice of it for good.
    private var hasEnded: Bool { cprocess_has_ended(process) != 0 }

    /// Whether the process ends in that time.
    private func waitForEnd(within patience: Duration) -> Bool {
        let start = ContinuousClock.now
        while !hasEnded {
            if start.duration(to: .now) > patience { return false }
            usleep(1000)
        }
        return true
    }

    /// Whether the process is stopped, and not by this one.
    private var isStopped: Bool {
        Self.living.withLock { !$0.areStopped && cprocess_is_stopped(process) != 0 }
    }

    /// The workers that there are, of all hosts.
    private static let living = Locked((processes: Set<pid_t>(), areStopped: false))

    /// Stops all workers and what they started, also those that are started later, or has them go on.
    static func stopAll(_ areStopped: Bool) {
        living.withLock { living in
            living.areStopped = areStopped
            for process in living.processes { kill(-process, areStopped ? SIGSTOP : SIGCONT) }
        }
    }

    // MARK: - Talking

    /// How an exchange goes on.
    enum Turn {
        case goOn
        /// The process is ended.
        case end
        /// Takes back the requests that the worker has not begun with.
        case revoke
    }

    /// How an exchange ended.
    enum Outcome<Request> {
        /// This many requests were answered; those behind them were taken back.
        case answered(Int)
        /// With a request the process ended, when so many before it were answered.
        case lost(Request, answered: Int, LostWorker)
    }

    /// Waits for the worker's first words.
    ///
    /// - Throws: ``WorkerError``, when there are none in time, or when making the program's chains ends the process.
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
            // What came behind them has ended it.
            if ending != nil { throw .chainsEnded(Crash(.unreadableAnswer)) }
            return
        }
        let crash = isLate ? nil : lost.crash
        if page.state == .withoutThread { throw .cannotStart("\(SystemFailure(code: EAGAIN, of: .thread))") }
        // Another process killed it; the chains are not to blame.
        throw page.state == .starting || crash?.cause == .killed ? .noAnswer(crash) : .chainsEnded(crash)
    }

    /// Sends requests, and hands over the answers as they come, in order.
    ///
    /// - Parameters:
    ///   - blames: Whether a worker that breaks a rule before it has begun with any of them is lost with the first.
    ///     Otherwise none was answered.
    ///   - onReply: Given the number of each request, from 0, and its answer.
    ///   - onRevoked: Told how many requests are left to the worker, when those behind them are taken back.
    ///   - turn: Asked now and then, with the request that the worker is at, and for how long it has been there.
    /// - Throws: ``WorkerError``, where this process has no room for what the worker sends.
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
            // The worker begins with the first ones while the others are made.
            if index % Self.few == 0 { _ = socket.flush(waits: false) }
        }
        var number = 0
        return try exchange(requests, blames: blames) { size, request throws(BrokenFrame) in
            try reader.admit(size, about: request, wanting: wanted.name)
        } onFrame: { frame, request throws(BrokenFrame) in
            switch try reader.read(frame, to: request, wanting: wanted, printed: output, among: chains) {
            case .told(let trace):
                known = ToldTrace(trace)
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

    /// The processor time that the worker has used; nil where the system does not tell.
    var processorTime: Duration? {
        let seconds = cprocess_processor_seconds(process)
        return seconds < 0 ? nil : .seconds(seconds)
    }

    /// How long to wait before asking how to go on.
    private static let turnInterval: Int32 = 20
    /// How much of the time between two turns counts. In more of it this process was stopped, or busy with an answer, or
    /// the machine asleep, which the worker cannot be blamed for.
    private static let longestTurn = Duration.milliseconds(200)
    /// While more than a few answers are to come, several are taken at a time.
    private static let gathering: useconds_t = 1000
    private static let few = 16
    /// How long a worker may be stopped before that counts as its end: whoever stops it with its program has both go
    /// on.
    private static let patienceWhenStopped = Duration.seconds(1)
    /// How long a worker may take to end that was killed.
    private static let patienceWhenKilled = Duration.seconds(5)
    /// How long a worker may take to end that has closed its socket.
    private static let patienceWhenClosed = Duration.seconds(1)

    /// What a frame is to the request at hand.
    private enum Progress { case isAnswer, isOnTheWay }

    /// - Parameters:
    ///   - admit: Given how much each frame brings, before that is kept, and the request that it is about.
    ///   - onFrame: Given each frame, and the request that it is about.
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
        /// A request that a worker had not begun with when it ended is not to blame, and goes to another.
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
            // One that takes nothing any more has ended, and may have answered before.
            let isGone = polled[0].revents & Int16(POLLOUT) != 0 && !socket.flush(waits: false)
            let hasArrived = isGone || polled[0].revents & ~Int16(POLLOUT) != 0
            var arrival = FrameSocket.Arrival.nothing
            do throws(BrokenFrame) {
                if hasArrived { arrival = try socket.receive(waits: false) }
                // After that: what was printed before an answer was sent is there by now.
                readStreams()
                while let request = rest.first,
                    let frame = try socket.next(admitting: { size throws(BrokenFrame) in try admit(size, request) })
                {
                    // It claims a request before it answers, so what comes before that is the app's. Code that forges the
                    // claim too cannot be told from the worker.
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
                // How it ends by itself is worth knowing; but it may have closed its socket, and go on.
                if waitForEnd(within: Self.patienceWhenClosed) { return ended(with: request) }
                end()
                return ended(with: request, .disconnected)
            }
            if hasArrived {
                if rest.count > Self.few { usleep(Self.gathering) }
            } else if hasEnded {
                return ended(with: request)
            } else if self.hasEnded {
                // What it started may have its socket, and then that has no end. All that it sent is there by now.
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
                // One that says that it has not begun may have begun all the same.
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

    /// How many buffers of what is printed are taken at a time: what prints without end must not hold up all else.
    private static let mostBuffers = 64

    /// Takes what the app's code printed.
    private func readStreams() {
        // Said before anything is taken: a worker that finds a pipe empty has to see it.
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

    /// What is known of the process, which is gone or about to go.
    ///
    /// - Parameters:
    ///   - number: That of the request with which it ended.
    ///   - cause: Why it was ended, where that says more than how it ended.
    private func lost(with number: UInt64, because cause: Crash.Cause?) -> LostWorker {
        let code = ending ?? reap()
        readStreams()
        var cause = cause
        // It ends itself where it can no longer talk.
        if cause == nil, code == -SIGKILL, page.state == .disconnected { cause = .disconnected }
        // It may have ended before it began with the request, or have gone on to another while its answer was on the way.
        let isAtRequest = page.claimed == number
        var place = isAtRequest ? page.seenPlace : RunPlace()
        // It was about to answer: what the app's code did last is what may have spoilt that.
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

/// What a worker told of a document on the way to its answer; equal only to itself.
final class ToldTrace: Sendable, Equatable {
    let trace: MigrationTrace

    init(_ trace: MigrationTrace) { self.trace = trace }

    static func == (left: ToldTrace, right: ToldTrace) -> Bool { left === right }
}

/// What is known of a worker that ended with a request unanswered.
struct LostWorker: Sendable {
    /// Whether it was asked for nothing else before.
    let isFirst: Bool
    /// The exit status, or the negative number of a signal.
    let ending: Int32
    /// Why the parent ended it, or it ended itself, where that says more.
    let cause: Crash.Cause?
    let place: RunPlace
    /// The index of the node that was read last; -1 for none.
    let node: Int64
    let fault: WorkerFault
    /// What was printed to standard output and standard error.
    let output: [CapturedOutput]
    /// What was told of the document.
    let known: ToldTrace?

    /// Whether it may have ended by what an earlier document left: in memory, or a thread.
    var mayBeOfEarlier: Bool {
        guard !isFirst else { return false }
        if crash.cause == .outOfMemory { return true }
        return switch WorkerFault.Thread(rawValue: fault.thread) {
        case .main: false
        case .other: true
        case .unknown, nil: cause == nil
        }
    }

    /// How the process ended.
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

/// Why there is no worker.
public enum WorkerError: Error {
    /// The process cannot be started, for this reason of the system.
    case cannotStart(String)
    /// This process has no room for what that process sends, for this reason of the system.
    case cannotReceive(String)
    /// The process ended before it could answer; nil where it was ended because it did not answer in time.
    case noAnswer(Crash?)
    /// Making the program's chains ended the process; nil where that took too long.
    case chainsEnded(Crash?)

    /// For how many seconds a process is waited for.
    static let patience = 5

    /// What the process is to be talked with cannot be had, for the reason that `errno` holds.
    static func noDescriptor() -> WorkerError { .cannotStart("\(SystemFailure(code: errno, of: .descriptor))") }
}

/// A descriptor, closed with the instance.
final class Descriptor {
    let number: Int32

    /// Moves a descriptor to a number that spawning leaves alone, and keeps it from other processes.
    ///
    /// - Returns: nil where there is none, or no room for it, with `errno` set.
    init?(moving descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        let code = errno
        close(descriptor)
        errno = code
        guard moved >= 0 else { return nil }
        number = moved
    }

    /// Takes over a descriptor as it is.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
