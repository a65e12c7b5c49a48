import Testing

@testable import MigrationWorker

@Suite("What workers may use")
struct WorkerLimitsTests {
    @Test("a document has 10 seconds and 1 more for each MB, unless a limit is given")
    func seconds() {
        #expect(WorkerLimits().seconds(byteCount: 100) == 10)
        #expect(WorkerLimits().seconds(byteCount: 25_000_000) == 35)
        #expect(WorkerLimits(seconds: 2.5).seconds(byteCount: 25_000_000) == 2.5)
        #expect(WorkerLimits(seconds: 0).seconds(byteCount: 100) == nil)
    }
}
