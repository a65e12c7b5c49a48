import Foundation

/// Ends the terminal's waiting from any thread: how work in the background says that there is something new to show.
///
/// It may be kept longer than the terminal; waking a closed terminal does nothing.
public final class TerminalWaker: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Nil when the process has no descriptors left.
    init?() {
        guard let ends = makePipe() else { return nil }
        (readEnd, writeEnd) = ends
    }

    /// Makes ``CursesTerminal/nextEvents(timeout:)`` report ``TerminalEvent/woken``, now or the next time it is called.
    /// Any number of calls before that are one.
    public func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes as well as one more byte would.
        _ = write(writeEnd, &byte, 1)
    }

    /// Takes back the calls so far; true if there were any.
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

/// A pipe that signals or threads write to: it never makes them wait, and no program that is run inherits it. Nil when
/// the process has no descriptors left.
func makePipe() -> (readEnd: Int32, writeEnd: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
}
