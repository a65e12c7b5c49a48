import CNcurses
import Foundation
import TestSupport
import Testing

@testable import CursesTerminal

/// Each test ends a separate process, whose screen is on a pseudoterminal of this one.
@Suite("Crashes")
struct CrashGuardTests {
    @Test("a process that exits with the screen up restores the terminal")
    func exiting() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
                try await openScreen(path)
                exit(7)
            }
        }
    }

    @Test("a trap restores the terminal and is still a trap")
    func trap() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGILL)) { [path = path as String] in
                try await openScreen(path)
                raise(SIGILL)
            }
        }
    }

    @Test("an abort restores the terminal and is still an abort")
    func aborting() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
                try await openScreen(path)
                abort()
            }
        }
    }

    @Test("every signal that ends a process restores the terminal, and still ends it", arguments: endings)
    func otherSignals(number: Int32) async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(number)) { [path = path as String, number = number as Int32] in
                try await openScreen(path)
                kill(getpid(), number)
                sleep(10)
            }
        }
    }

    private static let endings: [Int32] = {
        #if os(Linux)
            [SIGPROF, SIGIO, SIGSTKFLT, SIGPWR, cncurses_first_realtime(), cncurses_last_realtime()]
        #else
            [SIGPROF]
        #endif
    }()

    @Test("a signal right after the screen appears restores the terminal", arguments: 0..<8)
    func atOnce(halfMilliseconds: Int) async throws {
        let pseudoTerminal = try Terminal()
        let before = pseudoTerminal.settings
        let sender = Thread {
            guard pseudoTerminal.shows("\u{1B}[?1049h") else { return }
            usleep(useconds_t(500 * halfMilliseconds))
            let number = pseudoTerminal.output.drop { !$0.isNumber }.prefix { $0.isNumber }
            if let process = pid_t(number) { kill(process, SIGUSR1) }
        }
        sender.start()
        await #expect(processExitsWith: .signal(SIGUSR1)) { [path = pseudoTerminal.path as String] in
            let descriptor = open(path, O_RDWR | O_NOCTTY)
            let words = "process \(getpid())\r\n"
            _ = write(descriptor, words, words.utf8.count)
            try await openScreen(path)
            sleep(10)
        }
        #expect(pseudoTerminal.shows("\u{1B}[?1049l"))
        #expect(pseudoTerminal.settings == before)
    }

    @Test("a stack overflow in a thread restores the terminal and is still a crash")
    func stackOverflow() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
                try await openScreen(path)
                _ = try await GuardedThread.run(name: "deep", stackSize: 1 << 20) { depth(of: 0) }
            }
        }
    }

    @Test("output printed while the screen was up is shown after a crash, limited to the end of long output")
    func printed() async throws {
        let pseudoTerminal = try Terminal()
        await #expect(processExitsWith: .signal(SIGILL)) { [path = pseudoTerminal.path as String] in
            let descriptor = open(path, O_RDWR | O_NOCTTY)
            dup2(descriptor, 2)
            try await openScreen(path)
            var lines = "the beginning\n"
            for line in 0..<100_000 { lines += "line \(line) of many\n" }
            lines += "last words\n"
            _ = lines.withUTF8 { write(2, $0.baseAddress, $0.count) }
            raise(SIGILL)
        }
        #expect(pseudoTerminal.shows("last words\r\n"))
        let output = pseudoTerminal.output
        let behind = try #require(output.range(of: "\u{1B}[?1049l")).upperBound
        #expect(output[behind...].contains("line 99998 of many\r\nline 99999 of many\r\nlast words"))
        #expect(!output.contains("the beginning"))
        #expect(!output[..<behind].contains("of many"))
    }

    @Test("output printed to another file goes there at once")
    func printedElsewhere() async throws {
        let pseudoTerminal = try Terminal()
        let folder = try TemporaryFolder()
        let log = try folder.write("", to: "log")
        await #expect(processExitsWith: .success) {
            [path = pseudoTerminal.path as String, log = log as String] in
            dup2(open(log, O_WRONLY), 2)
            try await openScreen(path)
            _ = write(2, "noted\n", 6)
            let isThere = try String(contentsOfFile: log, encoding: .utf8) == "noted\n"
            exit(isThere && isScreenUp() ? 0 : 1)
        }
        #expect(pseudoTerminal.shows("\u{1B}[?1049l") && !pseudoTerminal.output.contains("noted"))
    }

    @Test("unread mouse reports are not left to the shell")
    func unreadInput() async throws {
        let pseudoTerminal = try Terminal()
        let mouse = Thread {
            guard pseudoTerminal.shows("\u{1B}[?1049h") else { return }
            pseudoTerminal.press("\u{1B}[<0;5;6M\u{1B}[<0;5;6m")
        }
        mouse.start()
        await #expect(processExitsWith: .signal(SIGILL)) { [path = pseudoTerminal.path as String] in
            try await openScreen(path)
            var request = pollfd(fd: open(path, O_RDWR | O_NOCTTY), events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 60_000) == 1 else { exit(1) }
            raise(SIGILL)
        }
        #expect(pseudoTerminal.shows("\u{1B}[?1049l"))
        var request = pollfd(fd: pseudoTerminal.programSide, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 200) == 0)
    }

    @Test("a second request to end, two seconds after one without effect, ends a program that hangs")
    func hanging() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
                try await openScreen(path)
                for pause in [0, 0, 3] as [UInt32] {
                    sleep(pause)
                    kill(getpid(), SIGTERM)
                    guard pause < 2 else { break }
                    // Requests in quick succession count as one, which the event loop should answer.
                    guard isScreenUp() else { exit(1) }
                }
                sleep(10)
            }
        }
    }

    private func expectRestored(_ crash: (String) async -> Void) async throws {
        let pseudoTerminal = try Terminal()
        let before = pseudoTerminal.settings
        await crash(pseudoTerminal.path)
        #expect(pseudoTerminal.shows("\u{1B}[?1049h"))
        #expect(pseudoTerminal.shows("\u{1B}[?1049l"))
        #expect(pseudoTerminal.output.contains("\u{1B}[?2004l"))
        #expect(pseudoTerminal.settings == before)
    }
}

private func openScreen(_ path: String) async throws {
    let descriptor = open(path, O_RDWR | O_NOCTTY)
    try await MainActor.run {
        _ = try CursesTerminal(
            environment: ["TERM": "xterm-256color"],
            descriptors: TerminalDescriptors(keys: descriptor, picture: descriptor))
    }
}

private func isScreenUp() -> Bool { TerminalRestoration.isArmed }

/// Infinite recursion that the optimizer can't see through.
private func depth(of level: Int) -> Int {
    level < 0 ? 0 : depth(of: level + 1) + level % 3
}
