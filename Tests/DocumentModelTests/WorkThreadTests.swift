import Foundation
import Testing

@testable import DocumentModel

@Suite("Work threads")
struct WorkThreadTests {
    @Test("a work thread does its work under its name")
    func work() throws {
        let (name, done) = (Locked<String?>(nil), DispatchSemaphore(value: 0))
        try WorkThread.start(name: "a worker") {
            name.withLock { $0 = Thread.current.name }
            done.signal()
        }
        done.wait()
        #expect(name.withLock { $0 } == "a worker")
    }

    @Test("a thread that the system does not start is an error, and its work is released")
    func failure() {
        final class Kept: Sendable {}
        weak var kept: Kept?
        do {
            let work = Kept()
            kept = work
            #expect(throws: SystemFailure.self) {
                // More than the address space.
                try WorkThread.start(name: "large", stackSize: 1 << 50) { _ = work }
            }
        }
        #expect(kept == nil)
    }

    @Test(
        "a system failure has the reason, and the limit that was reached",
        arguments: [
            (
                EAGAIN, SystemFailure.Request.thread,
                """
                no thread can be started: this user may have no more processes and threads ('ulimit -u' shows the limit), or \
                this process no more memory ('ulimit -v', and --memory-limit for the processes that run the app's code)
                """
            ),
            (EAGAIN, .process, "this user may have no more processes and threads ('ulimit -u' shows the limit)"),
            (
                EMFILE, .process,
                "this process may open no more files ('ulimit -n' shows the limit, 'ulimit -n 1024' raises it)"
            ),
            (
                EINVAL, .descriptor,
                "this process may open no more files ('ulimit -n' shows the limit, 'ulimit -n 1024' raises it)"
            ),
            (EINVAL, .process, "Invalid argument"),
            (ENFILE, .descriptor, "all processes together have as many open files as the system allows"),
            (ENOMEM, .process, "there is not enough memory (Cannot allocate memory)"),
        ])
    func words(code: Int32, request: SystemFailure.Request, words: String) {
        #expect("\(SystemFailure(code: code, of: request))" == words)
    }
}
