import Foundation

/// A thread of its own for some work.
///
/// Foundation's `Thread` does not report that the system starts none, and whoever waits for its work then waits for
/// ever.
package enum WorkThread {
    /// Starts a thread, which ends with the work.
    ///
    /// - Parameters:
    ///   - name: Shown by debuggers; Linux keeps the first 15 bytes.
    ///   - stackSize: In bytes.
    /// - Throws: ``SystemFailure``, where the system starts no thread.
    package static func start(
        name: String, stackSize: Int = 512 << 10, _ work: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let start = Unmanaged.passRetained(Start(name: name, work: work))
        let code = pthread_create(
            &thread, &attributes,
            { (argument: UnsafeMutableRawPointer?) in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                Thread.current.name = start.name
                start.work()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemFailure(code: code, of: .thread)
        }
    }

    /// What a thread begins with.
    private final class Start: Sendable {
        let name: String
        let work: @Sendable () -> Void

        init(name: String, work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
    }
}

/// What the system did not give, and why.
package struct SystemFailure: Error, Equatable, CustomStringConvertible {
    /// What was asked for.
    package enum Request: Sendable { case thread, process, descriptor }

    /// An error number, as `errno` has it.
    package let code: Int32
    package let request: Request

    package init(code: Int32, of request: Request) {
        // A descriptor whose number is beyond the limit is an invalid argument (fcntl(2)).
        self.code = code == EINVAL && request == .descriptor ? EMFILE : code
        self.request = request
    }

    /// The reason of the system, and of a limit what to do about it.
    package var description: String {
        request == .thread ? "no thread can be started: \(words)" : words
    }

    private var words: String {
        let reason = String(cString: strerror(code))
        return switch code {
        case EMFILE:
            "this process may open no more files ('ulimit -n' shows the limit, 'ulimit -n 1024' raises it)"
        case ENFILE: "all processes together have as many open files as the system allows"
        case EAGAIN where request == .thread:
            """
            this user may have no more processes and threads ('ulimit -u' shows the limit), or this process no more memory \
            ('ulimit -v', and --memory-limit for the processes that run the app's code)
            """
        case EAGAIN:
            "this user may have no more processes and threads ('ulimit -u' shows the limit)"
        case ENOMEM: "there is not enough memory (\(reason))"
        default: reason
        }
    }
}
