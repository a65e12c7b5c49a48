import Foundation

/// A state that one thread at a time sees. Swift's own `Mutex` does the same, from macOS 15 on.
///
/// Every document that is opened has some of these, so they are of the system's lock: one of Foundation's takes three
/// more pieces of memory on Linux.
///
/// ## Invariant
/// `state` is touched only while `lock` is held. So no two accesses overlap, and the runtime need not check that.
package final class Locked<State: Sendable>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocated(count: 1)
    @exclusivity(unchecked) private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        free(lock)
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&state)
    }
}
