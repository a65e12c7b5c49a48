import DocumentModel
import MigrationCore
import MigrationWorker

/// Everything that can happen to an ``Inspector``.
public enum InspectorEvent: Sendable {
    /// A person did something.
    case input(InspectorInput)
    /// More documents were found; they follow those that are there.
    case found([FoundDocument])
    /// There are no more documents.
    case finishedFinding(leftOut: [LeftOut])
    /// It was looked for documents again: those that are new, the order that all of them are in now, and how many are
    /// gone that were there before. `isAsked` tells whether that was asked for with ``InspectorEffect/lookAgain``.
    case foundAgain([FoundDocument], order: [FoundDocument.ID], gone: Int, isAsked: Bool)
    /// The committed states of a document that ``InspectorEffect/findHistory(_:)`` asked for were found, newest first, or
    /// why there are none; they were told of with ``InspectorEvent/found(_:)`` before.
    case foundHistory(FoundDocument.ID, [StateInTime], problem: String?)
    /// What a document holds that ``InspectorEffect/read(_:)`` asked for; nil where it cannot be read.
    case read(FoundDocument.ID, Document?)
    /// Where the value changes that ``InspectorEffect/follow(_:in:)`` asked for.
    case followed(FollowedValue)
    /// The order that ``InspectorEffect/order(_:by:)`` asked for; as they were where no document has a value there.
    case ordered([FoundDocument.ID], by: DocumentPath, isKnown: Bool)
    /// Documents were checked, in whatever order.
    case checked([CheckedDocument])
    /// How far the trace of a document is and, once it takes long, what is known up to there: a trace that fails where
    /// the work is.
    case running(FoundDocument.ID, WorkerProgress, known: MigrationTrace? = nil)
    /// The trace that ``InspectorEffect/trace(_:)`` asked for.
    case traced(FoundDocument.ID, MigrationTrace)
    /// The step that ``InspectorEffect/runStep(_:of:to:edits:)`` asked for, the last of the trace, and the hash of what
    /// it made; nil where it could not be run.
    case ranStep(BackgroundJob.ID, MigrationTrace?, hash: UInt64?)
    /// How many experiments ``InspectorEffect/prove(_:_:among:)`` has made so far.
    case experimenting(FoundDocument.ID, runs: Int)
    /// The smallest document that ``InspectorEffect/shrink(_:_:)`` found, and after how many runs; nil where there is
    /// none, since each run fails in another way or may not be repeated.
    case shrunk(FoundDocument.ID, Document?, runs: Int)
    /// The trace with what experiments show; nil where they show nothing.
    case experimented(FoundDocument.ID, MigrationTrace?)
    /// A chain, and the fields of its versions, oldest first; nil where they could not be found out.
    case outlined(ChainDescription, [VersionOutline?])
    /// The chains of the program that ``InspectorEffect/findChains`` asked for.
    case foundChains([ChainDescription])
    /// The names that ``InspectorEffect/complete(_:)`` asked for: what was typed, completed in each way that there is.
    case completed(String, [String])
    /// Why what ``InspectorEffect/open(_:)`` asked for cannot be opened.
    case notOpened(String, because: String)
    /// The text that ``InspectorEffect/readSource(_:)`` asked for; nil when it cannot be read.
    case sourceRead(FoundDocument.ID, SourceBytes?)
    /// Another program has changed the document.
    case changed(FoundDocument.ID)
    /// The document is not any more what the changes were made for.
    case notEdited(FoundDocument.ID)
    /// The program that runs was built anew.
    case rebuilt
    /// A text was handed to the terminal's clipboard.
    case copied(String)
    /// The user has left the editor; what there is to say of it.
    case edited(FoundDocument.ID, note: String?)
    /// What came of an ``InspectorEffect/write(_:)``.
    case written(Writing, Writing.Outcome)
    /// A ``BackgroundJob`` is done.
    case finished(JobResult)
    /// Time has passed. Wanted a few times a second while ``Inspector/wantsTicks`` is true.
    case tick
    /// One line to tell the user.
    case notice(String)
}

