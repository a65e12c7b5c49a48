import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

@Suite("The page shared by a worker and its parent")
struct WorkerPageTests {
    @Test("a worker can claim each request once, in order, until the rest is taken back")
    func claims() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        let worker = try #require(WorkerPage(descriptor: descriptor))
        page.resume(at: 1)
        #expect(!worker.claim(2) && worker.claim(1) && !worker.claim(1))
        #expect(page.claimed == 1)
        (worker.readShare, worker.byteCount, worker.node.pointee) = (500, 12, 7)
        worker.place.pointee.first = 2
        #expect(page.readShare == 500 && page.byteCount == 12 && page.node.pointee == 7)
        #expect(page.place.pointee.first == 2)
        // Nothing of one document carries over to the next.
        #expect(worker.claim(2))
        #expect(page.readShare == 0 && page.byteCount == 0 && page.node.pointee == -1)
        #expect(page.place.pointee == RunPlace())
        // A document counts as being read until it is parsed or the app's code runs.
        #expect(page.isReading)
        worker.readShare = 999
        #expect(page.isReading)
        worker.place.pointee.phase = RunPlace.Phase.detecting.rawValue
        #expect(!page.isReading)
        (worker.place.pointee, worker.readShare) = (RunPlace(), 1000)
        #expect(!page.isReading)
        // The time of the app's code starts then, and restarts with each document.
        var clock = AppClock()
        for (share, time, expected) in [(0, 3, 0), (999, 8, 0), (1000, 10, 2), (1000, 11, 3), (1000, 1, 1), (0, 4, 0)] {
            worker.readShare = UInt64(share)
            let time = clock.time(of: page, at: WorkerRequest(.nothing), after: .seconds(time))
            #expect(time == .seconds(expected), "after \(time)")
        }
        #expect(page.revoke(first: 1, 0...5) == 2 && page.revoke(first: 1, 0...5) == 2 && page.claimed == 2)
        #expect(!worker.claim(3))
        page.resume(at: 5)
        #expect(!worker.claim(3) && !worker.claim(4) && worker.claim(5) && page.claimed == 5)
    }

    @Test("a forged claim leaves the worker no more requests than there are")
    func forgedClaims() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        for (claim, left) in [
            (0, 4), (9, 4), (10, 4), (11, 4), (12, 3), (13, 4), (18, 9), (19, 10), (20, 4), (1 << 62, 4),
        ]
            as [(UInt64, Int)]
        {
            // Ten requests from number 10 on, three of them answered.
            page.resume(at: claim &+ 1)
            #expect(page.revoke(first: 10, 3...10) == left, "\(claim)")
        }
        page.resume(at: 1 << 63 + 14)
        #expect(page.revoke(first: 10, 3...10) == 4)
    }

    @Test("a page cannot be shortened or lengthened through its descriptor")
    func length() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        #if os(Linux)
            #expect(ftruncate(descriptor, 0) != 0 && ftruncate(descriptor, 8192) != 0)
        #endif
        #expect(WorkerPage(descriptor: descriptor) != nil)
    }

    @Test("a document counts as being read no longer than reading it may take")
    func readingForEver() throws {
        let descriptor = WorkerPage.makeDescriptor()
        defer { close(descriptor) }
        let page = try #require(WorkerPage(descriptor: descriptor))
        #expect(page.isReading)
        let bytes = SourceBytes(Data(repeating: 32, count: 2_000_000))
        // Bytes at hand only need parsing, and reading a file that does not exist does not take long.
        for (request, most) in [(WorkerRequest(.nothing, bytes: bytes), 12), (WorkerRequest(.nothing), 10)] {
            for time in [0, 1, most, most + 1, 1000] {
                var clock = AppClock()
                let appTime = clock.time(of: page, at: request, after: .seconds(time))
                #expect(appTime == Duration.seconds(max(0, time - most)), "\(time)")
            }
        }
    }

    @Test("the module name of a fault ends at its first zero byte")
    func module() {
        var fault = WorkerFault()
        #expect(fault.moduleName.isEmpty)
        withUnsafeMutableBytes(of: &fault.module) { $0.copyBytes(from: "inspect-α\0junk".utf8) }
        #expect(fault.moduleName == "inspect-α")
    }
}

@Suite("In-process app code")
struct InProcessTests {
    @Test("work in the program itself is left to the main thread, which is notified of it")
    func waiting() throws {
        let host = WorkerHost(inProcess: ExampleChains.all)
        #expect(try host.chains().map(\.name) == ExampleChains.all.map(\.name))
        let document = GivenName(FilePath(Project.path("demo-data/poems/rating-9.json"))).document
        let woken = Collected<Bool>()
        host.onMainThreadWork { woken.append(Thread.isMainThread) }
        let answered = Collected<CheckResult>()
        Thread.detachNewThread { if let result = try? host.result(document) { answered.append(result) } }
        #expect(waits { !woken.all.isEmpty })
        #expect(woken.all == [false] && answered.all.isEmpty)
        host.runOnMainThread()
        #expect(waits { !answered.all.isEmpty })
        #expect(answered.all.first?.source == document.name && answered.all.first?.outcome == .failed)
    }
}
