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
    private var output = [CapturedOutput(), CapturedOutput()]
    private var nextNumber: UInt64 = 1
    private var ending: Int32?
    private var isOpen = [true, true]
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    private var lastReply: SentReply?
    private var lastRequest: SentRequest?
    /// What was told of the document that the worker is at.
    private(set) var known: ToldTrace?
    private var knownDocuments: [Document] = []

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
            guard make(&ends) == 0 else { throw .cannotStart() }
            let (ours, theirs) = (Descriptor(moving: ends[0]), Descriptor(moving: ends[1]))
            guard let ours, let theirs else { throw .cannotStart() }
            _ = fcntl(ours.number, F_SETFL, fcntl(ours.number, F_GETFL) | O_NONBLOCK)
            return (ours, theirs)
        }
        let talk = try connected { socketpair(AF_UNIX, Self.streamType, 0, $0) }
        guard let memory = Descriptor(moving: WorkerPage.makeDescriptor()),
            let page = WorkerPage(descriptor: memory.number)
        else { throw .cannotStart() }
        let (output, errors) = (try connected { pipe($0) }, try connected { pipe($0) })
        guard let input = Descriptor(moving: open("/dev/null", O_RDONLY)) else { throw .cannotStart() }
        self.page = page
        socket = FrameSocket(talk.ours)
        streams = [output.ours, errors.ours]
        let theirs = [input, output.theirs, errors.theirs, talk.theirs, memory]
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
            let code = cprocess_spawn(
                &process, executable, CommandLine.unsafeArgv, variables, descriptors, Int32(descriptors.count))
            guard code == 0 else { return code }
            living.processes.insert(process)
            if living.areStopped { kill(-process, SIGSTOP) }
            return code
        }
        guard code == 0 else { throw .cannotStart(String(cString: strerror(code))) }
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
    var isReady: Bool { ending == nil && !waitForEnd(WNOHANG) && socket.receive(waits: false) == .nothing }

    private func reap() -> Int32 {
        _ = waitForEnd(0)
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
    private func waitForEnd(_ options: Int32) -> Bool { cprocess_has_ended(process, options) != 0 }

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
    enum Outcome {
        /// This many requests were answered; those behind them were taken back.
        case answered(Int)
        /// This many were answered; with the next one the process ended.
        case lost(answered: Int, LostWorker)
    }

    /// Waits for the worker's first words.
    ///
    /// - Throws: ``WorkerError``, when there are none in time, or when making the program's chains ends the process.
    func waitForChains() throws(WorkerError) {
        var isLate = false
        let outcome = exchange(count: 1) { frame, _ in
            let reply = try MessageCoding.message(SentReply.self, in: frame.text)
            guard case .chains(let chains) = reply else { throw BrokenFrame() }
            self.chains = chains
            return true
        } turn: { time in
            isLate = time > .seconds(WorkerError.patience)
            return isLate ? .end : .goOn
        }
        guard case .lost(_, let lost) = outcome else { return }
        let crash = isLate ? nil : lost.crash
        // Another process killed it; the chains are not to blame.
        throw page.state == .starting || crash?.cause == .killed ? .noAnswer(crash) : .chainsEnded(crash)
    }

    /// Sends requests, and hands over the answers as they come, in order.
    ///
    /// - Parameters:
    ///   - onReply: Given the number of each request, from 0, and its answer.
    ///   - onRevoked: Told how many requests are left to the worker, when those behind them are taken back.
    ///   - turn: Asked now and then, with how long the worker has been at its request.
    func ask(
        _ requests: [WorkerRequest], onReply: (Int, WorkerReply) -> Void, onRevoked: (Int) -> Void = { _ in },
        turn: (Duration) -> Turn
    ) -> Outcome {
        page.resume(at: nextNumber)
        for (index, request) in requests.enumerated() {
            guard let frame = OutgoingFrame(request, behind: &lastRequest) else {
                preconditionFailure("what is known to be unreadable is not asked for")
            }
            socket.add(frame)
            nextNumber += 1
            // The worker begins with the first ones while the others are made.
            if index % Self.few == 0 { _ = socket.flush(waits: false) }
        }
        return exchange(count: requests.count) { frame, index in
            if !frame.text.isEmpty {
                lastReply = try MessageCoding.message(SentReply.self, in: frame.text)
            }
            let source = requests[index].document.name
            switch try lastReply?.reply(frame.blocks, behind: &knownDocuments, source: source) {
            case .trace(let trace) where lastReply?.isAnswer == false:
                known = ToldTrace(trace)
                return false
            case .trace(var trace):
                trace.output = CapturedOutput.printed(output, among: chains)
                onReply(index, .trace(trace))
            case let reply?: onReply(index, reply)
            case nil: throw BrokenFrame()
            }
            return true
        } onRevoked: {
            onRevoked($0)
        } turn: {
            turn($0)
        }
    }

    /// The processor time that the worker has used; nil where the system does not tell.
    var processorTime: Duration? {
        let seconds = cprocess_processor_seconds(process)
        return seconds < 0 ? nil : .seconds(seconds)
    }

    /// How long to wait before asking how to go on.
    private static let turnInterval: Int32 = 20
    /// A wait that took longer by this much is one in which this process was stopped, or the machine asleep; the
    /// worker did not run either, or cannot be blamed.
    private static let stopped = Duration.seconds(1)
    /// While more than a few answers are to come, several are taken at a time.
    private static let gathering: useconds_t = 1000
    private static let few = 16

    /// - Parameter onFrame: Returns whether the frame is the answer to the request of that number.
    private func exchange(
        count: Int, onFrame: (Frame, Int) throws -> Bool, onRevoked: (Int) -> Void = { _ in },
        turn: (Duration) -> Turn
    ) -> Outcome {
        var (answered, expected) = (0, count)
        var began = ContinuousClock.now
        let first = nextNumber - UInt64(count)
        while answered < expected {
            let before = ContinuousClock.now
            var requests = [pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)]
            if socket.hasOutgoing { requests[0].events |= Int16(POLLOUT) }
            requests += zip(streams, isOpen).map { stream, isOpen in
                pollfd(fd: isOpen ? stream.number : -1, events: Int16(POLLIN), revents: 0)
            }
            poll(&requests, nfds_t(requests.count), Self.turnInterval)
            let waited = before.duration(to: .now)
            if waited > Self.stopped { began += waited }
            // One that takes nothing any more has ended, and may have answered before.
            let isGone = requests[0].revents & Int16(POLLOUT) != 0 && !socket.flush(waits: false)
            let hasArrived = isGone || requests[0].revents & ~Int16(POLLOUT) != 0
            var arrival = FrameSocket.Arrival.bytes
            while hasArrived, arrival == .bytes { arrival = socket.receive(waits: false) }
            // After that: what was printed before an answer was sent is there by now.
            readStreams()
            do {
                while answered < expected, let frame = try socket.next() {
                    guard try onFrame(frame, answered) else { continue }
                    answered += 1
                    began = .now
                    (known, knownDocuments) = (nil, [])
                }
                if answered == expected, try socket.next() != nil { throw BrokenFrame() }
            } catch {
                end()
                // What came behind the last answer is no answer to anything.
                if answered == expected { return .answered(answered) }
                return .lost(answered: answered, lost(with: first + UInt64(answered), isUnreadable: true))
            }
            if answered < expected {
                if arrival == .end || isGone { return .lost(answered: answered, lost(with: first + UInt64(answered))) }
                if hasArrived, expected - answered > Self.few { usleep(Self.gathering) }
            }
            switch turn(began.duration(to: .now)) {
            case .goOn: break
            case .revoke:
                let left = max(answered, Int(clamping: page.revoke() &- first &+ 1))
                guard left < expected else { continue }
                expected = left
                onRevoked(left)
            case .end:
                end()
                return .lost(answered: answered, lost(with: first + UInt64(answered)))
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
                if length > 0 { output[index].append(buffer[..<length]) }
                if length == 0 { isOpen[index] = false }
                if length < buffer.count { break }
            }
        }
    }

    /// What is known of the process, which is gone or about to go.
    ///
    /// - Parameters:
    ///   - number: That of the request with which it ended.
    ///   - isUnreadable: Whether it was ended because what it sent is no answer.
    private func lost(with number: UInt64, isUnreadable: Bool = false) -> LostWorker {
        let code = ending ?? reap()
        readStreams()
        // It may have ended before it began with the request, or have gone on to another while its answer was on the way.
        let isAtRequest = page.claimed == number
        var place = isAtRequest ? page.place.pointee : RunPlace()
        // It was about to answer: what the app's code did last is what may have spoilt that.
        if isUnreadable, isAtRequest, place.phase == RunPlace.Phase.idle.rawValue {
            place.phase = RunPlace.Phase.finishing.rawValue
        }
        return LostWorker(
            ending: code, isUnreadable: isUnreadable, place: place,
            node: isAtRequest ? page.node.pointee : -1, fault: page.fault.pointee,
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
    /// The exit status, or the negative number of a signal.
    let ending: Int32
    /// Whether the parent ended it because what it sent is no answer.
    let isUnreadable: Bool
    let place: RunPlace
    /// The index of the node that was read last; -1 for none.
    let node: Int64
    let fault: WorkerFault
    /// What was printed to standard output and standard error.
    let output: [CapturedOutput]
    /// What was told of the document.
    let known: ToldTrace?

    /// How the process ended.
    var crash: Crash {
        let isPlaced = fault.offset != 0 && !fault.moduleName.isEmpty
        let words = output[1].lastWords
        return Crash(
            cause, place: isPlaced ? "\(fault.moduleName)+0x\(String(fault.offset, radix: 16))" : nil,
            lastWords: words?.text, isVerdict: words?.isVerdict ?? false)
    }

    private var cause: Crash.Cause {
        if fault.kind == WorkerFault.Kind.outOfMemory.rawValue { return .outOfMemory }
        if isUnreadable { return .unreadableAnswer }
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
    /// The process ended before it could answer; nil where it was ended because it did not answer in time.
    case noAnswer(Crash?)
    /// Making the program's chains ended the process; nil where that took too long.
    case chainsEnded(Crash?)

    /// For how many seconds a process is waited for.
    static let patience = 5

    /// The process cannot be started, for the reason that `errno` holds.
    static func cannotStart() -> WorkerError { .cannotStart(String(cString: strerror(errno))) }
}

/// A descriptor, closed with the instance.
final class Descriptor {
    let number: Int32

    /// Moves a descriptor to a number that spawning leaves alone, and keeps it from other processes.
    ///
    /// - Returns: nil where there is none, or no room for it.
    init?(moving descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        close(descriptor)
        guard moved >= 0 else { return nil }
        number = moved
    }

    /// Takes over a descriptor as it is.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
