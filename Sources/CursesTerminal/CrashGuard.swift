import CNcurses
import Foundation

/// Restores the terminal when the process crashes, and then lets it crash as it would have.
///
/// A Swift trap, a wild pointer or a stack overflow ends the process with a signal. Without this guard, the shell
/// would be left on the alternate screen, without echo and with mouse reporting on. While a ``CursesTerminal`` is
/// open, handlers for these signals restore the terminal and then let the signal occur again without a handler, so
/// that the exit status and core dump are those of the crash.
///
/// Swift's runtime also has handlers, which print a backtrace and wait half a minute for the user to request more.
/// They only run if the environment asks for them (`SWIFT_BACKTRACE`).
///
/// A thread whose stack has overflowed has no room to run a handler, so it needs a separate signal stack. The main
/// thread gets one when the terminal opens. Other threads must call ``protectCurrentThread()`` or be started by
/// ``GuardedThread``.
public enum CrashGuard {
    /// Gives the calling thread a stack for signal handlers, so that a stack overflow in that thread also restores
    /// the terminal. The stack is freed when the thread ends. Calling this again has no effect.
    public static func protectCurrentThread() {
        guard pthread_getspecific(signalStackKey) == nil else { return }
        var current = stack_t()
        // Swift's runtime may have given one to the main thread.
        if sigaltstack(nil, &current) == 0, current.ss_flags & Int32(SS_DISABLE) == 0,
            current.ss_size >= signalStackSize
        {
            return
        }
        let memory = mmap(nil, signalStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        var stack = stack_t()
        stack.ss_sp = memory
        stack.ss_size = signalStackSize
        guard sigaltstack(&stack, nil) == 0 else {
            munmap(memory, signalStackSize)
            return
        }
        pthread_setspecific(signalStackKey, memory)
    }

    /// Installs the handlers. Call this on the main thread, after preparing the terminal's restoration.
    static func install() {
        protectCurrentThread()
        wantsBacktrace.pointee = getenv("SWIFT_BACKTRACE") != nil
        for (index, signal) in signals.enumerated() {
            _ = cncurses_handle_signal(signal, crashed, SA_ONSTACK, &previousActions[index])
        }
    }

    /// Reinstalls the previous handlers.
    static func uninstall() {
        for (index, signal) in signals.enumerated() { sigaction(signal, &previousActions[index], nil) }
    }

    private static let signalStackSize = 64 * 1024

    /// The key that holds a thread's signal stack, which is freed when the thread ends.
    private static let signalStackKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { memory in
            var none = stack_t()
            none.ss_flags = Int32(SS_DISABLE)
            sigaltstack(&none, nil)
            munmap(memory, CrashGuard.signalStackSize)
        }
        return key
    }()

    /// Faults, and other signals that end a process that does not handle them. SIGTERM, SIGHUP and SIGINT are
    /// requests to end, which ``TerminalSignals`` handles.
    private static let signals: [Int32] =
        [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT, SIGPIPE, SIGXFSZ, SIGSYS]
        + TerminationSignal.others

    /// The previous action for each of ``signals``, allocated once. ``install()`` writes them before the handlers
    /// that read them exist.
    private nonisolated(unsafe) static let previousActions: UnsafeMutablePointer<sigaction> = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
        actions.initialize(repeating: sigaction(), count: signals.count)
        return actions
    }()

    /// Whether the previous handlers run as well. Written like ``previousActions``.
    private nonisolated(unsafe) static let wantsBacktrace: UnsafeMutablePointer<Bool> = {
        let wants = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        wants.initialize(to: false)
        return wants
    }()

    /// Returns the index in ``signals`` of a fault, whose previous handler may print a backtrace; -1 for other
    /// signals. This is a switch because a signal handler must not access a Swift array.
    private static func index(of signal: Int32) -> Int32 {
        switch signal {
        case SIGILL: 0
        case SIGTRAP: 1
        case SIGABRT: 2
        case SIGBUS: 3
        case SIGFPE: 4
        case SIGSEGV: 5
        default: -1
        }
    }

    /// The handler. It only accesses memory that ``install()`` has initialized.
    private static let crashed: cncurses_signal_handler = { signal, information, _ in
        TerminalRestoration.perform()
        let index = CrashGuard.index(of: signal)
        if CrashGuard.wantsBacktrace.pointee, index >= 0 {
            sigaction(signal, CrashGuard.previousActions + Int(index), nil)
        } else {
            _ = cncurses_default_signal(signal)
        }
        // A fault occurs again when its instruction is executed again, now with the right context for a debugger or a
        // backtrace. A signal that was sent stays blocked and pending until this handler has returned.
        if let information, cncurses_is_fault(information) != 0 { return }
        raise(signal)
    }
}
