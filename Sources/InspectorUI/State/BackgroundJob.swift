/// Work that may take longer than a key may: done on another thread, with nothing but the values it was made from.
public struct BackgroundJob: Sendable, Identifiable {
    /// Tells a result that is still wanted from one that comes too late.
    public struct ID: Hashable, Sendable {
        let serial: Int
    }

    /// What the result is for. Of several jobs with one purpose, the result of the latest is wanted.
    enum Purpose: Sendable {
        case filter, step, source, search, hashes
    }

    public let id: ID
    /// nil when cancelled.
    let work: @Sendable (_ isCancelled: () -> Bool) -> JobResult?

    /// Does the work.
    ///
    /// - Parameter isCancelled: Asked now and then; when it says true the job ends early.
    /// - Returns: The event to hand to the ``Inspector``; nil when the job was cancelled.
    public func run(isCancelled: () -> Bool) -> InspectorEvent? {
        isCancelled() ? nil : work(isCancelled).map { .finished($0) }
    }
}

/// What a ``BackgroundJob`` found out.
public struct JobResult: Sendable {
    /// Hands the result to the inspector, which takes it if it is still wanted.
    let deliver: @Sendable (inout Inspector) -> Void
}
