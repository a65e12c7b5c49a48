import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Child programs")
struct ChildProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    }

    private func start(_ script: String, patience: Int32? = nil) throws -> ChildProgram {
        try ChildProgram(
            "/bin/sh", ["-c", FilePath(script)], environment: [FilePath("PIPE=\(folder.path("pipe"))")],
            patience: patience)
    }

    @Test("a program that waits for a named pipe is ended when its patience is over, with what it started")
    func idle() throws {
        let child = try start("cat $PIPE | cat $PIPE; echo never", patience: 100)
        let (output, status) = child.finish()
        #expect(child.wasIdle && status == 128 + SIGKILL && output == [])
    }

    @Test("slow checks do not extend the patience with a program")
    func slowLooks() throws {
        let child = try start("cat $PIPE", patience: 1000)
        var count = 0
        _ = child.finish {
            count += 1
            usleep(100_000)
            return false
        }
        #expect(child.wasIdle && count < 15)
    }

    @Test("a silent program that is at work is not ended")
    func busy() throws {
        let child = try start("i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo done", patience: 100)
        #expect(child.finish().output == Array("done\n".utf8) && !child.wasIdle)
    }

    @Test("a program that waits for a child at work is not ended")
    func busyChild() throws {
        let child = try start(
            "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'; echo done", patience: 100)
        #expect(child.finish().output == Array("done\n".utf8) && !child.wasIdle)
    }

    @Test("a process that an ended program left running is ended once it waits for a named pipe")
    func idleChild() throws {
        let child = try start("cat $PIPE & exit", patience: 100)
        #expect(child.finish().output == [] && child.wasIdle)
    }

    @Test("a program that is no longer wanted is ended")
    func cancelled() throws {
        let child = try start("cat $PIPE")
        var count = 0
        let status = child.finish {
            count += 1
            return count == 3
        }.status
        #expect(status == 128 + SIGKILL && count >= 3 && !child.wasIdle)
    }
}