/// What an ``Inspector`` asks of the program around it.
public enum InspectorEffect: Sendable {
    /// Trace this document as a person supposes it to be, and answer with ``InspectorEvent/traced(_:_:)``. Any
    /// earlier trace that is not done is no longer wanted.
    case trace(FoundDocument.ID, supposing: Supposition)
    /// Run the step of this document to this version again, and answer with
    /// ``InspectorEvent/ranStep(_:_:hash:)``; ``cancel(_:)`` ends it.
    case runStep(BackgroundJob.ID, of: FoundDocument.ID, to: DocumentVersion, supposing: Supposition)
    /// Make experiments with this document, with values of the others: look for what is behind its failure, for what
    /// the values of its steps depend on, and for what they lose; and answer with
    /// ``InspectorEvent/experimented(_:_:)``. Another trace that is asked for ends it.
    case prove(FoundDocument.ID, MigrationTrace, among: [FoundDocument.ID])
    /// Look for the smallest document that fails as this one does, tell with
    /// ``InspectorEvent/experimenting(_:runs:)`` how far that is, and answer with
    /// ``InspectorEvent/shrunk(_:_:runs:)``. Another trace that is asked for ends it.
    case shrink(FoundDocument.ID, MigrationTrace)
    /// Find out the fields of the versions of this chain, and answer with ``InspectorEvent/outlined(_:_:)``.
    case outline(chain: String)
    /// Find out which chains there are, and answer with ``InspectorEvent/foundChains(_:)``.
    case findChains
    /// Look for the committed states of this document, which follow the documents that are there, and answer with
    /// ``InspectorEvent/foundHistory(_:_:problem:)``.
    case findHistory(FoundDocument.ID)
    /// Read what a document holds, and answer with ``InspectorEvent/read(_:_:)``.
    case read(FoundDocument.ID)
    /// Follow the value at a path through documents in their order, and answer with ``InspectorEvent/followed(_:)``.
    case follow(DocumentPath, in: [StateInTime])
    /// Find the order of documents by the values at a path, and answer with
    /// ``InspectorEvent/ordered(_:by:isKnown:)``.
    case order([FoundDocument.ID], by: DocumentPath)
    /// Nobody waits any more for what ``follow(_:in:)`` and ``order(_:by:)`` asked for.
    case stopReading
    /// Look for documents again, check all of them, and answer with
    /// ``InspectorEvent/foundAgain(_:order:gone:isAsked:)``.
    case lookAgain
    /// The trace of this document is no longer wanted.
    case cancelTrace(FoundDocument.ID)
    /// End the app's code that is at work on this document, and answer with a trace in which it has timed out.
    case stopTrace(FoundDocument.ID)
    /// Read this document's bytes, for a document that did not parse, and answer with
    /// ``InspectorEvent/sourceRead(_:_:)``.
    case readSource(FoundDocument.ID)
    /// Write a file and answer with ``InspectorEvent/written(_:_:)``.
    case write(Writing)
    /// Hand this text to the terminal's clipboard.
    case copy(String)
    /// Hand the story of the migration, whose documents may not all be there, to the terminal's clipboard, and answer
    /// with ``InspectorEvent/copied(_:)``.
    case copyStory(FoundDocument.ID, MigrationTrace, supposing: Supposition)
    /// Open this document in the user's editor, at a place in it, and answer with ``InspectorEvent/edited(_:note:)``.
    case edit(FoundDocument.ID, at: SourceLocation?)
    /// Ask the terminal to tell of the mouse, or leave that to the terminal.
    case takeMouse(Bool)
    /// Run the job on another thread and hand back its event.
    case perform(BackgroundJob)
    /// The result of this job is no longer wanted.
    case cancel(BackgroundJob.ID)
    /// Redraw the whole screen: something else wrote on it.
    case redraw
    /// Stop the program as the shell's job control does.
    case suspend
    /// Look which files and folders the end of a name may mean, and answer with ``InspectorEvent/completed(_:_:)``.
    case complete(String)
    /// Open another file or folder in place of what is open, as ``Inspector/carried`` says. Where there is nothing to
    /// open, answer with ``InspectorEvent/notOpened(_:because:)``.
    case open(String)
    /// Start the new build of the program, and show this there.
    case restart(InspectedView)
    /// The user has seen enough.
    case quit
}
