import CNcurses
import CProcess
import Foundation

/// Captures output that is printed while the screen is shown, and prints it afterwards.
///
/// Standard output and error go to the terminal that shows the screen. Output printed there by others, such as the
/// app's migrations or Swift's runtime with the reason for a crash, would corrupt the screen and then be lost. It is
/// redirected to a file without a name until the screen closes. ncurses draws through a separate descriptor.
enum OutputCapture {
    /// Starts capturing. If no temporary file can be created, nothing is captured, since that should not keep the
    /// program from starting.
    static func begin() {
        guard TerminalRestoration.state.pointee.capture < 0, let file = temporaryFile() else { return }
        fflush(nil)
        TerminalRestoration.state.pointee.standardOutput = redirect(1, to: file)
        TerminalRestoration.state.pointee.standardError = redirect(2, to: file)
        TerminalRestoration.state.pointee.capture = file
    }

    /// Stops capturing, and writes the captured output to the terminal.
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

    /// Redirects a descriptor to the file, and returns a copy of the original; -1 if it did not refer to the screen's
    /// terminal and was not changed.
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

    /// Creates a file that only this process can access, opened for appending so that two descriptors do not
    /// overwrite each other.
    private static func temporaryFile() -> Int32? {
        #if os(Linux)
            // The file never has a name, so nothing is left of it however the process ends.
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
