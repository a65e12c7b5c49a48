import CNcurses
import Foundation

/// Turns signals into bytes in a pipe, so that they are dealt with where the terminal waits for keys, and not wherever
/// the process happens to be.
enum TerminalSignals {
    /// Plain values for the handler.
    private struct State {
        var readEnd: Int32 = -1
        var writeEnd: Int32 = -1
        /// When the first request to end came, in seconds; 0 for none.
        var firstTermination: time_t = 0
        /// Whether another program has the terminal.
        var isLent = false
    }

    /// Allocated once and never freed; the pipe lives as long as the process. The ends are written once, before any
    /// handler is installed; `firstTermination` is written before that too, and then by handlers only, which block each
    /// other; handlers read `isLent`, which the main thread writes.
    private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        if let ends = makePipe() { (state.pointee.readEnd, state.pointee.writeEnd) = ends }
        return state
    }()

    static let terminations = [SIGTERM, SIGHUP, SIGINT]

    /// Readable when a signal has come.
    static var descriptor: Int32 { state.pointee.readEnd }

    /// What was handled before, to be put back.
    typealias Installed = [(signal: Int32, previous: sigaction)]

    /// Installs the handlers. A request to end that was ignored when the process started, as `nohup` arranges, stays
    /// ignored.
    static func install() -> Installed {
        // What was asked of another terminal is over.
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

    /// Lets SIGTSTP stop the process, as it does by default, and returns when it goes on.
    static func stop() {
        restoreDefault(SIGTSTP)
        // The whole job, as the terminal would have done: what feeds a pipe stops with what reads it.
        kill(0, SIGTSTP)
        _ = cncurses_handle_signal(SIGTSTP, received, SA_RESTART | SA_ONSTACK, nil)
    }

    /// Has SIGTSTP stop the process, and an interrupt by a key do nothing, while another program has the terminal.
    ///
    /// - Parameter body: Given a question for it to ask now and then: whether this process is asked to end.
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
        // Whoever asked this process to end still wants that.
        if isAskedToEnd() { for signal in signals where terminations.contains(signal) { raise(signal) } }
    }

    /// Lets a signal do what it does by default.
    static func restoreDefault(_ signal: Int32) {
        _ = cncurses_default_signal(signal)
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        sigaddset(&unblocked, signal)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    /// The signals that came since the last call, each once.
    static func drain() -> Set<Int32> {
        var bytes = [UInt8](repeating: 0, count: 256)
        var signals: Set<Int32> = []
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return signals }
            signals.formUnion(bytes[..<count].map(Int32.init))
        }
    }

    /// Whether a key of the terminal raised a signal, and no other process.
    private static func isFromKey(_ information: UnsafeMutablePointer<siginfo_t>?) -> Bool {
        #if os(Linux)
            // sigaction(2): what kill(2) and its relatives send has no positive code.
            (information?.pointee.si_code ?? 0) > 0
        #else
            true
        #endif
    }

    private static let received: cncurses_signal_handler = { signal, information, _ in
        let savedError = errno
        // The key is meant for the program that has the terminal.
        if signal == SIGINT, TerminalSignals.state.pointee.isLent, TerminalSignals.isFromKey(information) { return }
        if signal == SIGTERM || signal == SIGHUP || signal == SIGINT {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let first = TerminalSignals.state.pointee.firstTermination
            if first == 0 {
                TerminalSignals.state.pointee.firstTermination = max(1, now.tv_sec)
            } else if now.tv_sec - first >= 2 {
                // Asked before, and nothing came of it: the main thread hangs. The terminal is given back from here.
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
