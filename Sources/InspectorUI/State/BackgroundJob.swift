/// Work that may take too long to do while handling a key press. It runs on another thread and uses only the values
/// it was created with.
public struct BackgroundJob: Sendable, Identifiable {
    /// Distinguishes a result that is still wanted from one that arrives too late.
    public struct ID: Hashable, Sendable {
        let serial: Int
    }

    /// The purpose of the result. Only the latest job with a given purpose is wanted.
    enum Purpose: Sendable {
        case filter, step, source, search, hashes
    }

    public let id: ID
    /// Does the work; returns nil if cancelled.
    let work: @Sendable (_ isCancelled: () -> Bool) -> JobResult?

    /// Does the work.
    ///
    /// - Parameter isCancelled: Called now and then. If it returns true, the job ends early.
    /// - Returns: The event to pass to the ``Inspector``; nil if the job was cancelled.
    public func run(isCancelled: () -> Bool) -> InspectorEvent? {
        isCancelled() ? nil : work(isCancelled).map { .finished($0) }
    }
}

/// The result of a ``BackgroundJob``.
public struct JobResult: Sendable {
    /// Passes the result to the inspector, which ignores it if it is no longer wanted.
    let deliver: @Sendable (inout Inspector) -> Void
}
