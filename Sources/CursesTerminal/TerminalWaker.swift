import Foundation

/// Ends the terminal's wait from any thread. Background work uses it to report that there is something new to show.
///
/// A waker may outlive the terminal. Waking a closed terminal has no effect.
public final class TerminalWaker: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Creates a waker; nil if the process has no descriptors left.
    public init?() {
        guard let ends = makePipe() else { return nil }
        (readEnd, writeEnd) = ends
    }

    /// Makes ``CursesTerminal/nextEvents(timeout:)`` report ``TerminalEvent/woken``, now or the next time it is
    /// called. Several calls before that count as one.
    public func wake() {
        var byte: UInt8 = 1
        // If the pipe is full, it already wakes the terminal.
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits for a call of ``wake()`` without a terminal.
    ///
    /// - Parameter timeout: The longest time to wait; nil waits indefinitely.
    /// - Returns: Whether it was called, now or since the last wait.
    public func waits(_ timeout: Duration?) -> Bool {
        var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        let milliseconds = timeout.map { Int32(min(max(0, ($0 / .milliseconds(1)).rounded(.up)), 1e9)) }
        _ = poll(&descriptor, 1, milliseconds ?? -1)
        return drain()
    }

    /// Clears earlier calls; returns true if there were any.
    func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 512)
        var any = false
        while read(readEnd, &bytes, bytes.count) > 0 { any = true }
        return any
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }
}

/// Creates a pipe that signal handlers and threads can write to without blocking, and that programs run by this
/// process do not inherit; nil if the process has no descriptors left.
func makePipe() -> (readEnd: Int32, writeEnd: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
}
