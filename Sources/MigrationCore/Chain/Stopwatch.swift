import Dispatch

/// Measures the time that the app's code takes, if a run reports it. Time in which the system sleeps doesn't count.
package struct Stopwatch {
    /// The start time in nanoseconds, or nil if the stopwatch is not running.
    private var start: UInt64?

    /// - Parameter runs: Whether to measure time. If false, ``seconds`` is always 0.
    package init(runs: Bool) { start = runs ? Self.now : nil }

    /// Starts again from zero.
    package mutating func restart() { if start != nil { start = Self.now } }

    /// The time since the start, in seconds.
    package var seconds: Double {
        var watch = self
        return watch.lap()
    }

    /// Ends a lap and starts the next one at the same instant, because reading the clock takes as long as some steps.
    ///
    /// - Returns: The time of the lap, in seconds.
    package mutating func lap() -> Double {
        guard let start else { return 0 }
        let end = Self.now
        self.start = end
        return (Double(end) - Double(start)) / 1e9
    }

    /// Calls `body` without counting its time.
    package mutating func leaveOut(_ body: () -> Void) {
        let before = start.map { _ in Self.now }
        body()
        if let start, let before { self.start = start + Self.now - before }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
