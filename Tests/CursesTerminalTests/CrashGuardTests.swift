import Foundation
import Testing

@testable import CursesTerminal

/// Each ends a process of its own, which shows its screen on a pseudoterminal of this one.
@Suite("Crashes")
struct CrashGuardTests {
    @Test("a process that exits with the screen up gives the terminal back")
    func exiting() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
                try await openScreen(path)
                exit(7)
            }
        }
    }

    @Test("a trap gives the terminal back and is still a trap")
    func trap() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGILL)) { [path = path as String] in
                try await openScreen(path)
                raise(SIGILL)
            }
        }
    }

    @Test("an abort gives the terminal back and is still an abort")
    func aborting() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
                try await openScreen(path)
                abort()
            }
        }
    }

    @Test("a stack overflow in a thread gives the terminal back and is still a crash")
    func stackOverflow() async throws {
        try await expectRestored { path in
            await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
                try await openScreen(path)
                _ = try await GuardedThread.run(name: "deep", stackSize: 1 << 20) { depth(of: 0) }
            }
        }
    }

    private func expectRestored(_ crash: (String) async -> Void) async throws {
        let pseudoTerminal = try PseudoTerminal()
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

/// Recursion without an end that the optimizer cannot see through.
private func depth(of level: Int) -> Int {
    level < 0 ? 0 : depth(of: level + 1) + level % 3
}
