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
}
