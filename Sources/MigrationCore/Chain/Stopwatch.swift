import Dispatch

/// Takes the time of the app's code, where a run is to tell it. Time in which the system sleeps does not count.
package struct Stopwatch {
    /// When it was started, in nanoseconds; nil where it does not run.
    private var start: UInt64?

    /// - Parameter runs: Whether time is taken; ``seconds`` are 0 otherwise.
    package init(runs: Bool) { start = runs ? Self.now : nil }

    /// Begins anew.
    package mutating func restart() { if start != nil { start = Self.now } }

    /// The time since it was started, in seconds.
    package var seconds: Double {
        var watch = self
        return watch.lap()
    }

    /// Ends a lap and begins the next one at the same moment, because reading the clock takes as long as some steps.
    ///
    /// - Returns: The time of the lap in seconds.
    package mutating func lap() -> Double {
        guard let start else { return 0 }
        let end = Self.now
        self.start = end
        return (Double(end) - Double(start)) / 1e9
    }

    /// Calls `body`, whose time does not count.
    package mutating func leaveOut(_ body: () -> Void) {
        let before = start.map { _ in Self.now }
        body()
        if let start, let before { self.start = start + Self.now - before }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
