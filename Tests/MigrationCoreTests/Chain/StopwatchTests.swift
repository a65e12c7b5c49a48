import Foundation
import Testing

@testable import MigrationCore

@Suite("Stopwatches")
struct StopwatchTests {
    @Test("a stopwatch measures each lap, without what is left out")
    func laps() {
        let start = ContinuousClock.now
        var watch = Stopwatch(runs: true)
        Thread.sleep(forTimeInterval: 0.02)
        watch.leaveOut { Thread.sleep(forTimeInterval: 0.03) }
        let first = watch.lap()
        Thread.sleep(forTimeInterval: 0.01)
        let second = watch.lap()
        #expect(first >= 0.02 && second >= 0.01)
        #expect(.seconds(first + second + 0.03) <= ContinuousClock.now - start)
    }

    @Test("a stopwatch that is not running measures nothing")
    func resting() {
        var watch = Stopwatch(runs: false)
        var isDone = false
        watch.leaveOut { isDone = true }
        watch.restart()
        Thread.sleep(forTimeInterval: 0.001)
        #expect(isDone && watch.seconds == 0 && watch.lap() == 0)
    }
}
