import Dispatch
import Foundation

/// Work on a large document in parts, of which several are done at the same time.
///
/// Who has more parts than ``width`` hands out so many at a time. In between, the thread that waits for them can see
/// whether the work is still wanted, and put together what came of them.
enum Parallel {
    static let coreCount = ProcessInfo.processInfo.activeProcessorCount

    /// So many parts are handed out at a time: a few for each core, since they do not all take equally long.
    static let width = 4 * coreCount

    /// The stack of a thread: more than comparing documents of the deepest nesting takes, also in a debug build, where
    /// that is 4 MB. Dispatch's own threads have less on some systems.
    private static let stackSize = 16 << 20

    /// Calls `body` with every number below `count`, several at the same time, and returns when all calls have.
    ///
    /// What a call changes no other call may look at; the compiler does not see to that. Where the system gives no
    /// thread, this one does all.
    static func forEach(_ count: Int, _ body: (Int) -> Void) {
        if count == 1 { return body(0) }
        withoutActuallyEscaping(body) { body in
            // A thread may begin when all is done, and keep what it worked with for a moment longer; so it does not get
            // `body` itself.
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
                    let thread = Thread(block: work)
                    thread.stackSize = stackSize
                    thread.start()
                }
                work()
                unfinished.wait()
            }
        }
    }

    /// Calls the closure and refers to it no longer: never inlined, so that nothing of it is left when a part is done.
    @inline(never)
    private static func call(_ body: UnsafePointer<(Int) -> Void>, _ number: Int) { body.pointee(number) }

    /// What `body` makes of every number below `count`, several at the same time; in the order of the numbers.
    static func map<Result>(_ count: Int, _ body: (Int) -> Result) -> [Result] {
        [Result](unsafeUninitializedCapacity: count) { results, filled in
            guard let base = results.baseAddress else { return }
            forEach(count) { (base + $0).initialize(to: body($0)) }
            filled = count
        }
    }
}

extension Array {
    /// All elements of some arrays, which are empty then: what was taken over does not lie in memory twice.
    init(joining parts: inout [[Element]]) {
        if parts.count == 1 {
            self = parts[0]
        } else {
            self = []
            reserveCapacity(parts.reduce(0) { $0 + $1.count })
            for place in parts.indices {
                self += parts[place]
                parts[place] = []
            }
        }
        parts = []
    }
}
