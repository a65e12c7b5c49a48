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
                let highest = try #require(openDescriptors().max())
                func fail(room: Int32) {
                    var limits = rlimit()
                    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                    var saved = limits
                    limits.rlim_cur = rlim_t(highest + 1 + room)
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                    let error = #expect(throws: WorkerError.self) { try WorkerProcess(memoryLimit: 0) }
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &saved)
                    #expect(error?.description.contains("cannot be started: Too many open files; --in-process") == true)
                }
                // What is opened once and for good, by whatever part of the process, is open after the first round.
                for room in Int32(0)..<8 { fail(room: room) }
                let before = Set(try openDescriptors())
                for room in Int32(0)..<8 {
                    fail(room: room)
                    #expect(try before.isSuperset(of: openDescriptors()), "with room for \(room)")
                }
            }
        }
    #endif
}
