import Foundation

/// A state that only one thread accesses at a time. It is equivalent to Swift's own `Mutex`, which requires macOS 15.
///
/// Every open document has some of these, so they use the system's lock. A lock of Foundation would need three more
/// memory allocations on Linux.
///
/// ## Invariant
/// `state` is accessed only while `lock` is held. So no two accesses overlap, and the runtime doesn't need to check
/// that.
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
