import InspectorUI

/// What ``CursesTerminal/nextEvents(timeout:)`` reports.
public enum TerminalEvent: Hashable, Sendable {
    case input(InspectorInput)
    /// ``TerminalWaker/wake()`` was called, once or several times.
    case woken
    /// The process was asked to end by this signal (SIGTERM, SIGHUP, SIGINT), or the terminal went away, which counts
    /// as SIGHUP. Close the terminal, then call ``TerminationSignal/raise()`` so that the exit status tells.
    case terminate(TerminationSignal)
}
