import CNcurses
import Foundation

/// Gives the terminal back when the process crashes, and then lets it crash as it would have.
///
/// A Swift trap, a wild pointer or a stack that overflows ends the process with a signal. Were it left at that, the
/// shell would find itself on the other screen, without echo, with the mouse on. While a ``CursesTerminal`` is open,
/// handlers for these signals restore the terminal, and then let the signal happen again without a handler: exit
/// status and core dump are the crash's own.
///
/// Swift's runtime has handlers too, which print a backtrace and wait half a minute for a person to ask for more. They
/// are let in when the environment asks for them (`SWIFT_BACKTRACE`).
///
/// A thread whose stack has overflowed has no room to run a handler on. It needs a stack for signals beforehand; the
/// main thread gets one when the terminal opens, other threads call ``protectCurrentThread()``, or are started by
/// ``GuardedThread``.
public enum CrashGuard {
    /// Gives the calling thread a stack for signal handlers, so that a stack overflow in it, too, restores the
    /// terminal. It is freed when the thread ends. Calling it again does nothing.
    public static func protectCurrentThread() {
        guard pthread_getspecific(signalStackKey) == nil else { return }
        var current = stack_t()
        // Swift's runtime may have given the main thread one.
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

    /// Installs the handlers. On the main thread, with the terminal's restoration prepared.
    static func install() {
        protectCurrentThread()
        wantsBacktrace.pointee = getenv("SWIFT_BACKTRACE") != nil
        for (index, signal) in signals.enumerated() {
            _ = cncurses_handle_signal(signal, crashed, SA_ONSTACK, &previousActions[index])
        }
    }

    /// Puts back the handlers that were there before.
    static func uninstall() {
        for (index, signal) in signals.enumerated() { sigaction(signal, &previousActions[index], nil) }
    }

    private static let signalStackSize = 64 * 1024

    /// The key under which a thread keeps its signal stack, to be freed when it ends.
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

    /// Faults, and what else ends a process that does not handle it. SIGTERM, SIGHUP and SIGINT are asked for politely
    /// and dealt with elsewhere.
    private static let signals: [Int32] =
        [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT, SIGPIPE, SIGXFSZ, SIGSYS]
        + TerminationSignal.others

    /// One for each of ``signals``, allocated once. Written by ``install()`` before the handlers that read them exist.
    private nonisolated(unsafe) static let previousActions: UnsafeMutablePointer<sigaction> = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
        actions.initialize(repeating: sigaction(), count: signals.count)
        return actions
    }()

    /// Whether the handlers that were there before get their turn. Written like ``previousActions``.
    private nonisolated(unsafe) static let wantsBacktrace: UnsafeMutablePointer<Bool> = {
        let wants = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        wants.initialize(to: false)
        return wants
    }()

    /// The place of a signal among the faults of ``signals``, whose handlers may make a backtrace; -1 for the others. A
    /// switch, because a handler may touch no Swift array.
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

    /// The handler. What it touches was initialized by ``install()``.
    private static let crashed: cncurses_signal_handler = { signal, information, _ in
        TerminalRestoration.perform()
        let index = CrashGuard.index(of: signal)
        if CrashGuard.wantsBacktrace.pointee, index >= 0 {
            sigaction(signal, CrashGuard.previousActions + Int(index), nil)
        } else {
            _ = cncurses_default_signal(signal)
        }
        // A fault happens again when the instruction is run again, now with the right context for a debugger or a
        // backtrace. One that was sent waits, blocked, until this handler has returned.
        if let information, cncurses_is_fault(information) != 0 { return }
        raise(signal)
    }
}
