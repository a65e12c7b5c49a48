import Foundation
import Testing

@testable import MigrationWorker

@Suite("A worker process")
struct WorkerProcessTests {
    #if os(Linux)
        @Test("that cannot be started leaves no descriptor open, and says what to do")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                func openDescriptors() throws -> [Int32] {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
                }
                // Those of a worker are at numbers from 10 on. What this process began with may leave gaps.
                let first = try openDescriptors().max() ?? 0
                while dup(0) < max(first, 9) {}
                let before = try openDescriptors()
                let highest = try #require(before.max())
                for room in 0..<8 {
                    var limits = rlimit()
                    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                    let saved = limits
                    limits.rlim_cur = rlim_t(highest + 1 + Int32(room))
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                    let error = #expect(throws: WorkerError.self) { try WorkerProcess(memoryLimit: 0) }
                    limits = saved
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                    #expect(error?.description.contains("cannot be started: Too many open files; --in-process") == true)
                    #expect(try openDescriptors().count == before.count, "with room for \(room)")
                }
            }
        }
    #endif
}
