import Foundation

/// Workers have sessions of their own, so that Ctrl-Z reaches only the program, which has to stop them with it.
extension WorkerHost {
    /// Stops all workers.
    @Sendable public static func pause() { WorkerProcess.signalAll(SIGSTOP) }

    /// Has all workers go on.
    @Sendable public static func resume() { WorkerProcess.signalAll(SIGCONT) }

    /// From here on SIGTSTP, which stops the program as ever, stops the workers before it. Call it before any thread is
    /// started: the signal is held back in all threads, and waited for by one of its own (sigwait(3)).
    public static func stopWithProgram() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals] in
            var signals = signals
            var number: Int32 = 0
            while sigwait(&signals, &number) == 0 {
                pause()
                raise(SIGTSTP)
                // With this the program stops; when it goes on, it goes on from here.
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                resume()
            }
        }
    }
}
