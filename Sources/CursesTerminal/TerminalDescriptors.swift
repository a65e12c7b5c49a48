import Foundation

/// The descriptors to read keys from and to draw on.
struct TerminalDescriptors {
    let keys: Int32
    let picture: Int32

    /// Whether `keys` was opened here and has to be closed by the caller.
    var ownsKeys = false

    /// Returns standard output, and standard input or, if that is not a terminal, the process's controlling terminal.
    static func ofProcess() throws(TerminalError) -> TerminalDescriptors {
        guard isatty(1) == 1 else { throw .noTerminal }
        if isatty(0) == 1 { return TerminalDescriptors(keys: 0, picture: 1) }
        let controlling = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard controlling >= 0 else { throw .noTerminal }
        return TerminalDescriptors(keys: controlling, picture: 1, ownsKeys: true)
    }
}
