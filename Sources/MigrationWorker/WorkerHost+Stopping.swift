import DocumentModel
import Foundation

/// Workers have sessions of their own, so that Ctrl-Z reaches only the program, which has to stop them with it.
extension WorkerHost {
    /// Stops all workers, those too that are started before ``resume()``.
    @Sendable public static func pause() { WorkerProcess.stopAll(true) }

    /// Has all workers go on.
    @Sendable public static func resume() { WorkerProcess.stopAll(false) }

    /// From here on SIGTSTP, which stops the program as ever, stops the workers before it. Call it before any thread is
    /// started: the signal is held back in all threads, and waited for by one of its own (sigwait(3)). That one gets no
    /// other signal, so that those may be held back as well later.
    ///
    /// - Throws: ``SystemFailure``, where the system starts no thread.
    package static func stopWithProgram() throws(SystemFailure) {
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // A thread begins with the mask of the one that starts it.
        try WorkThread.start(name: "stop") { [stop] in
            var stop = stop
            var number: Int32 = 0
            while sigwait(&stop, &number) == 0 {
                pause()
                raise(SIGTSTP)
                // With this the program stops; when it goes on, it goes on from here.
                pthread_sigmask(SIG_UNBLOCK, &stop, nil)
                pthread_sigmask(SIG_BLOCK, &stop, nil)
                resume()
            }
        }
    }
}
