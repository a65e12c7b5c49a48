import DocumentModel
import MigrationCore

/// Everything that can happen to an ``Inspector``. Documents are named by their place in the order in which they were
/// found.
public enum InspectorEvent: Sendable {
    /// A person did something.
    case input(InspectorInput)
    /// More documents were found; they follow those that are there.
    case found([FoundDocument])
    /// There are no more documents.
    case finishedFinding(leftOut: [LeftOut])
    /// Documents were checked, in whatever order.
    case checked([CheckedDocument])
    /// How far the trace of a document is, from 0 to 1.
    case traceProgress(index: Int, fraction: Double)
    /// The trace that ``InspectorEffect/trace(index:)`` asked for.
    case traced(index: Int, MigrationTrace)
    /// The text that ``InspectorEffect/readSource(index:)`` asked for; nil when it cannot be read.
    case sourceRead(index: Int, SourceBytes?)
    /// A ``BackgroundJob`` is done.
    case finished(JobResult)
    /// Time has passed. Wanted a few times a second while ``Inspector/wantsTicks`` is true.
    case tick
    /// One line to tell the user.
    case notice(String)
}
