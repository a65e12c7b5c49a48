import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// What workers may use.
public struct WorkerLimits: Sendable, Equatable {
    /// How long the app's code may take over a document; nil for a limit that grows with the document.
    public var seconds: Double?
    /// How many bytes of address space a worker may have; 0 for any number.
    public var memory: UInt64
    /// How long a document that ends its worker may take once more until it shows where in the app's code that is:
    /// Swift's runtime reads the whole program's debugging information for it.
    var backtrace = Duration.seconds(30)

    /// Limits.
    ///
    /// - Parameters:
    ///   - seconds: 0 for no limit, nil for 10 seconds and 1 more for each MB of the document.
    ///   - memory: nil for three quarters of the machine's memory.
    public init(seconds: Double? = nil, memory: UInt64? = nil) {
        self.seconds = seconds
        self.memory = memory ?? ProcessInfo.processInfo.physicalMemory / 4 * 3
    }

    /// The limit for a document or a store; nil for none.
    package func seconds(byteCount: Int) -> Double? {
        seconds == 0 ? nil : seconds ?? Self.usualSeconds(byteCount: byteCount)
    }

    /// The limit for a document where none is given.
    static func usualSeconds(byteCount: Int) -> Double { 10 + Double(byteCount / 1_000_000) }
}

/// Has documents opened: by worker processes, which it starts when there is work for them and ends when they no longer
/// answer, or, where that is asked for, in this process.
///
/// ## Invariant
/// A worker process is used by the one thread that took it, until that gives it back.
public final class WorkerHost: Sendable {
    package let limits: WorkerLimits
    private let workers = Locked(Workers())
    private let knownChains = Locked<[ChainDescription]?>(nil)
    private let slowSteps = Locked<[SlowStep: Int]>([:])
    let inProcess: InProcessOpener?
    /// Whether the app's code runs in this process.
    public var isInProcess: Bool { inProcess != nil }

    /// The worker processes without work.
    ///
    /// ## Invariant
    /// Nothing else holds them, so the thread that takes one from here is the only one that uses it.
    private struct Workers: @unchecked Sendable {
        var idle: [WorkerProcess] = []
        /// One that has not been waited for.
        var started: WorkerProcess?
        /// How many of those that are idle are kept for what a person waits for.
        var kept = 0
        /// Since when a person waits for an answer.
        var awaitedSince: ContinuousClock.Instant?
        /// Whether a person waits for one that may come at any moment.
        var isAnswerNear: Bool { awaitedSince.map { $0.duration(to: .now) < .milliseconds(100) } ?? false }
    }

    /// Opens documents in worker processes.
    public init(limits: WorkerLimits = WorkerLimits()) {
        self.limits = limits
        inProcess = nil
    }

    /// Opens documents in this process, on its main thread.
    public init(inProcess chains: [MigrationChain]) {
        limits = WorkerLimits(seconds: 0)
        inProcess = InProcessOpener(chains)
        knownChains.withLock { $0 = chains.map(ChainDescription.init) }
    }

    /// The chains of the program.
    ///
    /// - Throws: ``WorkerError``.
    public func chains() throws(WorkerError) -> [ChainDescription] {
        // Until they are known there is one worker: what ends it would end the others too.
        try knownChains.withLock { (known) throws(WorkerError) in
            if let known { return known }
            let worker = try start(attempts: 3)
            let chains = worker.chains
            giveBack(worker)
            known = chains
            return chains
        }
    }

    /// The fields of the versions of a chain, oldest first; nil for a version whose type ends its process when it is
    /// asked for them, and for all where the app's code runs in this process, which that would end.
    ///
    /// - Parameter isCancelled: Asked now and then; when it returns true, the work ends at once, and nothing is known.
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

