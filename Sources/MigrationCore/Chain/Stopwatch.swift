/// Takes the time of the app's code, where a run is to tell it.
struct Stopwatch {
    private let runs: Bool
    /// When it was started; nil where it does not run.
    private var start: ContinuousClock.Instant?

    /// - Parameter runs: Whether time is taken; ``seconds`` are 0 otherwise.
    init(runs: Bool) {
        self.runs = runs
        restart()
    }

    /// Begins anew.
    mutating func restart() { if runs { start = .now } }

    /// The time since it was started, in seconds.
    var seconds: Double { runs ? start.map { $0.duration(to: .now) / .seconds(1) } ?? 0 : 0 }
}
