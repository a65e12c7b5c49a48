import CNcurses
import CProcess
import Foundation

/// Holds back what is printed while the screen is up, and shows it afterwards.
///
/// Standard output and error lead to the terminal that shows the screen. What others print there, the app's own
/// migrations or Swift's runtime with the reason of a crash, would tear the picture and then vanish with it. Until the
/// screen is gone it goes to a file that has no name; ncurses draws on a descriptor of its own.
enum OutputCapture {
    /// Begins to hold back. Without a place for temporary files, nothing is held back: that is no reason not to start.
    static func begin() {
        guard TerminalRestoration.state.pointee.capture < 0, let file = temporaryFile() else { return }
        fflush(nil)
        TerminalRestoration.state.pointee.standardOutput = redirect(1, to: file)
        TerminalRestoration.state.pointee.standardError = redirect(2, to: file)
        TerminalRestoration.state.pointee.capture = file
    }

    /// Lets go, and writes what was held back to the terminal.
    static func end() {
        let state = TerminalRestoration.state
        guard state.pointee.capture >= 0 else { return }
        fflush(nil)
        for (saved, descriptor) in [(state.pointee.standardOutput, Int32(1)), (state.pointee.standardError, 2)]
        where saved >= 0 {
            dup2(saved, descriptor)
            close(saved)
        }
        TerminalRestoration.replay(state.pointee.capture, to: state.pointee.terminal)
        close(state.pointee.capture)
        state.pointee.standardOutput = -1
        state.pointee.standardError = -1
        state.pointee.capture = -1
    }

    /// Leads a descriptor to the file and gives a copy of where it led before; -1 when it did not lead to the screen's
    /// terminal and was left as it is.
    private static func redirect(_ descriptor: Int32, to file: Int32) -> Int32 {
        guard let screen = device(TerminalRestoration.state.pointee.terminal), device(descriptor) == screen else {
            return -1
        }
        let saved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard saved >= 0 else { return -1 }
        dup2(file, descriptor)
        return saved
    }

    private static func device(_ descriptor: Int32) -> dev_t? {
        var status = stat()
        guard isatty(descriptor) == 1, fstat(descriptor, &status) == 0 else { return nil }
        return status.st_rdev
    }

    /// A file that only this process can reach, open for appending so that two descriptors do not overwrite each other.
    private static func temporaryFile() -> Int32? {
        #if os(Linux)
            // It has no name at any time, so that nothing is left of it however the process ends.
            let file = cprocess_shared_memory()
            guard file >= 0 else { return nil }
        #else
            var template = Array((NSTemporaryDirectory() + "/migration-inspector-XXXXXX").utf8CString)
            let file = mkstemp(&template)
            guard file >= 0 else { return nil }
            unlink(template)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        #endif
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_APPEND)
        return file
    }
}
