import DocumentModel
import Foundation

/// A pseudoterminal whose other side is the test.
package final class Terminal: Sendable {
    /// The open descriptor of the program's side.
    package let programSide: Int32
    /// The path of the program's side, for a program in another process.
    package let path: String
    private let side: Int32
    private let state = Locked(State())

    private struct State {
        var received: [UInt8] = []
        var isOpen = true
    }

    package struct Unavailable: Error {}

    package init(width: Int = 100, height: Int = 30) throws {
        // Declared in a header that Swift's module of the C library leaves out.
        typealias OpenPTY =
            @convention(c) (
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Int32
        var ends: (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "openpty"),
            unsafeBitCast(symbol, to: OpenPTY.self)(&ends.0, &ends.1, &name, nil, nil) == 0
        else { throw Unavailable() }
        (side, programSide) = ends
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for end in [side, programSide] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        resize(width: width, height: height)
        // A program that writes to a terminal blocks if the terminal isn't read. A descriptor must not be closed while
        // it is being read, so the reading thread closes it.
        Thread.detachNewThread { [state, side] in
            var bytes = [UInt8](repeating: 0, count: 65536)
            while state.withLock({ $0.isOpen }) {
                var request = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, 10) > 0 else { continue }
                let count = read(side, &bytes, bytes.count)
                guard count > 0 else { break }
                state.withLock { $0.received += bytes[..<count] }
            }
            close(side)
        }
    }

    deinit {
        close(programSide)
        hangUp()
    }

    /// Hangs up, like a window that is closed.
    package func hangUp() { state.withLock { $0.isOpen = false } }

    package func resize(width: Int, height: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(side, UInt(TIOCSWINSZ), &size)
    }

    package func press(_ keys: String) { _ = write(side, keys, keys.utf8.count) }

    /// Presses Ctrl-C until the program has ended, because a key may only close something else.
    ///
    /// - Returns: The exit status.
    package func quit(_ run: Ordeal) throws -> Int32 {
        for _ in 0..<50 where try !run.hasEnded() {
            press("\u{3}")
            run.sleep(0.2)
        }
        return try run.end()
    }

    /// The text written to the terminal so far.
    package var output: String { String(decoding: state.withLock { $0.received }, as: UTF8.self) }

    /// Forgets the text written so far.
    package func forget() { state.withLock { $0.received = [] } }

    /// Waits until this text has been written.
    package func shows(_ text: String, within seconds: Double = 60) -> Bool {
        waits(seconds) { output.contains(text) }
    }

    /// Waits until nothing has been written for a while.
    package func isQuiet(within seconds: Double = 60) -> Bool {
        var (count, since) = (-1, Date())
        return waits(seconds) {
            let now = state.withLock { $0.received.count }
            if now != count { (count, since) = (now, Date()) }
            return Date().timeIntervalSince(since) > 0.3
        }
    }

    /// The terminal's settings as text, for comparisons (termios(3)).
    package var settings: String {
        var settings = termios()
        tcgetattr(programSide, &settings)
        return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
    }

    /// Waits until the previous screen is restored. A program that ends before it shows its own screen may leave that
    /// screen without having entered it.
    package func isRestored(within seconds: Double = 60) -> Bool {
        waits(seconds) { !(output.components(separatedBy: "\u{1B}[?1049l").last ?? "").contains("\u{1B}[?1049h") }
    }
}
