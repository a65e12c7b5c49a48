import CProcess
import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation

/// What to do when the program is ended before its work is done.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT] + TerminationSignal.others

    /// Has temporary files removed before a signal ends the program, as it does without this. Call it before any thread
    /// is started: threads that exist already are still interrupted. A signal that was ignored when the process
    /// started, as `nohup` arranges, stays ignored.
    ///
    /// The signals are held back and waited for by a thread of their own (sigwait(3)), which may do what a signal
    /// handler may not. A pipe without a reader, and a file that is as large as it may be, are errors of the call that
    /// meets them rather than signals.
    ///
    /// - Throws: `SystemFailure`, where the system starts no thread.
    static func prepare() throws(SystemFailure) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for number in signals where cprocess_is_ignored(number) == 0 { sigaddset(&awaited, number) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &awaited, &before)
        do throws(SystemFailure) {
            try WorkThread.start(name: "signals") { [awaited] in
                var awaited = awaited
                var number: Int32 = 0
                guard sigwait(&awaited, &number) == 0 else { return }
                end(by: number)
            }
        } catch {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            throw error
        }
    }

    /// Ends the program as a signal would, with nothing left behind.
    static func end(by number: Int32) -> Never {
        TemporaryFiles.removeAll { TerminationSignal(number: number).raise() }
    }
}
