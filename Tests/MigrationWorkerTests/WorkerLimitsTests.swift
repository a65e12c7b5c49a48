import DocumentModel
import DocumentSources
import Foundation
import Testing

@testable import MigrationWorker

@Suite("Worker limits")
struct WorkerLimitsTests {
    @Test("a document gets 10 seconds plus 1 for each MB, unless a limit is given")
    func seconds() {
        for (count, seconds) in [(0, 10), (999_999, 10), (1_000_000, 11), (1_999_999, 11), (25_000_000, 35)] {
            #expect(WorkerLimits().seconds(byteCount: count) == Double(seconds), "\(count)")
        }
        #expect(WorkerLimits(seconds: 2.5).seconds(byteCount: 25_000_000) == 2.5)
        #expect(WorkerLimits(seconds: 0).seconds(byteCount: 100) == nil)
    }

    @Test("the time limit follows the size of the document that the worker opened")
    func document() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        let request = WorkerRequest(.nothing, bytes: SourceBytes(Data(repeating: 32, count: 30_000_000)))
        func limit(_ seconds: Double? = nil, of request: WorkerRequest) -> Double? {
            WorkerHost(limits: WorkerLimits(seconds: seconds)).limit(of: page, at: request)
        }
        #expect(limit(of: request) == 10)
        page.byteCount = 25_000_000
        #expect(limit(of: request) == 35)
        #expect(limit(2, of: request) == 2 && limit(0, of: request) == nil)
        // The app's code can write to the page too: a size larger than the document's is not believed.
        page.byteCount = .max
        #expect(limit(of: request) == 40 && limit(of: WorkerRequest(.nothing)) == 10)
    }
}
