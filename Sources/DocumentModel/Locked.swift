import Foundation

/// A state that one thread at a time sees. Swift's own `Mutex` does the same, from macOS 15 on.
///
/// ## Invariant
/// `state` is touched only between `lock()` and `unlock()`.
package final class Locked<State: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    package init(_ state: State) { self.state = state }

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