    /// The fields of the version that a document was found to have, or of all where no shape fits, as far as they are
    /// known.
    func outlines(of trace: MigrationTrace, _ isCancelled: () -> Bool) throws(WorkerError) -> [VersionOutline] {
        guard let chain = trace.chain else { return [] }
        let versions =
            trace.detection.version.map { [$0] }
            ?? (trace.failure?.isOfShape == true ? trace.versions.map(\.version) : [])
        var known: [VersionOutline] = []
        for version in versions.reversed() {
            if let outline = try outline(of: version, in: chain, isCancelled) { known.append(outline) }
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

    // MARK: - Workers

    /// Starts a worker ahead of the first request, and from now on keeps one for what a person waits for, while others
    /// check documents.
    public func keepOneReady() {
        guard inProcess == nil else { return }
        workers.withLock { workers in
            workers.kept = 1
            // Why there is none is said to the first who needs one.
            if workers.idle.isEmpty { workers.started = try? WorkerProcess(memoryLimit: limits.memory) }
        }
    }

    /// A worker for a request: one that is idle, or a new one. The caller gives it back, or lets it go.
    func take(for wanted: WantedName) throws(WorkerError) -> WorkerProcess {
        _ = try chains()
        // One that waits for work may have been killed, or ended by a thread that the app's code left behind.
        while let worker = workers.withLock({ workers in
            workers.idle.count > (wanted.isOfMany ? workers.kept : 0) ? workers.idle.popLast() : nil
        }) {
            if worker.isReady { return worker }
        }
        // To start one keeps a processor busy that the answer needs.
        while wanted.isOfMany, workers.withLock({ $0.isAnswerNear }) { usleep(1000) }
        return try start(attempts: 3)
    }

    /// A new worker.
    func start(attempts: Int) throws(WorkerError) -> WorkerProcess {
        let worker: WorkerProcess
        if let started = workers.withLock({ $0.started.take() }) {
            worker = started
        } else {
            worker = try WorkerProcess(memoryLimit: limits.memory)
        }
        do throws(WorkerError) {
            try worker.waitForChains()
            return worker
        } catch {
            // What killed it may leave the next one alone.
            guard attempts > 1, case .noAnswer(let crash?) = error, crash.cause == .killed else { throw error }
            return try start(attempts: attempts - 1)
        }
    }

    func giveBack(_ worker: WorkerProcess) { workers.withLock { $0.idle.append(worker) } }

    /// Ends the workers that have nothing to do.
    public func close() { workers.withLock { ($0.idle, $0.started) = ([], nil) } }

    // MARK: - One document

    /// Opens a document.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked now and then; when it returns true, the work ends at once.
    ///   - isStopped: Takes the place of the time limit, where there is one: asked now and then; when it returns true,
    ///     the document has timed out.
    ///   - progress: Told now and then how far the work is.
    /// - Returns: nil when it was cancelled.
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

    /// A migration step that took longer than it may.
    private struct SlowStep: Hashable {
        let chain: UInt64
        let stage: Int32

        init(_ place: RunPlace) { (chain, stage) = (place.chain, place.stage) }
    }

    /// How many times a step may take all the time there is; after that it gets a tenth.
    public static let mostTimeouts = 20
    /// How long one document may take before those behind it go elsewhere.
    private static let patience = Duration.seconds(1)

    /// The steps that cut the time limit of later documents to a tenth, because ``mostTimeouts`` documents ran out of
    /// time there: the chain, and the version that the step leads to.
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

    /// Opens documents one after the other.
    ///
    /// - Parameters:
    ///   - takenBack: Told at once, when one takes so long that those behind it are taken back, how many are left.
    ///   - deliver: Given the number of each, from 0, and what came of it.
    /// - Returns: How many were opened: all of them, unless one took so long that those behind it were taken back, or
    ///   the work was cancelled.
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
        // What cannot be read needs no app's code.
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
        // What an earlier document left behind has ended the worker; another one has nothing of that.
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
            if let progress { progress(watch.progress(on: worker.page, told: worker.known, after: time)) }
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
        switch outcome {
        case .answered(let count):
            giveBack(worker)
            return try askAnother(after: count)
        case .lost(let request, let count, let lost) where end == nil && lost.mayBeOfEarlier && !isLastAttempt:
            // What earlier documents left is not this one's to answer for.
            return count
                + (try replies(
                    to: [request], wanting: wanted, isCancelled: isCancelled, isStopped: isStopped, progress: progress,
                    attempts: attempts - 1, deliver: { deliver(count + $0, $1) }))
        case .lost(let request, let count, let lost):
            // To find out why takes a while, and what was answered before is not to wait for it.
            if let progress { progress(watch.progress(on: worker.page, told: worker.known, after: lastTime)) }
            let reason: Reason
            switch end {
            case .cancelled: return count
            case .timedOut(let seconds):
                if isStopped == nil { countTimeout(at: lost.place) }
                reason = .timedOut(seconds: seconds)
            case nil:
                let frame = request.tellsSteps ? appFrame(request, wanted, isCancelled) : nil
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

    /// Why a worker was ended.
    private enum End {
        case cancelled
        case timedOut(seconds: Double)
    }

    /// Counts a document that ran out of time there.
    func countTimeout(at place: RunPlace) { slowSteps.withLock { $0[SlowStep(place), default: 0] += 1 } }

    /// How long the app's code may take over the document that the worker is at; nil for any time.
    func limit(of page: WorkerPage, at request: WorkerRequest) -> Double? {
        guard let seconds = limits.seconds(byteCount: page.byteCount(of: request)) else { return nil }
        let count = slowSteps.withLock { $0[SlowStep(page.seenPlace), default: 0] }
        return count < Self.mostTimeouts ? seconds : seconds / 10
    }

    // MARK: - Documents that end their worker

    /// The trace of a document that ended its worker, up to where that was.
    private func trace(
        of request: WorkerRequest, _ lost: LostWorker, because reason: Reason, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> MigrationTrace {
        let place = LostPlace(lost.place, among: try chains())
        let known = try knownTrace(of: request, place, told: lost.known?.trace, isCancelled)
        var trace = place.trace(known, failingBecause: reason, node: lost.node)
        trace.output = CapturedOutput.printed(lost.output, among: try chains(), isLost: true)
        return trace
    }

    /// Where in the app's code a document ends its worker, found out by having it do so once more; nil where that does
    /// not show.
    private func appFrame<Answer>(
        _ request: WorkerRequest, _ wanted: Wanted<Answer>, _ isCancelled: () -> Bool
    ) -> String? {
        guard let worker = try? WorkerProcess(memoryLimit: limits.memory, backtraces: true),
            (try? worker.waitForChains()) != nil
        else { return nil }
        var again = request
        again.tellsSteps = false
        var clock = AppClock()
        let outcome = try? worker.ask([again], wanting: wanted) { _, _ in
        } turn: { [limits] request, time in
            let appTime = clock.time(of: worker.page, at: request, after: time)
            return isCancelled() || appTime > limits.backtrace ? .end : .goOn
        }
        if case .lost(_, _, let lost) = outcome { return lost.output[1].appFrame }
        return nil
    }

    /// What is known of a document that is still running: its trace up to where that is, as if it had timed out there.
    ///
    /// - Parameter isCancelled: Asked now and then; when it returns true, what is known so far is all.
    /// - Throws: ``WorkerError``.
    public func knownTrace(
        of request: WorkerRequest, at progress: WorkerProgress, isCancelled: () -> Bool = { false }
    ) throws(WorkerError) -> MigrationTrace {
        let place = LostPlace(progress.run, among: try chains())
        // What it told is enough to look at meanwhile: another worker would take as long to find out more.
        let known =
            if let told = progress.told?.trace, place.chain != nil {
                place.known(request, told)
            } else {
                try knownTrace(of: request, place, told: nil, isCancelled)
            }
        return place.trace(known, failingBecause: .timedOut(seconds: Double(progress.seconds)), node: -1)
    }

    /// What is known of a document up to where a worker was lost: what that has told, or else what a fresh one finds
    /// out.
    private func knownTrace(
        of request: WorkerRequest, _ place: LostPlace, told: MigrationTrace?, _ isCancelled: () -> Bool
    ) throws(WorkerError) -> MigrationTrace {
        let empty = place.empty(request)
        guard let chain = place.chain else { return empty }
        if let told, place.isReached(by: told) { return place.known(request, told) }
        var again = request
        again.tellsSteps = false
        again.chain = chain.name
        for attempt in place.attempts where !isCancelled() {
            again.target = attempt.target ?? request.target
            let worker = try take(for: attempt.wanted.name)
            var found: MigrationTrace?
            var clock = AppClock()
            let outcome = try worker.ask([again], wanting: attempt.wanted) { _, reply in
                found = reply.answer
            } turn: { [limits] request, time in
                // Where there is no limit, this is still to come to an end.
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
    /// The trace with the document that another has read.
    fileprivate func reading(_ other: MigrationTrace) -> MigrationTrace {
        var trace = self
        trace.document = other.document
        trace.format = other.format
        return trace
    }
}

/// Tells how long the app's code has been at a document: without the time in which that was read, which is not its to
/// answer for. A worker that says that it reads for longer than that can take is not believed.
struct AppClock {
    /// How long the document was read.
    private var reading = Duration.zero

    /// The time at the document that is on the page.
    ///
    /// - Parameter time: How long the worker has been at the document; less than before, if it is another.
    mutating func time(of page: WorkerPage, at request: WorkerRequest, after time: Duration) -> Duration {
        if time < reading { reading = .zero }
        if page.isReading { reading = time }
        if reading > .seconds(1) { reading = min(reading, .seconds(request.mostReadingSeconds)) }
        return time - reading
    }
}

/// Where a worker was lost, or is, in the words of its chain.
struct LostPlace {
    let chain: ChainDescription?
    let phase: RunPlace.Phase
    private let first: Int?
    /// The index of the version that the app's code is at work for.
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

    /// The index of the version that the step at work leads to; nil where no step was at work.
    var step: Int? {
        guard let first, let stage, stage > first else { return nil }
        return switch phase {
        case .stepping, .encoding, .finishing: stage
        case .idle, .describing, .detecting, .decoding: nil
        }
    }

    /// That step, as failures name it.
    var failureStep: MigrationFailure.Step? {
        guard let step, let chain else { return nil }
        return .init(from: chain.versions[step - 1].version, to: chain.versions[step].version)
    }

    /// A trace in which nothing is known but the chain.
    func empty(_ request: WorkerRequest) -> MigrationTrace {
        MigrationTrace(
            source: request.document.name, chain: chain?.name, versions: chain?.versions ?? [],
            target: chain.map { request.target ?? $0.newestVersion })
    }

    /// What the worker told, which may have been before it knew the chain.
    func known(_ request: WorkerRequest, _ told: MigrationTrace) -> MigrationTrace {
        let empty = empty(request)
        var known = told.chain == nil ? empty.reading(told) : told
        known.target = empty.target
        return known
    }

    /// Whether a trace holds everything that came before.
    func isReached(by known: MigrationTrace) -> Bool {
        guard known.detection.version != nil else { return phase == .detecting }
        guard let step, let first else { return true }
        return known.steps.count == step - first - 1
    }

    /// How to find out what is known, best first.
    var attempts: [(wanted: Wanted<MigrationTrace>, target: DocumentVersion?)] {
        var attempts: [(wanted: Wanted<MigrationTrace>, target: DocumentVersion?)] = [(.document, nil)]
        // What was lost while the version was looked for would be lost again.
        if phase != .detecting { attempts.insert((.detection, nil), at: 0) }
        if let step, let chain { attempts.insert((.trace, chain.versions[step - 1].version), at: 0) }
        return attempts
    }

    /// The trace of a document whose worker was lost.
    ///
    /// - Parameters:
    ///   - known: What is known of it: the steps before, if there are any.
    ///   - node: The index of the node that was read last.
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
