import Foundation
import Testing

@testable import MigrationWorker

@Suite("Worker processes")
struct WorkerProcessTests {
    #if os(Linux)
        @Test("a worker process that cannot be started leaves no descriptor open and says why")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                func openDescriptors() throws -> [Int32] {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
                }
                // A worker's descriptors have numbers from 10 on. The descriptors this process started with may have
                // gaps.
                let first = try openDescriptors().max() ?? 0
                while dup(0) < max(first, 9) {}
                let before = try openDescriptors()
                var limits = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                // Other parts of this process may open a few for good. A leak in every attempt would be far more than
                // that.
                for attempt in 0..<160 {
                    var error: WorkerError?
                    // A start succeeds if another part of this process closed descriptors after they were counted.
                    // Then count again.
                    for _ in 0..<10 where error == nil {
                        var lower = limits
                        lower.rlim_cur = rlim_t(try #require(openDescriptors().max()) + 1 + Int32(attempt % 6))
                        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lower)
                        defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) }
                        do throws(WorkerError) { _ = try WorkerProcess(memoryLimit: 0) } catch let thrown {
                            error = thrown
                        }
                    }
                    guard case .cannotStart(let reason)? = error, reason.contains("ulimit -n") else {
                        Issue.record("\(error.map(String.init(reflecting:)) ?? "it started ten times")")
                        break
                    }
                }
                #expect(try openDescriptors().count < before.count + 20)
            }
        }
    #endif
}
