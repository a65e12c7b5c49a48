import InspectorUI

/// An event reported by ``CursesTerminal/nextEvents(timeout:)``.
public enum TerminalEvent: Hashable, Sendable {
    case input(InspectorInput)
    /// ``TerminalWaker/wake()`` was called once or more.
    case woken
    /// The process was asked to end by this signal (SIGTERM, SIGHUP, SIGINT), or the terminal disappeared, which
    /// counts as SIGHUP. Close the terminal, then call ``TerminationSignal/raise()`` so that the exit status reflects
    /// the signal.
    case terminate(TerminationSignal)
}
