import CursesTerminal
import Foundation

/// What to do when the program is ended before its work is done.
enum Interruption {
    /// Has `cleanUp` called before SIGINT or SIGTERM ends the program, as they do without this. Call it before any
    /// thread is started: threads that exist already are still interrupted.
    ///
    /// The signals are held back and waited for by a thread of their own (sigwait(3)), so that `cleanUp` may do what a
    /// signal handler may not.
    static func prepare(_ cleanUp: @escaping @Sendable () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals] in
            var signals = signals
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { return }
            cleanUp()
            TerminationSignal(number: number).raise()
        }
    }
}
