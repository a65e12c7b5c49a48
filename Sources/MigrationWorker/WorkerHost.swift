import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// The resources that workers may use.
public struct WorkerLimits: Sendable, Equatable {
    /// The time limit for the app's code per document, in seconds; nil for a limit that grows with the document, 0 for
    /// no limit.
    public var seconds: Double?
    /// The limit for a worker's address space, in bytes; 0 for no limit.
    public var memory: UInt64
    /// The time limit for rerunning a document that ended its worker, to find out where in the app's code that
    /// happened. Swift's runtime reads the debug information of the whole program for that.
    var backtrace = Duration.seconds(30)

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - seconds: The time limit for each document; 0 for no limit, nil for 10 seconds plus 1 for each MB of the
    ///     document.
    ///   - memory: The limit for the address space, in bytes; 0 for no limit, nil for three quarters of the machine's
    ///     memory.
    public init(seconds: Double? = nil, memory: UInt64? = nil) {
        self.seconds = seconds
        self.memory = memory ?? ProcessInfo.processInfo.physicalMemory / 4 * 3
    }

    /// Returns the time limit for a document or a store, in seconds; nil for no limit.
    package func seconds(byteCount: Int) -> Double? {
        seconds == 0 ? nil : seconds ?? Self.usualSeconds(byteCount: byteCount)
    }

    /// Returns the default time limit for a document, in seconds.
    static func usualSeconds(byteCount: Int) -> Double { 10 + Double(byteCount / 1_000_000) }
}

/// Opens documents: in worker processes, which it starts when there is work for them and ends when they no longer
/// respond, or, on request, in this process.
///
/// ## Invariant
/// A worker process is used only by the thread that took it, until that thread gives it back.
public final class WorkerHost: Sendable {
    package let limits: WorkerLimits
    private let workers = Locked(Workers())
    private let knownChains = Locked<[ChainDescription]?>(nil)
    /// The warnings about fields where chains keep their versions, by the names of the chains.
    private let hiddenFields = Locked<[String: Reason?]>([:])
    private let unaskable = Locked<Set<RunPlace.Asked>>([])
    /// The types that were asked for their fields when a worker was lost.
    private let suspected = Locked<Set<RunPlace.Asked>>([])
    private let slowSteps = Locked<[SlowStep: Int]>([:])
    let inProcess: InProcessOpener?
    /// Whether the app's code runs in this process.
    public var isInProcess: Bool { inProcess != nil }

    /// The idle worker processes.
    ///
    /// ## Invariant
    /// Nothing else holds a reference to them, so the thread that takes one is the only one that uses it.
    private struct Workers: @unchecked Sendable {
        var idle: [WorkerProcess] = []
        /// A worker that was started but whose chains haven't been received yet.
        var started: WorkerProcess?
        /// The number of idle workers to reserve for requests that a user is waiting for.
        var kept = 0
        /// The time at which a user began to wait for an answer; nil if no answer is awaited.
        var awaitedSince: ContinuousClock.Instant?
        /// Whether a user is waiting for an answer that may arrive at any moment.
        var isAnswerNear: Bool { awaitedSince.map { $0.duration(to: .now) < .milliseconds(100) } ?? false }
    }

    /// Creates a host that opens documents in worker processes.
    public init(limits: WorkerLimits = WorkerLimits()) {
        self.limits = limits
        inProcess = nil
    }

    /// Creates a host that opens documents in this process, on its main thread.
    public init(inProcess chains: [MigrationChain]) {
        limits = WorkerLimits(seconds: 0)
        inProcess = InProcessOpener(chains)
        knownChains.withLock { $0 = chains.map(ChainDescription.init) }
    }

    /// Returns the chains of the program.
    ///
    /// - Throws: ``WorkerError``.
    public func chains() throws(WorkerError) -> [ChainDescription] {
        // Start only one worker until the chains are known: a crash while making them would end any other worker too.
        try knownChains.withLock { (known) throws(WorkerError) in
            if let known { return known }
            let worker = try start(attempts: 3)
            let chains = worker.chains
            giveBack(worker)
            known = chains
            return chains
        }
    }

