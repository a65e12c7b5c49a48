import Foundation

/// Where keys come from and where the picture goes.
struct TerminalDescriptors {
    let keys: Int32
    let picture: Int32

    /// Standard output, and standard input or, when that is no terminal, the process's controlling terminal. Calls the
    /// body with them.
    @MainActor
    static func ofProcess<Result>(
        _ body: (TerminalDescriptors) throws(TerminalError) -> Result
    ) throws(TerminalError) -> Result {
        guard isatty(1) == 1 else { throw .noTerminal }
        if isatty(0) == 1 { return try body(TerminalDescriptors(keys: 0, picture: 1)) }
        let controlling = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard controlling >= 0 else { throw .noTerminal }
        defer { close(controlling) }
        return try body(TerminalDescriptors(keys: controlling, picture: 1))
    }
}
