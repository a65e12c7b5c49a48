import DocumentModel
import Foundation

/// Opens many documents, with as many workers as there are jobs, and delivers the results.
///
/// A slow document holds up only itself: those after it in its worker's batch are given to other workers.
///
/// ## Invariant
/// All mutable state is accessed only while `condition` is locked, which makes the class `Sendable`. `deliver` is
/// called with the lock held, so by one thread at a time.
public final class DocumentRun<Input: Sendable, Answer: Sendable, Output: Sendable>: @unchecked Sendable {
    private let host: WorkerHost
    private let wanted: Wanted<Answer>
    private let request: @Sendable (Input) -> WorkerRequest
    private let byteCount: @Sendable (Input) -> Int
    private let progress: @Sendable (Input, WorkerProgress) -> Void
    private let output: @Sendable (Input, WorkerReply<Answer>) -> Output
    private let deliver: @Sendable (Int, Output) -> Void
    private let pause: @Sendable () -> Void
    private let isOrdered: Bool
    private let condition = NSCondition()
    private let window: Int
    private let mostThreads: Int
    private var waiting: ArraySlice<(number: Int, input: Input)> = []
    private var done: [Int: Output] = [:]
    /// The number of bytes in memory for inputs that haven't been answered yet.
    private var heldBytes = 0
    private var accepted = 0
    private var delivered = 0
    private var threads = 0
    private var idleThreads = 0
    /// The number of threads working on a batch, from which inputs may be returned.
    private var busyThreads = 0
    private var isFull = false
    private var isFinished = false
    private var isCancelled = false
    private var error: WorkerError?

    /// Prepares a run. Workers are started as they are needed.
    ///
    /// - Parameters:
    ///   - wanted: The kind of answer for each document.
    ///   - jobs: The number of documents to open at the same time.
    ///   - isOrdered: Whether results are delivered in the order of the inputs rather than as they arrive.
    ///   - byteCount: Returns the number of bytes that an input keeps in memory. It limits how many inputs are accepted
    ///     ahead.
    ///   - request: Returns the request for an input.
    ///   - progress: Called now and then for an input that takes long, on any thread.
    ///   - output: Makes the output from the reply, on any thread.
    ///   - deliver: Called with the index of each input, from 0, and its output, by one thread at a time.
    ///   - pause: Called after each batch of outputs that arrived together, on any thread.
    public init(
        host: WorkerHost, wanting wanted: Wanted<Answer>, jobs: Int, isOrdered: Bool = true,
        byteCount: @escaping @Sendable (Input) -> Int = { _ in 0 },
        request: @escaping @Sendable (Input) -> WorkerRequest,
        progress: @escaping @Sendable (Input, WorkerProgress) -> Void = { _, _ in },
        output: @escaping @Sendable (Input, WorkerReply<Answer>) -> Output,
        deliver: @escaping @Sendable (Int, Output) -> Void, pause: @escaping @Sendable () -> Void = {}
    ) {
        self.host = host
        self.wanted = wanted
        self.pause = pause
        self.byteCount = byteCount
        self.isOrdered = isOrdered
        self.request = request
        self.progress = progress
        self.output = output
        self.deliver = deliver
        mostThreads = max(1, jobs)
        // Far enough ahead that no worker waits for a slow neighbor, but no further, because results wait in memory.
        window = isOrdered ? mostThreads * 4 * Self.largestBatch : Int.max
    }

    /// The maximum number of documents per batch. Batches are smaller if documents take longer.
    private static var largestBatch: Int { 256 }
    /// The maximum number of bytes kept by inputs that haven't been answered yet. A larger input is accepted only while
    /// no other one keeps any.
    private static var mostHeldBytes: Int { 4 << 20 }
    /// The maximum number of outputs to collect before delivering them together.
    private static var mostMade: Int { 32 }
    /// The target duration of a batch.
    private static var batchTime: Duration { .milliseconds(20) }

    /// Adds an input. Blocks while too many are in progress.
    public func add(_ input: Input) {
        if host.inProcess != nil { return runHere(input) }
        condition.lock()
        defer { condition.unlock() }
        let held = byteCount(input)
        if accepted - delivered >= window || heldBytes > 0 && heldBytes + held > Self.mostHeldBytes {
            isFull = true
            while !hasRoom, error == nil, !isCancelled { condition.wait() }
            isFull = false
        }
        if isCancelled { return }
        heldBytes += held
        waiting.append((accepted, input))
        accepted += 1
        if idleThreads > 0 {
            condition.broadcast()
        } else if threads < mostThreads {
            do throws(SystemFailure) {
                try WorkThread.start(name: "worker", stackSize: 8 << 20) { [self] in run() }
                threads += 1
            } catch {
                // The threads that did start do the work.
                if threads == 0 { self.error = self.error ?? .cannotStart("\(error)") }
            }
        }
    }