    /// Returns the fields of each version of a chain, oldest first. An element is nil if asking the version's type for
    /// its fields ends the worker. All elements are nil if the app's code runs in this process, which must not end.
    ///
    /// - Parameter isCancelled: Called now and then. If it returns true, the work ends at once, and the remaining
    ///   elements are nil.
    /// - Throws: ``WorkerError``.
    public func outlines(
        of chain: ChainDescription, isCancelled: () -> Bool = { false }
    ) throws(WorkerError) -> [VersionOutline?] {
        var outlines: [VersionOutline?] = []
        for version in chain.versions {
            outlines.append(try outline(of: version.version, in: chain.name, isCancelled))
        }
        return outlines
    }

    /// Returns the fields of the detected version, or of all versions if the document has the shape of none, as far as
    /// they are known.
    func outlines(of trace: MigrationTrace, _ isCancelled: () -> Bool) throws(WorkerError) -> [VersionOutline] {
        guard let chain = trace.chain else { return [] }
        let versions =
            trace.detection.version.map { [$0] }
            ?? (trace.failure?.isOfShape == true ? trace.versions.map(\.version) : [])
        var known: [VersionOutline] = []
        for version in versions.reversed() {
            if let outline = try outline(of: version, in: chain, isCancelled) {
                known.append(outline.spelled(in: trace.format))
            }
        }
        return known
    }

