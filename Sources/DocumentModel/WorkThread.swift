import Foundation

/// Starts threads.
///
/// Unlike this, Foundation's `Thread` doesn't report that the system cannot start a thread; a caller that waits for its
/// work would wait forever.
package enum WorkThread {
    /// Starts a thread that ends when its work is done.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show. Linux keeps the first 15 bytes.
    ///   - stackSize: The size of the stack in bytes.
    /// - Throws: ``SystemFailure`` if the system cannot start a thread.
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

    /// The name and the work of a new thread.
    private final class Start: Sendable {
        let name: String
        let work: @Sendable () -> Void

        init(name: String, work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
    }
}

/// A failed request to the system, and its error number.
package struct SystemFailure: Error, Equatable, CustomStringConvertible {
    /// The kind of resource that was requested.
    package enum Request: Sendable { case thread, process, descriptor }

    /// The error number, a value of `errno`.
    package let code: Int32
    package let request: Request

    package init(code: Int32, of request: Request) {
        // EINVAL means that the number of the new descriptor would exceed the limit (fcntl(2)).
        self.code = code == EINVAL && request == .descriptor ? EMFILE : code
        self.request = request
    }

    /// The system's reason or, if a limit was reached, what to do about it.
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
