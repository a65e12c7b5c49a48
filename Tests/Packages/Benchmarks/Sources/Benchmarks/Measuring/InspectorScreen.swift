import Foundation

/// Runs the inspector on a terminal.
enum InspectorScreen {
    /// The longest time to wait for a screen.
    private static let patience = Duration.seconds(60)

    /// Runs the inspector on a terminal of 80 columns and 24 lines until all the words are on it, and quits the
    /// inspector.
    ///
    /// - Returns: The time until then, in seconds from the start of the process.
    static func time(_ path: String, until words: [String]) throws -> Double {
        let session = try Session(path, width: 80, height: 24)
        let time = try session.wait(for: words)
        try session.quit()
        return time / .seconds(1)
    }

    /// A key, and how the screen answers it.
    struct Key {
        /// The bytes that the terminal sends.
        var bytes: String
        var answer: Answer

        enum Answer {
            /// The words appear on the screen.
            case stands(String)
            /// The words disappear from the screen.
            case isGone(String)
            /// Any output. This is only for a screen that doesn't change by itself.
            case anything
        }
    }

    /// Runs the inspector on a terminal of 120 columns and 36 lines, and types keys one after another: until the `last`
    /// words are on the screen, and then `more` keys.
    ///
    /// - Parameters:
    ///   - first: The words on the screen when typing begins.
    ///   - last: The words on the screen when all work is done for the first time.
    ///   - more: The number of keys to type after that.
    ///   - whileBusy: The keys for a screen with work in progress. All are typed before checking for progress again.
    ///   - whileIdle: The keys for a screen without work in progress, typed in turn.
    /// - Returns: The time that each key took until its screen was finished, in seconds.
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

    /// The shortest time that a user takes between two keys.
    private static let pause = Duration.milliseconds(40)

    /// An inspector on a terminal.
    private final class Session {
        private let terminal: (ours: Int32, theirs: Int32)
        private let process: pid_t
        private let start = ContinuousClock.now
        private var screen: TerminalScreen
        /// The number of bytes written to the terminal.
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

        /// Reads output that arrives within a time limit.
        ///
        /// - Returns: Whether there was any.
        @discardableResult
        private func readOnce(_ time: Duration) -> Bool {
            var request = pollfd(fd: terminal.ours, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Int32(time / .milliseconds(1))) > 0 else { return false }
            let count = max(0, Foundation.read(terminal.ours, &bytes, bytes.count))
            written += count
            screen.write(bytes[..<count])
            return true
        }

        /// Reads all output for some time.
        func read(for time: Duration) {
            let start = ContinuousClock.now
            while start.duration(to: .now) < time { readOnce(.milliseconds(1)) }
        }

        /// The time since the process was started.
        var time: Duration { start.duration(to: .now) }

        /// Returns whether all the words are on the screen.
        func has(_ words: [String]) -> Bool { words.allSatisfy(screen.has) }

        /// Whether the screen shows work in progress with a spinning Braille character.
        var isBusy: Bool { screen.has { (0x2800...0x28FF).contains($0.value) } }

        /// Waits until all the words are on the screen, and returns the time since the start of the process.
        func wait(for words: [String]) throws -> Duration {
            while !has(words) {
                readOnce(.milliseconds(1))
                guard start.duration(to: .now) < patience else {
                    throw InspectorProcess.Failure(description: "'\(words.joined(separator: "' and '"))' did not come")
                }
            }
            return start.duration(to: .now)
        }

        /// Types a key, and returns the time until the screen that answers it was written.
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
            // A screen is written in one go, so output after a pause belongs to another screen.
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
            // The inspector's last output is read too, because it would block otherwise.
            while waitpid(process, &ending, WNOHANG) == 0 {
                let time = start.duration(to: .now)
                // If something covers the screen, the first key closes only that.
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

    /// Opens a pseudoterminal whose other side is this program (openpty(3)).
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