    func outline(
        of version: DocumentVersion, in chain: String, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> VersionOutline? {
        if isInProcess { return nil }
        let request = WorkerRequest(.nothing, chain: chain, target: version)
        return try reply(to: request, wanting: .outline, isCancelled: isCancelled)?.answer ?? nil
    }

    /// Returns a warning if the newest type of a chain has a field of its own where documents keep the version, which the
    /// version is written over. Nil if there is no such field, or the fields of the type are not known.
    ///
    /// - Throws: ``WorkerError``.
    public func warningOfHiddenField(inNewestOf chain: String) throws(WorkerError) -> Reason? {
        if let known = hiddenFields.withLock({ $0[chain] }) { return known }
        guard let description = try chains().first(where: { $0.name == chain }), !description.isOfPayloads,
            let newest = description.versions.last, let statement = description.statements.last, !statement.isEmpty
        else { return nil }
        let outline = try outline(of: newest.version, in: chain) { false }
        let path = statement.map(\.path).first { outline?[$0] != nil }
        let warning = path.map { Reason.field(path: $0, problem: .hiddenField(type: newest.type)) }
        hiddenFields.withLock { $0[chain] = .some(warning) }
        return warning
    }

    // MARK: - Workers

    /// Starts a worker ahead of the first request, and from now on reserves one for requests that a user waits for
    /// while other workers check documents.
    public func keepOneReady() {
        guard inProcess == nil else { return }
        workers.withLock { workers in
            workers.kept = 1
            // If it cannot be started, the first caller that needs a worker gets the error.
            if workers.idle.isEmpty {
                workers.started = try? WorkerProcess(memoryLimit: limits.memory, unaskable: unaskable.withLock { $0 })
            }
        }
    }

    /// Returns an idle worker for a request, or a new one. The caller either gives it back or drops it.
    func take(for wanted: WantedName) throws(WorkerError) -> WorkerProcess {
        _ = try chains()
        // An idle worker may have been killed, or ended by a thread that the app's code left running.
        while let worker = workers.withLock({ workers in
            workers.idle.count > (wanted.isOfMany ? workers.kept : 0) ? workers.idle.popLast() : nil
        }) {
            if worker.isReady, worker.unaskable == unaskable.withLock({ $0 }) { return worker }
        }
        // Starting a worker takes processor time that the awaited answer needs.
        while wanted.isOfMany, workers.withLock({ $0.isAnswerNear }) { usleep(1000) }
        return try start(attempts: 3)
    }

    /// Starts a new worker.
    func start(attempts: Int) throws(WorkerError) -> WorkerProcess {
        let worker: WorkerProcess
        if let started = workers.withLock({ $0.started.take() }) {
            worker = started
        } else {
            worker = try WorkerProcess(memoryLimit: limits.memory, unaskable: unaskable.withLock { $0 })
        }
        do throws(WorkerError) {
            try worker.waitForChains()
            return worker
        } catch {
            // Whatever killed it may spare the next one.
            guard attempts > 1, case .noAnswer(let crash?) = error, crash.cause == .killed else { throw error }
            return try start(attempts: attempts - 1)
        }
    }

    func giveBack(_ worker: WorkerProcess) { workers.withLock { $0.idle.append(worker) } }

    /// Ends the idle workers.
    public func close() { workers.withLock { ($0.idle, $0.started) = ([], nil) } }

    // MARK: - One document

    /// Opens a document.
    ///
    /// - Parameters:
    ///   - isCancelled: Called now and then. If it returns true, the work ends at once.
    ///   - isStopped: Replaces the time limit, if given. Called now and then; if it returns true, the document has
    ///     timed out.
    ///   - progress: Called now and then with the progress of the work.
    /// - Returns: The reply; nil if the work was cancelled.
    /// - Throws: ``WorkerError``.
    public func reply<Answer>(
        to request: WorkerRequest, wanting wanted: Wanted<Answer>, isCancelled: () -> Bool = { false },
        isStopped: (() -> Bool)? = nil, progress: ((WorkerProgress) -> Void)? = nil
    ) throws(WorkerError) -> WorkerReply<Answer>? {
        var reply: WorkerReply<Answer>?
        try replies(
            to: [request], wanting: wanted, isCancelled: isCancelled, isStopped: isStopped, progress: progress
        ) { reply = $1 }
        return reply
    }

    /// A migration step that exceeded its time limit.
    private struct SlowStep: Hashable {
        let chain: UInt64
        let stage: Int32

        init(_ place: RunPlace) { (chain, stage) = (place.chain, place.stage) }
    }

    /// The number of documents that may use the full time limit in the same step. Later documents get a tenth of it
    /// there.
    public static let mostTimeouts = 20
    /// How long one document may take before the requests after it are given to other workers.
    private static let patience = Duration.seconds(1)

    /// Returns the steps for which the time limit was cut to a tenth because ``mostTimeouts`` documents timed out
    /// there: the chain, and the version that the step leads to.
    public func shortenedSteps() throws(WorkerError) -> [(chain: String, version: DocumentVersion)] {
        let steps = slowSteps.withLock { steps in steps.filter { $0.value > Self.mostTimeouts }.map(\.key) }
        guard !steps.isEmpty else { return [] }
        let chains = try chains()
        return steps.compactMap { step in
            chains.first { MigrationChain.mark(of: $0.name) == step.chain }.flatMap { chain in
                chain.versions.indices.contains(Int(step.stage))
                    ? (chain.name, chain.versions[Int(step.stage)].version) : nil
            }
        }
    }

    /// Opens documents in order.
    ///
    /// - Parameters:
    ///   - takenBack: Called at once if a document takes so long that the requests after it are taken back, with the
    ///     number of requests that are left.
    ///   - deliver: Called with the index of each request, from 0, and its reply.
    /// - Returns: The number of documents that were opened. It's less than all if one took so long that the requests
    ///   after it were taken back, or if the work was cancelled.
    @discardableResult
    func replies<Answer>(
        to requests: [WorkerRequest], wanting wanted: Wanted<Answer>, isCancelled: () -> Bool = { false },
        isStopped: (() -> Bool)? = nil, progress: ((WorkerProgress) -> Void)? = nil,
        takenBack: (Int) -> Void = { _ in }, attempts: Int = 3, deliver: (Int, WorkerReply<Answer>) -> Void
    ) throws(WorkerError) -> Int {
        if let inProcess {
            for (index, request) in requests.enumerated() {
                deliver(index, inProcess.reply(to: request, wanting: wanted))
            }
            return requests.count
        }
        // Unreadable documents don't need the app's code.
        if let index = requests.firstIndex(where: { $0.document.problem != nil }) {
            let before = try replies(
                to: Array(requests[..<index]), wanting: wanted, isCancelled: isCancelled, isStopped: isStopped,
                progress: progress, takenBack: takenBack, deliver: deliver)
            guard before == index else { return before }
            deliver(index, wanted.reply(of: DocumentOpener(chains: []), to: requests[index]))
            return index + 1
        }
        guard !requests.isEmpty else { return 0 }
        let isAwaited = !wanted.name.isOfMany
        if isAwaited { workers.withLock { $0.awaitedSince = .now } }
        defer { if isAwaited { workers.withLock { $0.awaitedSince = nil } } }
        let worker = try take(for: wanted.name)
        var end: End?
        var watch = ProgressWatch(chains: try chains())
        var clock = AppClock()
        var lastTime = Duration.zero
        let isLastAttempt = requests.count == 1 && attempts == 1
        // Something that an earlier document left behind ended the worker. Another worker isn't affected by it.
        func askAnother(after count: Int) throws(WorkerError) -> Int {
            guard count == 0, requests.count == 1 else { return count }
            return try replies(
                to: requests, wanting: wanted, isCancelled: isCancelled, isStopped: isStopped, progress: progress,
                takenBack: takenBack, attempts: attempts - 1, deliver: deliver)
        }
        let outcome = try worker.ask(
            requests, wanting: wanted, blames: isLastAttempt, onReply: deliver, onRevoked: takenBack
        ) { request, time in
            lastTime = time
            if let progress { progress(watch.progress(on: worker.page, reported: worker.known, after: time)) }
            let appTime = clock.time(of: worker.page, at: request, after: time)
            if isCancelled() {
                end = .cancelled
            } else if let isStopped {
                if isStopped() { end = .timedOut(seconds: Double(time.components.seconds)) }
            } else if time >= Self.patience || limits.seconds != nil {
                if let limit = limit(of: worker.page, at: request), appTime > .seconds(limit) {
                    end = .timedOut(seconds: limit)
                }
                if end == nil, time > Self.patience { return .revoke }
            }
            return end == nil ? .goOn : .end
        }
        var isOfFields = false
        if case .lost(_, _, let lost) = outcome, wanted.name != .outline {
            isOfFields =
                switch end {
                case .cancelled: false
                case .timedOut: isStopped == nil ? try isUnaskable(lost, by: worker) : false
                case nil: try isUnaskable(lost, by: worker)
                }
        }
        switch outcome {
        case .answered(let count):
            giveBack(worker)
            return try askAnother(after: count)
        case .lost(let request, let count, let lost) where end == nil && lost.mayBeOfEarlier && !isLastAttempt:
            // Something that an earlier document left behind may have ended the worker, so try another one.
            return count
                + (try replies(
                    to: [request], wanting: wanted, isCancelled: isCancelled, isStopped: isStopped, progress: progress,
                    attempts: attempts - 1, deliver: { deliver(count + $0, $1) }))
        case .lost(let request, let count, _) where isOfFields:
            // The document is not to blame for a type that ends the worker when it is asked for its fields.
            return count
                + (try replies(
                    to: [request], wanting: wanted, isCancelled: isCancelled, isStopped: isStopped, progress: progress,
                    attempts: attempts, deliver: { deliver(count + $0, $1) }))
        case .lost(let request, let count, let lost):
            // Finding out why takes a while. Reporting progress first delivers the earlier answers without that delay.
            if let progress { progress(watch.progress(on: worker.page, reported: worker.known, after: lastTime)) }
            let reason: Reason
            switch end {
            case .cancelled: return count
            case .timedOut(let seconds):
                if isStopped == nil { countTimeout(at: lost.place) }
                reason = .timedOut(seconds: seconds)
            case nil:
                let frame = request.sendsSteps ? appFrame(request, wanted, isCancelled) : nil
                reason = .crashed(lost.crash, frame: frame)
            }
            let answer = try wanted.lost(request) { () throws(WorkerError) in
                try trace(of: request, lost, because: reason, isCancelled)
            }
            if isCancelled() { return count }
            deliver(count, .success(answer))
            return count + 1
        }
    }

    /// Returns whether a worker was lost while a type was asked for its fields. After the second loss, no worker asks it
    /// again; the first may have another cause.
    private func isUnaskable(_ lost: LostWorker, by worker: WorkerProcess) throws(WorkerError) -> Bool {
        guard lost.place.phase == RunPlace.Phase.describing.rawValue else { return false }
        let asked = RunPlace.Asked(chain: lost.place.chain, stage: lost.place.stage)
        let chain = try chains().first { MigrationChain.mark(of: $0.name) == asked.chain }
        // A worker may say anything, so only as many are believed as there are types.
        guard chain?.versions.indices.contains(Int(asked.stage)) == true, !worker.unaskable.contains(asked) else {
            return false
        }
        if suspected.withLock({ $0.insert(asked).inserted }) { return true }
        unaskable.withLock { _ = $0.insert(asked) }
        return true
    }

    /// Returns the types that ended a worker when they were asked for their fields, by their chains and versions.
    /// Documents are recognized without these fields.
    public func unaskableTypes() throws(WorkerError) -> [(chain: String, version: ChainVersion)] {
        let unaskable = unaskable.withLock { $0 }
        if unaskable.isEmpty { return [] }
        return try chains().flatMap { chain in
            chain.versions.enumerated().compactMap { index, version in
                let asked = RunPlace.Asked(chain: MigrationChain.mark(of: chain.name), stage: Int32(index))
                return unaskable.contains(asked) ? (chain.name, version) : nil
            }
        }
    }

    /// The reason for ending a worker.
    private enum End {
        case cancelled
        case timedOut(seconds: Double)
    }

    /// Counts a document that timed out at the given place.
    func countTimeout(at place: RunPlace) { slowSteps.withLock { $0[SlowStep(place), default: 0] += 1 } }

    /// Returns the time limit for the app's code on the worker's current document, in seconds; nil for no limit.
    func limit(of page: WorkerPage, at request: WorkerRequest) -> Double? {
        guard let seconds = limits.seconds(byteCount: page.byteCount(of: request)) else { return nil }
        let count = slowSteps.withLock { $0[SlowStep(page.seenPlace), default: 0] }
        return count < Self.mostTimeouts ? seconds : seconds / 10
    }

    // MARK: - Documents that end their worker

    /// Returns the trace of a document that ended its worker, up to the place where it ended.
    private func trace(
        of request: WorkerRequest, _ lost: LostWorker, because reason: Reason, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> MigrationTrace {
        let place = WorkerLocation(lost.place, among: try chains())
        let known = try knownTrace(of: request, place, reported: lost.known?.trace, isCancelled)
        var trace = place.trace(known, failingBecause: reason, node: lost.node)
        trace.output = CapturedOutput.printed(lost.output, among: try chains(), isLost: true)
        return trace
    }

    /// Reruns a document that ended its worker, to find out where in the app's code that happens. Returns nil if the
    /// place isn't found.
    private func appFrame<Answer>(
        _ request: WorkerRequest, _ wanted: Wanted<Answer>, _ isCancelled: () -> Bool
    ) -> String? {
        guard
            let worker = try? WorkerProcess(
                memoryLimit: limits.memory, backtraces: true, unaskable: unaskable.withLock { $0 }),
            (try? worker.waitForChains()) != nil
        else { return nil }
        var again = request
        again.sendsSteps = false
        var clock = AppClock()
        let outcome = try? worker.ask([again], wanting: wanted) { _, _ in
        } turn: { [limits] request, time in
            let appTime = clock.time(of: worker.page, at: request, after: time)
            return isCancelled() || appTime > limits.backtrace ? .end : .goOn
        }
        if case .lost(_, _, let lost) = outcome { return lost.output[1].appFrame }
        return nil
    }

    /// Returns the trace of a document that is still running, up to its current place, as if it had timed out there.
    ///
    /// - Parameter isCancelled: Called now and then. If it returns true, the trace contains only what is known so far.
    /// - Throws: ``WorkerError``.
    public func knownTrace(
        of request: WorkerRequest, at progress: WorkerProgress, isCancelled: () -> Bool = { false }
    ) throws(WorkerError) -> MigrationTrace {
        let place = WorkerLocation(progress.run, among: try chains())
        // The reported trace is enough to look at for now: another worker would take just as long to find out more.
        let known =
            if let reported = progress.reported?.trace, place.chain != nil {
                place.known(request, reported)
            } else {
                try knownTrace(of: request, place, reported: nil, isCancelled)
            }
        return place.trace(known, failingBecause: .timedOut(seconds: Double(progress.seconds)), node: -1)
    }

    /// Returns the trace of a document up to the place where a worker was lost: the trace that the worker reported, or
    /// else the one that a new worker produces.
    private func knownTrace(
        of request: WorkerRequest, _ place: WorkerLocation, reported: MigrationTrace?, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> MigrationTrace {
        let empty = place.empty(request)
        guard let chain = place.chain else { return empty }
        if let reported, place.isReached(by: reported) { return place.known(request, reported) }
        var again = request
        again.sendsSteps = false
        again.chain = chain.name
        for attempt in place.attempts where !isCancelled() {
            again.target = attempt.target ?? request.target
            let worker = try take(for: attempt.wanted.name)
            var found: MigrationTrace?
            var clock = AppClock()
            let outcome = try worker.ask([again], wanting: attempt.wanted) { _, reply in
                found = reply.answer
            } turn: { [limits] request, time in
                // Even without a time limit, this has to end.
                let byteCount = worker.page.byteCount(of: request)
                let limit = limits.seconds(byteCount: byteCount) ?? WorkerLimits.usualSeconds(byteCount: byteCount)
                let appTime = clock.time(of: worker.page, at: request, after: time)
                return isCancelled() || appTime > .seconds(limit) ? .end : .goOn
            }
            guard case .answered = outcome else { continue }
            giveBack(worker)
            guard var found else { continue }
            if attempt.wanted.name == .document {
                found = empty.reading(found)
            }
            found.target = empty.target
            return found
        }
        return empty
    }
}

extension MigrationTrace {
    /// Returns the trace with the document that another trace has read.
    fileprivate func reading(_ other: MigrationTrace) -> MigrationTrace {
        var trace = self
        trace.document = other.document
        trace.format = other.format
        return trace
    }
}

/// Measures how long the app's code has worked on a document, without the time for reading the document. If a worker
/// claims to be reading for longer than that can take, the excess counts as time of the app's code.
struct AppClock {
    /// How long reading the document took.
    private var reading = Duration.zero

    /// Returns how long the app's code has worked on the document on the page.
    ///
    /// - Parameter time: How long the worker has been at the document; less than before if it's another document.
    mutating func time(of page: WorkerPage, at request: WorkerRequest, after time: Duration) -> Duration {
        if time < reading { reading = .zero }
        if page.isReading { reading = time }
        if reading > .seconds(1) { reading = min(reading, .seconds(request.mostReadingSeconds)) }
        return time - reading
    }
}

/// The place where a worker was lost, or is now, in terms of its chain.
struct WorkerLocation {
    let chain: ChainDescription?
    let phase: RunPlace.Phase
    private let first: Int?
    /// The index of the version that the app's code is working toward.
    let stage: Int?

    init(_ place: RunPlace, among chains: [ChainDescription]) {
        let chain = chains.first { MigrationChain.mark(of: $0.name) == place.chain }
        self.chain = chain
        phase = RunPlace.Phase(rawValue: place.phase) ?? .idle
        func index(_ value: Int32) -> Int? {
            chain.flatMap { $0.versions.indices.contains(Int(value)) ? Int(value) : nil }
        }
        first = index(place.first)
        stage = index(place.stage)
    }

    /// The index of the version that the current step leads to; nil if the worker isn't in a step.
    var step: Int? {
        guard let first, let stage, stage > first else { return nil }
        return switch phase {
        case .stepping, .encoding, .finishing: stage
        case .idle, .describing, .detecting, .decoding: nil
        }
    }

    /// The current step, as failures name it.
    var failureStep: MigrationFailure.Step? {
        guard let step, let chain else { return nil }
        return .init(from: chain.versions[step - 1].version, to: chain.versions[step].version)
    }

    /// Returns a trace in which only the chain is known.
    func empty(_ request: WorkerRequest) -> MigrationTrace {
        MigrationTrace(
            source: request.document.name, chain: chain?.name, versions: chain?.versions ?? [],
            target: chain.map { request.target ?? $0.newestVersion })
    }

    /// Returns the trace that the worker reported, completed with the chain if it wasn't known at that time.
    func known(_ request: WorkerRequest, _ reported: MigrationTrace) -> MigrationTrace {
        let empty = empty(request)
        var known = reported.chain == nil ? empty.reading(reported) : reported
        known.target = empty.target
        return known
    }

    /// Whether a trace contains everything that came before this place.
    func isReached(by known: MigrationTrace) -> Bool {
        guard known.detection.version != nil else { return phase == .detecting }
        guard let step, let first else { return true }
        return known.steps.count == step - first - 1
    }

    /// The ways to find out what is known, best first.
    var attempts: [(wanted: Wanted<MigrationTrace>, target: DocumentVersion?)] {
        var attempts: [(wanted: Wanted<MigrationTrace>, target: DocumentVersion?)] = [(.document, nil)]
        // A worker lost while detecting the version would be lost again.
        if phase != .detecting { attempts.insert((.detection, nil), at: 0) }
        if let step, let chain { attempts.insert((.trace, chain.versions[step - 1].version), at: 0) }
        return attempts
    }

    /// Returns the trace of a document whose worker was lost.
    ///
    /// - Parameters:
    ///   - known: The trace so far, with the earlier steps, if any.
    ///   - node: The index of the last node that was read.
    func trace(_ known: MigrationTrace, failingBecause reason: Reason, node: Int64) -> MigrationTrace {
        var trace = known
        trace.dropped = []
        trace.rewriting = nil
        var failure = MigrationFailure(reason)
        if let first, let chain, trace.detection.version == nil {
            trace.detection.version = chain.versions[first].version
        }
        guard let step, let chain else {
            if let document = known.document, phase == .decoding, let node = document.root.inside(at: Int(node)) {
                failure.location = node.location
            }
            trace.steps = []
            trace.opening = .failed(failure)
            return trace
        }
        let (from, to) = (chain.versions[step - 1], chain.versions[step])
        failure.step = failureStep
        let before = trace.steps.isEmpty ? trace.document : trace.steps.last?.after
        trace.opening = .opened
        trace.steps.append(
            MigrationStep(
                from: from.version, to: to.version, fromType: from.type, toType: to.type,
                note: chain.note(onStepTo: step), seconds: 0, before: before, ending: .failed(failure)))
        return trace
    }
}
