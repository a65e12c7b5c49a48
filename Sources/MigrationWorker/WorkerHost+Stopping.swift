import DocumentModel
import Foundation

/// Workers run in separate sessions, so Ctrl-Z reaches only the program, which has to stop them itself.
extension WorkerHost {
    /// Stops all workers, including those started before ``resume()`` is called.
    @Sendable public static func pause() { WorkerProcess.stopAll(true) }

    /// Continues all workers.
    @Sendable public static func resume() { WorkerProcess.stopAll(false) }

    /// Makes SIGTSTP stop the workers before it stops the program as usual. Call this before any thread is started: the
    /// signal is blocked in all threads, and a dedicated thread waits for it (sigwait(3)). That thread receives no
    /// other signals, so they can be blocked later too.
    ///
    /// - Throws: ``SystemFailure`` if the system cannot start a thread.
    package static func stopWithProgram() throws(SystemFailure) {
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // A thread inherits the signal mask of the thread that starts it.
        try WorkThread.start(name: "stop") { [stop] in
            var stop = stop
            var number: Int32 = 0
            while sigwait(&stop, &number) == 0 {
                pause()
                raise(SIGTSTP)
                // Unblocking the signal stops the program. When it's continued, it resumes here.
                pthread_sigmask(SIG_UNBLOCK, &stop, nil)
                pthread_sigmask(SIG_BLOCK, &stop, nil)
                resume()
            }
        }
    }
}
