import Foundation
import Testing

@testable import MigrationWorker

@Suite("What workers may use")
struct WorkerLimitsTests {
    @Test("a document has 10 seconds and 1 more for each MB, unless a limit is given")
    func seconds() {
        for (count, seconds) in [(0, 10), (999_999, 10), (1_000_000, 11), (1_999_999, 11), (25_000_000, 35)] {
            #expect(WorkerLimits().seconds(byteCount: count) == Double(seconds), "\(count)")
        }
        #expect(WorkerLimits(seconds: 2.5).seconds(byteCount: 25_000_000) == 2.5)
        #expect(WorkerLimits(seconds: 0).seconds(byteCount: 100) == nil)
    }

    @Test("a worker's document has the time of its own size")
    func document() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        #expect(WorkerHost().limit(of: page) == 10)
        page.byteCount = 25_000_000
        #expect(WorkerHost().limit(of: page) == 35)
        #expect(WorkerHost(limits: WorkerLimits(seconds: 2)).limit(of: page) == 2)
        #expect(WorkerHost(limits: WorkerLimits(seconds: 0)).limit(of: page) == nil)
    }
}
