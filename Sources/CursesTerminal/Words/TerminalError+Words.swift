extension TerminalError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do about it.
    public var description: String {
        switch self {
        case .noTerminal:
            "There is no terminal: the screen needs one on standard output and one to read keys from."
        case .noTerminalType:
            "The environment variable TERM is not set; set it to your terminal's type, for example xterm-256color."
        case .unknownTerminalType(let name):
            "The terminal type \"\(name)\" (TERM) is not known on this machine; try TERM=xterm-256color or TERM=vt100."
        case .unsuitableTerminalType(let name):
            "A terminal of type \"\(name)\" (TERM) cannot place its cursor, so it cannot show a screen."
        case .cannotStart(let name):
            "ncurses could not start on a terminal of type \"\(name)\" (TERM)."
        case .noDescriptors:
            "The screen cannot start: the process has too many files open (see ulimit -n)."
        case .alreadyOpen:
            "The terminal already shows a screen."
        }
    }
}
