import Dispatch
import Foundation

/// Runs parts of the work on a large document at the same time.
///
/// A caller with many parts runs ``width`` of them at a time. Between two runs it checks whether the work is still
/// wanted, and combines the results.
enum Parallel {
    static let coreCount = ProcessInfo.processInfo.activeProcessorCount

    /// The number of parts to run at a time: a few for each core, since some parts take longer than others.
    static let width = 4 * coreCount

    /// The size of a thread's stack in bytes. Comparing documents of the deepest nesting takes up to 4 MB in a debug
    /// build; the threads of Dispatch have less on some systems.
    private static let stackSize = 16 << 20

    /// Calls `body` with every number below `count`, at the same time on several threads, and returns when all calls
    /// have returned. If the system cannot start a thread, the calling thread makes all calls.
    ///
    /// - Warning: No call may read what another one writes. The compiler does not check this.
    static func forEach(_ count: Int, _ body: (Int) -> Void) {
        if count == 1 { return body(0) }
        withoutActuallyEscaping(body) { body in
            // A thread may start, or release its closure, after this function has returned. So the closure holds only a
            // pointer to `body`, and reads it only for numbers below `count`, which the function waits for.
            withUnsafePointer(to: body) { body in
                nonisolated(unsafe) let body = body
                let started = Locked(0)
                let unfinished = DispatchGroup()
                for _ in 0..<count { unfinished.enter() }
                let work: @Sendable () -> Void = {
                    while true {
                        let number = started.withLock { started in
                            defer { started += 1 }
                            return started
                        }
                        if number >= count { return }
                        call(body, number)
                        unfinished.leave()
                    }
                }
                for _ in 1..<max(1, min(count, coreCount)) {
                    guard (try? WorkThread.start(name: "part", stackSize: stackSize, work)) != nil else { break }
                }
                work()
                unfinished.wait()
            }
        }
    }

    /// Calls the closure. Never inlined, so that the reference to it ends with the call.
    @inline(never)
    private static func call(_ body: UnsafePointer<(Int) -> Void>, _ number: Int) { body.pointee(number) }

    /// Calls `body` as ``forEach(_:_:)`` does, and returns the results in the order of the numbers.
    static func map<Result: ~Copyable>(_ count: Int, _ body: (Int) -> Result) -> OwnedList<Result> {
        OwnedList(count: count) { results in forEach(count) { (results + $0).initialize(to: body($0)) } }
    }
}
