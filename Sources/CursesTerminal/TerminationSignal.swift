import CNcurses
import Foundation

/// A signal that asked the process to end.
public struct TerminationSignal: Hashable, Sendable {
    public let number: Int32

    public init(number: Int32) {
        self.number = number
    }

    /// Ends the process as the signal would have ended it without a handler. Close the terminal first.
    public func raise() -> Never {
        TerminalSignals.restoreDefault(number)
        _ = kill(getpid(), number)
        // The signal is ignored by default. Use the status that a shell would have reported.
        exit(128 + number)
    }

    /// Signals that are not requests to end a program but end it anyway unless it handles them: alarms, limits, and
    /// user-defined signals. Faults are not included.
    public static let others: [Int32] = {
        let everywhere = [SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF]
        #if os(Linux)
            // On other systems these do not exist or do not end a process.
            return everywhere + [SIGIO, SIGSTKFLT, SIGPWR]
                + Array(cncurses_first_realtime()...cncurses_last_realtime())
        #else
            return everywhere
        #endif
    }()
}
