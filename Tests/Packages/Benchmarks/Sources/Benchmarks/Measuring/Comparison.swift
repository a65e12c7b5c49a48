import Foundation

/// Measures two things in turns, so that other work of the machine affects both equally.
struct Comparison {
    /// The minimum time for the repetitions of one side in one round, in seconds.
    private let batch: Double
    /// The time budget for all rounds together, in seconds. At least ``fewestRounds`` rounds run in any case.
    private let budget: Double
    private let fewestRounds: Int
    private let mostRounds: Int

    /// - Parameter fewest: The minimum number of rounds at full extent.
    init(_ extent: Extent, fewestRounds fewest: Int = 3) {
        switch extent {
        case .quick: (batch, budget, fewestRounds, mostRounds) = (0.001, 0.1, 1, 5)
        case .full: (batch, budget, fewestRounds, mostRounds) = (0.02, 3, fewest, 31)
        }
    }

    /// Measures `subject` over `reference`.
    ///
    /// - Parameter isWarmedUp: Whether to run both once in advance. A separate process is always new and doesn't need
    ///   that.
    func measure(
        isWarmedUp: Bool = true, _ subject: () throws -> Void, over reference: () throws -> Void
    ) rethrows -> Measurement {
        var repetitions = (subject: 1, reference: 1)
        if isWarmedUp {
            repetitions = (try self.repetitions(of: subject), try self.repetitions(of: reference))
        }
        var times: [(subject: Double, reference: Double)] = []
        let start = ContinuousClock.now
        while times.count < fewestRounds || (times.count < mostRounds && ContinuousClock.now - start < .seconds(budget))
        {
            // The first of the two finds the caches as the other one left them, so they alternate.
            var time = (subject: 0.0, reference: 0.0)
            if times.count.isMultiple(of: 2) {
                time.subject = try Self.time(repetitions.subject, subject)
                time.reference = try Self.time(repetitions.reference, reference)
            } else {
                time.reference = try Self.time(repetitions.reference, reference)
                time.subject = try Self.time(repetitions.subject, subject)
            }
            times.append(time)
        }
        return Self.measurement(of: times)
    }

    /// Returns the result of the times of all rounds, in seconds.
    static func measurement(of times: [(subject: Double, reference: Double)]) -> Measurement {
        Measurement(
            ratio: median(times.map { $0.subject / $0.reference }), subject: median(times.map(\.subject)),
            reference: median(times.map(\.reference)), rounds: times.count)
    }

    /// Returns how often to repeat something so that the resolution of the clock and the scheduler doesn't matter. Runs
    /// it as a warm-up.
    private func repetitions(of body: () throws -> Void) rethrows -> Int {
        var count = 1
        while true {
            let seconds = try Self.time(count, body) * Double(count)
            if seconds >= batch / 2 { return max(1, Int((batch / seconds * Double(count)).rounded(.up))) }
            count *= 2
        }
    }

    /// Returns the time of one repetition, in seconds.
    private static func time(_ repetitions: Int, _ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure { for _ in 0..<repetitions { try body() } }
        return duration / .seconds(1) / Double(repetitions)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Uses a value, so that the compiler can't omit the code that makes it.
@inline(never) func use<Value>(_ value: Value) {}
