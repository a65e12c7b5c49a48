import Foundation

/// Waits until a condition holds, and looks again every millisecond.
///
/// - Parameter seconds: The longest time to wait: ten minutes, more than anything takes on the slowest machine.
/// - Returns: Whether the condition holds.
package func waits(_ seconds: Double = 600, until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        usleep(1000)
    }
    return true
}

/// Waits until a condition holds, and leaves the thread to other tests meanwhile.
///
/// - Parameter seconds: The longest time to wait: ten minutes, more than anything takes on the slowest machine.
/// - Returns: Whether the condition holds.
package func awaits(
    _ seconds: Double = 600, isolation: isolated (any Actor)? = #isolation, until condition: () throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    var looks = 0
    while try !condition() {
        looks += 1
        // If other tests keep every thread busy, a single sleep can take minutes.
        guard ContinuousClock.now < end || looks < 1000 else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
