/// The reason why there cannot be a screen.
public enum TerminalError: Error, Equatable {
    /// Standard output is not a terminal, or there is no terminal to read keys from.
    case noTerminal
    /// `TERM` is unset or empty.
    case noTerminalType
    /// The terminal database has no entry with this name.
    case unknownTerminalType(String)
    /// The terminal lacks what a full screen needs, such as `dumb`.
    case unsuitableTerminalType(String)
    /// ncurses failed to start without giving a reason.
    case cannotStart(String)
    /// The process has reached its limit of open files.
    case noDescriptors
    /// A screen is already open. A process can only have one.
    case alreadyOpen
}
