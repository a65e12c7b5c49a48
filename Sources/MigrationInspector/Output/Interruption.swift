import CProcess
import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation

/// Cleanup for when the program is ended before its work is done.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT] + TerminationSignal.others

    /// Makes sure that temporary files are removed before a signal ends the program. Call this before any thread is
    /// started: threads that already exist are still interrupted. A signal that was ignored when the process started,
    /// as `nohup` arranges, stays ignored.
    ///
    /// The signals are blocked, and a dedicated thread waits for them (sigwait(3)), because it may do things that a
    /// signal handler may not. Writing to a pipe without a reader, or beyond the file size limit, fails with an error
    /// instead of a signal.
    ///
    /// - Throws: `SystemFailure` if the system cannot start a thread.
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

    /// Ends the program as a signal would, after removing temporary files.
    static func end(by number: Int32) -> Never {
        TemporaryFiles.removeAll { TerminationSignal(number: number).raise() }
    }
}
