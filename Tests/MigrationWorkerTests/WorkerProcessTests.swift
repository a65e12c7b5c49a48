import Foundation
import Testing

@testable import MigrationWorker

@Suite("A worker process")
struct WorkerProcessTests {
    #if os(Linux)
        @Test("that cannot be started leaves no descriptor open, and says why")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                func openDescriptors() throws -> [Int32] {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
                }
                // Those of a worker are at numbers from 10 on. What this process began with may leave gaps.
                let first = try openDescriptors().max() ?? 0
                while dup(0) < max(first, 9) {}
                let before = try openDescriptors()
                var limits = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                // Other parts of this process may open a few for good; twenty times a leak is more than that.
                for attempt in 0..<160 {
                    var error: WorkerError?
                    // A start succeeds where another part of this process closed descriptors after they were counted.
                    // Then the next count has to do.
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
