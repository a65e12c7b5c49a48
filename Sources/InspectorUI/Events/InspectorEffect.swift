/// What an ``Inspector`` asks of the program around it.
public enum InspectorEffect: Sendable {
    /// Trace this document and answer with ``InspectorEvent/traced(index:_:)``. Any earlier trace that is not done is
    /// no longer wanted.
    case trace(index: Int)
    /// Nobody looks at this document any more.
    case cancelTrace(index: Int)
    /// Read this document's bytes, for a document that did not parse, and answer with
    /// ``InspectorEvent/sourceRead(index:_:)``.
    case readSource(index: Int)
    /// Run the job on another thread and hand back its event.
    case perform(BackgroundJob)
    /// The result of this job is no longer wanted.
    case cancel(BackgroundJob.ID)
    /// Draw the whole screen anew: something else wrote on it.
    case redraw
    /// Stop the program as the shell's job control does.
    case suspend
    /// The user has seen enough.
    case quit
}