    /// Whether a blocked ``add(_:)`` should continue. It isn't woken for every document, because waking a thread takes
    /// as long as a small document.
    private var hasRoom: Bool { accepted - delivered <= window / 2 && heldBytes <= Self.mostHeldBytes / 2 }

    /// Cancels all inputs that no worker has started on.
    public func cancel() {
        condition.withLock {
            waiting = []
            (isFinished, isCancelled) = (true, true)
            condition.broadcast()
        }
    }

    /// Waits until all results have been delivered.
    ///
    /// - Throws: ``WorkerError`` if no worker could be started.
    public func finish() throws(WorkerError) {
        condition.lock()
        isFinished = true
        condition.broadcast()
        while threads > 0 { condition.wait() }
        let error = error
        condition.unlock()
        if let error { throw error }
    }

    private func runHere(_ input: Input) {
        var reply: WorkerReply<Answer>?
        _ = try? host.replies(to: [request(input)], wanting: wanted) { reply = $1 }
        condition.withLock {
            if let reply { take(output(input, reply), number: accepted) }
            accepted += 1
        }
        pause()
    }

    private func run() {
        var batchSize = 1
        condition.lock()
        defer {
            threads -= 1
            condition.broadcast()
            condition.unlock()
        }
        while error == nil {
            guard !waiting.isEmpty else {
                if isFinished, busyThreads == 0 || isCancelled { return }
                idleThreads += 1
                condition.wait()
                idleThreads -= 1
                continue
            }
            // Share the remaining inputs among the workers.
            let size = min(batchSize, max(1, waiting.count / mostThreads))
            let batch = Array(waiting.prefix(size))
            waiting.removeFirst(size)
            busyThreads += 1
            condition.unlock()
            let start = ContinuousClock.now
            let opened: Int
            var failure: WorkerError?
            var (current, left) = (0, size)
            // Each delivery takes a lock that other threads wait for, so quick results are delivered together.
            var made: [(index: Int, output: Output)] = []
            var firstMade = start
            func deliverMade() {
                guard !made.isEmpty else { return }
                condition.withLock {
                    for (index, output) in made {
                        heldBytes -= byteCount(batch[index].input)
                        take(output, number: batch[index].number)
                    }
                    if isFull, hasRoom { condition.broadcast() }
                }
                made.removeAll(keepingCapacity: true)
            }
            let watch = { [progress, pause] (work: WorkerProgress) in
                deliverMade()
                pause()
                if work.isLong, current < size { progress(batch[current].input, work) }
            }
            do throws(WorkerError) {
                opened = try host.replies(
                    to: batch.map { request($0.input) }, wanting: wanted, progress: watch
                ) { [self] count in
                    left = count
                    condition.withLock { takeBack(batch[count...]) }
                } deliver: { [self] index, reply in
                    current = index + 1
                    made.append((index, output(batch[index].input, reply)))
                    let now = ContinuousClock.now
                    if made.count == 1 { firstMade = now }
                    if made.count == Self.mostMade || now - firstMade > Self.batchTime { deliverMade() }
                }
            } catch {
                opened = 0
                failure = error
            }
            deliverMade()
            pause()
            let time = start.duration(to: .now)
            if opened < size {
                // Requests that were sent but not answered are sent again.
                batchSize = max(1, opened)
            } else if size == batchSize {
                batchSize = time < Self.batchTime ? min(Self.largestBatch, size * 2) : max(1, size / 2)
            }
            condition.lock()
            busyThreads -= 1
            error = error ?? failure
            takeBack(batch[min(opened, left)..<left])
            if isFinished { condition.broadcast() }
        }
    }

    /// Returns inputs that a worker didn't get to, so that another one takes them.
    private func takeBack(_ rest: ArraySlice<(number: Int, input: Input)>) {
        guard !rest.isEmpty, !isCancelled else { return }
        waiting.insert(contentsOf: rest, at: waiting.startIndex)
        condition.broadcast()
    }

    /// Delivers an output, or keeps it until all earlier ones have been delivered.
    private func take(_ output: Output, number: Int) {
        guard isOrdered else {
            deliver(number, output)
            delivered += 1
            return
        }
        done[number] = output
        while let next = done.removeValue(forKey: delivered) {
            deliver(delivered, next)
            delivered += 1
        }
    }
}
