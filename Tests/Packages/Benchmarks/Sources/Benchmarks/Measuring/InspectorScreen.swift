import Foundation

/// Runs of the inspector on a terminal.
enum InspectorScreen {
    /// How long a screen is waited for.
    private static let patience = Duration.seconds(60)

    /// Runs the inspector on a terminal of 80 columns and 24 lines until all the words stand on it, and quits it.
    ///
    /// - Returns: When they did, in seconds from the start of the process.
    static func time(_ path: String, until words: [String]) throws -> Double {
        let session = try Session(path, width: 80, height: 24)
        let time = try session.wait(for: words)
        try session.quit()
        return time / .seconds(1)
    }

    /// A key, and what answers it.
    struct Key {
        /// What the terminal sends.
        var bytes: String
        var answer: Answer

        enum Answer {
            /// The words stand on the screen.
            case stands(String)
            /// They do not.
            case isGone(String)
            /// Something is written; only for a screen on which nothing changes by itself.
            case anything
        }
    }

    /// Runs the inspector on a terminal of 120 columns and 36 lines, and types keys one after the other: until words
    /// stand on it, and that many times after that.
    ///
    /// - Parameters:
    ///   - first: What is there when typing begins.
    ///   - last: What is there when all work is done for the first time.
    ///   - more: How many keys are typed behind that.
    ///   - whileBusy: The keys for a screen on which something goes on. They are typed all before that is looked at.
    ///   - whileIdle: The keys for one on which nothing does, typed by turns.
    /// - Returns: How long each key took until its screen was finished, in seconds.
    static func keyTimes(
        _ path: String, first: [String], last: [String], more: Int, whileBusy: [Key], whileIdle: [Key]
    ) throws -> [Double] {
        let session = try Session(path, width: 120, height: 36)
        _ = try session.wait(for: first)
        var times: [Double] = []
        var left = more
        var isDone = false
        var idleKeys = 0
        while left > 0 {
            isDone = isDone || session.has(last)
            var keys = whileBusy
            if isDone, !session.isBusy {
                keys = [whileIdle[idleKeys % whileIdle.count]]
                idleKeys += 1
            }
            for key in keys {
                times.append(try session.type(key) / .seconds(1))
                if isDone { left -= 1 }
                session.read(for: pause)
            }
            guard isDone || session.time < patience else {
                throw InspectorProcess.Failure(description: "'\(last.joined(separator: "' and '"))' did not come")
            }
        }
        try session.quit()
        return times
    }

    /// How long a person takes at least between two keys.
    private static let pause = Duration.milliseconds(40)

    /// The inspector on a terminal.
    private final class Session {
        private let terminal: (ours: Int32, theirs: Int32)
        private let process: pid_t
        private let start = ContinuousClock.now
        private var screen: TerminalScreen
        /// How many bytes were written to the terminal.
        private var written = 0
        private var bytes = [UInt8](repeating: 0, count: 65_536)

        init(_ path: String, width: UInt16, height: UInt16) throws {
            terminal = try openTerminal(width: width, height: height)
            screen = TerminalScreen(width: Int(width), height: Int(height))
            process = try InspectorProcess.start(
                [path], variables: ["TERM": "xterm-256color", "LANG": "C.UTF-8"],
                descriptors: [terminal.theirs, terminal.theirs, terminal.theirs])
        }

        deinit {
            kill(process, SIGKILL)
            for side in [terminal.ours, terminal.theirs] { close(side) }
        }

        /// Reads what is written within a time.
        ///
        /// - Returns: Whether there was something.
        @discardableResult
        private func readOnce(_ time: Duration) -> Bool {
            var request = pollfd(fd: terminal.ours, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Int32(time / .milliseconds(1))) > 0 else { return false }
            let count = max(0, Foundation.read(terminal.ours, &bytes, bytes.count))
            written += count
            screen.write(bytes[..<count])
            return true
        }

        /// Reads whatever is written, for a time.
        func read(for time: Duration) {
            let start = ContinuousClock.now
            while start.duration(to: .now) < time { readOnce(.milliseconds(1)) }
        }

        /// How long the process has been there.
        var time: Duration { start.duration(to: .now) }

        /// Whether all the words stand on the screen.
        func has(_ words: [String]) -> Bool { words.allSatisfy(screen.has) }

        /// Whether the screen says that something goes on: a sign of Braille turns there.
        var isBusy: Bool { screen.has { (0x2800...0x28FF).contains($0.value) } }

        /// Waits until all the words stand on the screen; says when they did, from the start of the process.
        func wait(for words: [String]) throws -> Duration {
            while !has(words) {
                readOnce(.milliseconds(1))
                guard start.duration(to: .now) < patience else {
                    throw InspectorProcess.Failure(description: "'\(words.joined(separator: "' and '"))' did not come")
                }
            }
            return start.duration(to: .now)
        }

        /// Types a key; says how long it took until the screen that answers it was written.
        func type(_ key: Key) throws -> Duration {
            let start = ContinuousClock.now
            let before = written
            _ = write(terminal.ours, key.bytes, key.bytes.utf8.count)
            while !isAnswered(key, before) {
                guard start.duration(to: .now) < patience else {
                    throw InspectorProcess.Failure(description: "the key \(key) was not answered")
                }
                readOnce(.milliseconds(1))
            }
            var last = start.duration(to: .now)
            // A screen is written at one go, so what comes behind a silence is another.
            while readOnce(.milliseconds(1)) { last = start.duration(to: .now) }
            return last
        }

        private func isAnswered(_ key: Key, _ before: Int) -> Bool {
            switch key.answer {
            case .stands(let words): screen.has(words)
            case .isGone(let words): !screen.has(words)
            case .anything: written > before
            }
        }

        /// Quits the inspector, and waits for its end.
        func quit() throws {
            var ending: Int32 = 0
            let start = ContinuousClock.now
            var typed = 0
            // What it writes at its end is read too: it would wait.
            while waitpid(process, &ending, WNOHANG) == 0 {
                let time = start.duration(to: .now)
                // Where something lies over the screen, the first key closes that.
                if time > .seconds(typed) {
                    _ = write(terminal.ours, "q", 1)
                    typed += 1
                }
                readOnce(.milliseconds(1))
                if time > patience { kill(process, SIGKILL) }
            }
            guard ending == 0 else { throw InspectorProcess.Failure(description: "the inspector did not quit") }
        }
    }

    /// A terminal of which this program is the other side (openpty(3)).
    private static func openTerminal(width: UInt16, height: UInt16) throws -> (ours: Int32, theirs: Int32) {
        // Declared in a header that Swift's module of the C library leaves out.
        typealias OpenPTY =
            @convention(c) (
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Int32
        var sides = (ours: Int32(-1), theirs: Int32(-1))
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "openpty"),
            unsafeBitCast(symbol, to: OpenPTY.self)(&sides.ours, &sides.theirs, nil, nil, &size) == 0
        else { throw InspectorProcess.Failure(description: "there is no terminal") }
        for side in [sides.ours, sides.theirs] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        return sides
    }
}
