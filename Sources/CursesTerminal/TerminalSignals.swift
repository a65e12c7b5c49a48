import CNcurses
import Foundation

/// Turns signals into bytes in a pipe, so that they are handled where the terminal waits for keys, rather than
/// wherever the process happens to be.
enum TerminalSignals {
    /// Plain values for the signal handler.
    private struct State {
        var readEnd: Int32 = -1
        var writeEnd: Int32 = -1
        /// The time of the first request to end, in seconds; 0 if there was none.
        var firstTermination: time_t = 0
        /// Whether the terminal is lent to another program.
        var isLent = false
    }

    /// Allocated once and never freed. The pipe exists as long as the process. Its ends are written once, before any
    /// handler is installed. `firstTermination` is also written before that, and then only by handlers, which block
    /// each other. Handlers read `isLent`, which the main thread writes.
    private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        if let ends = makePipe() { (state.pointee.readEnd, state.pointee.writeEnd) = ends }
        return state
    }()

    static let terminations = [SIGTERM, SIGHUP, SIGINT]

    /// A descriptor that is readable when a signal has arrived.
    static var descriptor: Int32 { state.pointee.readEnd }

    /// The installed signals with their previous actions.
    typealias Installed = [(signal: Int32, previous: sigaction)]

    /// Installs the handlers. A request to end that was ignored when the process started, as with `nohup`, is still
    /// ignored.
    static func install() -> Installed {
        // Requests to end that came while another terminal was open no longer matter.
        state.pointee.firstTermination = 0
        var installed: Installed = []
        for signal in terminations + [SIGWINCH, SIGCONT, SIGTSTP] {
            var previous = sigaction()
            _ = cncurses_handle_signal(signal, received, SA_RESTART | SA_ONSTACK, &previous)
            if cncurses_is_ignored(&previous) != 0, terminations.contains(signal) {
                sigaction(signal, &previous, nil)
            } else {
                installed.append((signal, previous))
            }
        }
        return installed
    }

    static func uninstall(_ installed: Installed) {
        for var action in installed { sigaction(action.signal, &action.previous, nil) }
    }

    /// Lets SIGTSTP stop the process, as it does by default, and returns when the process continues.
    static func stop() {
        restoreDefault(SIGTSTP)
        // Stop the whole job, as the terminal would. In a pipeline, the writer stops along with the reader.
        kill(0, SIGTSTP)
        _ = cncurses_handle_signal(SIGTSTP, received, SA_RESTART | SA_ONSTACK, nil)
    }

    /// Lends the terminal to another program. Meanwhile, SIGTSTP stops the process, and the interrupt key has no
    /// effect on it.
    ///
    /// - Parameter body: Receives a closure that it should call now and then, which returns whether this process has
    ///   been asked to end.
    static func lend(_ body: (_ isAskedToEnd: () -> Bool) -> Void) {
        restoreDefault(SIGTSTP)
        state.pointee.isLent = true
        var signals: Set<Int32> = []
        let isAskedToEnd = {
            signals.formUnion(drain())
            return terminations.contains(where: signals.contains)
        }
        body(isAskedToEnd)
        state.pointee.isLent = false
        _ = cncurses_handle_signal(SIGTSTP, received, SA_RESTART | SA_ONSTACK, nil)
        state.pointee.firstTermination = 0
        // The request to end this process is still valid.
        if isAskedToEnd() { for signal in signals where terminations.contains(signal) { raise(signal) } }
    }

    /// Restores the default action of a signal.
    static func restoreDefault(_ signal: Int32) {
        _ = cncurses_default_signal(signal)
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        sigaddset(&unblocked, signal)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    /// Returns the signals that have arrived since the last call, each once.
    static func drain() -> Set<Int32> {
        var bytes = [UInt8](repeating: 0, count: 256)
        var signals: Set<Int32> = []
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return signals }
            signals.formUnion(bytes[..<count].map(Int32.init))
        }
    }

    /// Returns whether a signal was raised by a key of the terminal rather than by another process.
    private static func isFromKey(_ information: UnsafeMutablePointer<siginfo_t>?) -> Bool {
        #if os(Linux)
            // sigaction(2): signals sent by kill(2) and similar calls do not have a positive code.
            (information?.pointee.si_code ?? 0) > 0
        #else
            true
        #endif
    }

    private static let received: cncurses_signal_handler = { signal, information, _ in
        let savedError = errno
        // The key is meant for the program that the terminal is lent to.
        if signal == SIGINT, TerminalSignals.state.pointee.isLent, TerminalSignals.isFromKey(information) { return }
        if signal == SIGTERM || signal == SIGHUP || signal == SIGINT {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let first = TerminalSignals.state.pointee.firstTermination
            if first == 0 {
                TerminalSignals.state.pointee.firstTermination = max(1, now.tv_sec)
            } else if now.tv_sec - first >= 2 {
                // An earlier request had no effect, so the main thread hangs. Restore the terminal here.
                TerminalRestoration.perform()
                _ = cncurses_default_signal(signal)
                raise(signal)
            }
        }
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(TerminalSignals.state.pointee.writeEnd, &byte, 1)
        errno = savedError
    }
}
