import CursesTerminal
import Foundation

/// Does the same work on many inputs, on every processor, and delivers the results in the order of the inputs.
///
/// ## Invariant
/// Everything mutable is touched only while `condition` is locked, which is what makes the class `Sendable`; `deliver`
/// is called with it locked, so by one thread at a time and in order.
final class OrderedWorkers<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private let work: @Sendable (Input) -> Output
    private let deliver: @Sendable (Output) -> Void
    private let condition = NSCondition()
    private let window: Int
    private var waiting: ArraySlice<(number: Int, input: Input)> = []
    private var done: [Int: Output] = [:]
    private var accepted = 0
    private var delivered = 0
    private var runningThreads: Int
    private var isFinished = false

    /// Starts the threads.
    ///
    /// - Parameter deliver: Takes the results in order; called by one thread at a time.
    init(work: @escaping @Sendable (Input) -> Output, deliver: @escaping @Sendable (Output) -> Void) {
        self.work = work
        self.deliver = deliver
        runningThreads = ProcessInfo.processInfo.activeProcessorCount
        // Far enough ahead that no thread waits for a slow neighbor, and no further: results wait in memory.
        window = runningThreads * 64
        for _ in 0..<runningThreads { GuardedThread.start(name: "check") { [self] in run() } }
    }

    /// Hands over an input; waits while too many are on their way.
    func add(_ input: Input) {
        condition.lock()
        defer { condition.unlock() }
        while accepted - delivered >= window { condition.wait() }
        waiting.append((accepted, input))
        accepted += 1
        condition.broadcast()
    }

    /// Waits until every result is delivered.
    func finish() {
        condition.lock()
        defer { condition.unlock() }
        isFinished = true
        condition.broadcast()
        while runningThreads > 0 { condition.wait() }
    }

    private func run() {
        condition.lock()
        defer {
            runningThreads -= 1
            condition.broadcast()
            condition.unlock()
        }
        while true {
            guard let (number, input) = waiting.popFirst() else {
                if isFinished { return }
                condition.wait()
                continue
            }
            condition.unlock()
            let output = work(input)
            condition.lock()
            done[number] = output
            while let next = done.removeValue(forKey: delivered) {
                deliver(next)
                delivered += 1
            }
            condition.broadcast()
        }
    }
}
