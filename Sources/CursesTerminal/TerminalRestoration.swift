import CNcurses
import Foundation

/// Restores the terminal to its original state from anywhere: a crashed thread, `exit`, or a signal handler.
///
/// Everything needed is prepared in advance and kept in plain memory. ``perform()`` calls only functions that POSIX
/// allows in a signal handler (signal-safety(7)), and neither allocates memory nor takes a lock.
enum TerminalRestoration {
    /// The state that ``perform()`` needs, which only consists of plain values.
    struct State {
        /// 1 while the terminal has to be restored. Read and written atomically.
        var armed: Int32 = 0
        /// The terminal, on a descriptor that no other code closes.
        var terminal: Int32 = -1
        var settings = termios()
        /// Two buffers for the control sequences that undo what ncurses did, and their lengths.
        var sequences: UnsafeMutablePointer<UInt8>
        var lengths: UnsafeMutablePointer<Int>
        /// The buffer that is in use. Read and written atomically.
        var current: Int32 = 0
        /// The file with output captured by ``OutputCapture``, and the original standard output and error; -1 if
        /// there is none.
        var capture: Int32 = -1
        var standardOutput: Int32 = -1
        var standardError: Int32 = -1
        var buffer: UnsafeMutablePointer<UInt8>
    }

    static let sequenceCapacity = 1024
    static let bufferCapacity = 4096

    /// Allocated once and never freed. Only the main thread writes to it, and only while not armed, except for the
    /// atomic fields and the buffer that is not in use. Only the thread that swaps `armed` from 1 to 0 reads it.
    nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(
            to: State(
                sequences: .allocate(capacity: 2 * sequenceCapacity), lengths: .allocate(capacity: 2),
                buffer: .allocate(capacity: bufferCapacity)))
        return state
    }()

    /// Sets the control sequence to send. May be called while armed.
    static func prepare(_ sequence: [UInt8]) {
        let other = 1 - Int(cncurses_load(&state.pointee.current))
        let length = min(sequence.count, sequenceCapacity)
        for index in 0..<length { state.pointee.sequences[other * sequenceCapacity + index] = sequence[index] }
        state.pointee.lengths[other] = length
        _ = cncurses_exchange(&state.pointee.current, Int32(other))
    }

    static var isArmed: Bool { cncurses_load(&state.pointee.armed) == 1 }

    /// From now on, the terminal is restored however the process ends.
    static func arm() {
        _ = restoreAtExit
        _ = cncurses_exchange(&state.pointee.armed, 1)
    }

    /// Disarms, because the terminal is about to be restored in the normal way.
    static func disarm() {
        _ = cncurses_exchange(&state.pointee.armed, 0)
    }

    /// Code that does not know about the screen may call `exit`. Registered once and never removed.
    private static let restoreAtExit: Void = {
        atexit { TerminalRestoration.perform() }
    }()

    /// Restores the terminal unless that has already been done. Safe to call in a signal handler.
    static func perform() {
        guard cncurses_exchange(&state.pointee.armed, 0) == 1 else { return }
        let terminal = state.pointee.terminal
        let current = Int(cncurses_load(&state.pointee.current))
        writeAll(
            state.pointee.sequences + current * sequenceCapacity, count: state.pointee.lengths[current], to: terminal)
        tcsetattr(terminal, TCSANOW, &state.pointee.settings)
        // Discard mouse reports that have arrived since, which the shell would take for typed text.
        tcflush(terminal, TCIFLUSH)
        if state.pointee.standardOutput >= 0 { dup2(state.pointee.standardOutput, 1) }
        if state.pointee.standardError >= 0 { dup2(state.pointee.standardError, 2) }
        if state.pointee.capture >= 0 { replay(state.pointee.capture, to: terminal) }
    }

    /// Writes the captured output, but at most the last megabyte, so that a program that prints endlessly does not
    /// fill the terminal's history.
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
        // A terminal that accepts nothing for two seconds is gone or stopped, and the process must still be able to
        // end.
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
