import CNcurses
import Foundation

/// Gives the terminal back as it was found, from any place whatever: a crashed thread, `exit`, a signal handler.
///
/// Everything needed is prepared while all is well and kept in plain memory. ``perform()`` calls only what POSIX
/// allows in a signal handler (signal-safety(7)) and neither allocates nor takes a lock.
enum TerminalRestoration {
    /// What ``perform()`` needs; plain values only.
    struct State {
        /// 1 while there is something to give back. Read and written atomically.
        var armed: Int32 = 0
        /// The terminal, on a descriptor that no other code closes.
        var terminal: Int32 = -1
        var settings = termios()
        /// The control sequences that undo what ncurses did, as two texts with their lengths.
        var sequences: UnsafeMutablePointer<UInt8>
        var lengths: UnsafeMutablePointer<Int>
        /// Which of the two counts. Read and written atomically.
        var current: Int32 = 0
        /// What ``OutputCapture`` holds back, where it is to go, and the real standard output and error; -1 for none.
        var capture: Int32 = -1
        var standardOutput: Int32 = -1
        var standardError: Int32 = -1
        var buffer: UnsafeMutablePointer<UInt8>
    }

    static let sequenceCapacity = 1024
    static let bufferCapacity = 4096

    /// Allocated once and never freed. Written on the main thread only, and only while not armed, but for what is
    /// atomic, and for the text that does not count; read only by the one thread that swaps `armed` from 1 to 0.
    nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(
            to: State(
                sequences: .allocate(capacity: 2 * sequenceCapacity), lengths: .allocate(capacity: 2),
                buffer: .allocate(capacity: bufferCapacity)))
        return state
    }()

    /// Sets what is to be sent, also while armed.
    static func prepare(_ sequence: [UInt8]) {
        let other = 1 - Int(cncurses_load(&state.pointee.current))
        let length = min(sequence.count, sequenceCapacity)
        for index in 0..<length { state.pointee.sequences[other * sequenceCapacity + index] = sequence[index] }
        state.pointee.lengths[other] = length
        _ = cncurses_exchange(&state.pointee.current, Int32(other))
    }

    static var isArmed: Bool { cncurses_load(&state.pointee.armed) == 1 }

    /// From here on the terminal is given back whatever happens.
    static func arm() {
        _ = restoreAtExit
        _ = cncurses_exchange(&state.pointee.armed, 1)
    }

    /// The terminal is about to be given back in the orderly way.
    static func disarm() {
        _ = cncurses_exchange(&state.pointee.armed, 0)
    }

    /// `exit` may be called by code that knows nothing of the screen. Registered once, for good.
    private static let restoreAtExit: Void = {
        atexit { TerminalRestoration.perform() }
    }()

    /// Gives the terminal back, unless that was done. Safe in a signal handler.
    static func perform() {
        guard cncurses_exchange(&state.pointee.armed, 0) == 1 else { return }
        let terminal = state.pointee.terminal
        let current = Int(cncurses_load(&state.pointee.current))
        writeAll(
            state.pointee.sequences + current * sequenceCapacity, count: state.pointee.lengths[current], to: terminal)
        tcsetattr(terminal, TCSANOW, &state.pointee.settings)
        // The mouse may have spoken since: to the shell, its reports would be typed text.
        tcflush(terminal, TCIFLUSH)
        if state.pointee.standardOutput >= 0 { dup2(state.pointee.standardOutput, 1) }
        if state.pointee.standardError >= 0 { dup2(state.pointee.standardError, 2) }
        if state.pointee.capture >= 0 { replay(state.pointee.capture, to: terminal) }
    }

    /// Writes what was captured, but no more than the end of it: a program that printed without bound is not to fill
    /// the terminal's history.
    static func replay(_ capture: Int32, to terminal: Int32) {
        let size = lseek(capture, 0, SEEK_END)
        var offset = max(0, size - (1 << 20))
        while offset < size {
            let count = pread(capture, state.pointee.buffer, bufferCapacity, offset)
            guard count > 0 else { return }
            writeAll(state.pointee.buffer, count: count, to: terminal)
            offset += off_t(count)
        }
    }

    private static func writeAll(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, to descriptor: Int32) {
        var written = 0
        // A terminal that takes nothing for two seconds is gone or stopped; the process must still be able to end.
        var patience = 20
        while written < count, patience > 0 {
            let result = write(descriptor, bytes + written, count - written)
            if result > 0 {
                written += result
            } else if result < 0, errno == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&writable, 1, 100)
                patience -= 1
            } else if result < 0, errno == EINTR {
                patience -= 1
            } else {
                return
            }
        }
    }
}
