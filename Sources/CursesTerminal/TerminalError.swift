/// Why there can be no screen.
public enum TerminalError: Error, Equatable {
    /// Standard output is no terminal, or there is none to read keys from.
    case noTerminal
    /// `TERM` is unset or empty.
    case noTerminalType
    /// The terminal database has no entry of this name.
    case unknownTerminalType(String)
    /// A terminal without what a full screen needs, such as `dumb`.
    case unsuitableTerminalType(String)
    /// ncurses refused for a reason it does not say.
    case cannotStart(String)
    /// The process has as many files open as it may have.
    case noDescriptors
    /// There is a screen already: a process has one terminal.
    case alreadyOpen
}
