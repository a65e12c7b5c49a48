import CNcurses
import Foundation

/// A signal that asked the process to end.
public struct TerminationSignal: Hashable, Sendable {
    public let number: Int32

    public init(number: Int32) {
        self.number = number
    }

    /// Ends the process as the signal would have ended it, without a handler. Close the terminal first.
    public func raise() -> Never {
        TerminalSignals.restoreDefault(number)
        _ = kill(getpid(), number)
        // A signal whose default is to be ignored: the status that a shell would have reported.
        exit(128 + number)
    }

    /// The signals that are no request to end a program, and that end it all the same unless it handles them: alarms,
    /// limits, and those that are free for any use. Faults are not among them.
    public static let others: [Int32] = {
        let everywhere = [SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF]
        #if os(Linux)
            // Elsewhere they are not there, or end no process.
            return everywhere + [SIGIO, SIGSTKFLT, SIGPWR]
                + Array(cncurses_first_realtime()...cncurses_last_realtime())
        #else
            return everywhere
        #endif
    }()
}
