import DocumentModel
import MigrationCore

/// An event that an ``Inspector`` handles.
public enum InspectorEvent: Sendable {
    /// The user did something.
    case input(InspectorInput)
    /// More documents were found. They follow the ones already in the list.
    case found([FoundDocument])
    /// All documents have been found.
    case finishedFinding(leftOut: [LeftOut])
    /// The documents were looked for again. Carries the new documents, the order of all documents, and how many
    /// earlier ones are gone. `isAsked` is true if ``InspectorEffect/lookAgain`` asked for this.
    case foundAgain([FoundDocument], order: [FoundDocument.ID], gone: Int, isAsked: Bool)
    /// The committed states of a document, newest first, as ``InspectorEffect/findHistory(_:)`` asked for, or a
    /// problem if there are none. The states were announced by ``InspectorEvent/found(_:)`` before.
    case foundHistory(FoundDocument.ID, [StateInTime], problem: String?)
    /// The content of a document, as ``InspectorEffect/read(_:)`` asked for; nil if it cannot be read.
    case read(FoundDocument.ID, Document?)
    /// The content of a document in the newest version, as ``InspectorEffect/readMigrated(_:)`` asked for; nil if it
    /// does not migrate.
    case readMigrated(FoundDocument.ID, Document?)
    /// The states that last changed the values of one, as ``InspectorEffect/blame(_:)`` asked for.
    case blamed(BlamedValues)
    /// The history of a value, as ``InspectorEffect/follow(_:)`` asked for.
    case followed(FollowedValue)
    /// The order that ``InspectorEffect/order(_:by:)`` asked for, and the values that it rests on. If no document has
    /// such a value, there are none and the order is unchanged.
    case ordered([FoundDocument.ID], by: OrderKey, values: [FoundDocument.ID: String])
    /// The fields of documents by observed version, as ``InspectorEffect/observeFields(_:)`` asked for.
    case observedFields([ObservedGroup])
    /// Documents were checked, in any order.
    case checked([CheckedDocument])
    /// How far the trace of a document has come and, if it takes long, what is known so far: a trace whose failure
    /// marks where the work is.
    case running(FoundDocument.ID, RunProgress, known: MigrationTrace? = nil)
    /// The trace that ``InspectorEffect/trace(_:)`` asked for.
    case traced(FoundDocument.ID, MigrationTrace)
    /// The trace up to the step that ``InspectorEffect/runStep(_:of:to:supposing:)`` asked for, and the hash of the
    /// step's result; nil if the step could not be run.
    case ranStep(BackgroundJob.ID, MigrationTrace?, hash: UInt64?)
    /// The number of experiments that ``InspectorEffect/prove(_:_:among:)`` has made so far.
    case experimenting(FoundDocument.ID, runs: Int)
    /// The smallest document that ``InspectorEffect/shrink(_:_:)`` found, and the number of runs it took; nil if
    /// there is none because each run fails in a different way or the migration must not be repeated.
    case shrunk(FoundDocument.ID, Document?, runs: Int)
    /// The copy that ``InspectorEffect/redact(_:_:)`` asked for, or why there is none.
    case redacted(FoundDocument.ID, Result<Redaction, RedactionProblem>)
    /// The trace with the findings of experiments; nil if they found nothing.
    case experimented(FoundDocument.ID, MigrationTrace?)
    /// A chain and the fields of its versions, oldest first; nil for a version whose fields could not be determined.
    case outlined(ChainDescription, [VersionOutline?])
    /// The program's chains, as ``InspectorEffect/findChains`` asked for.
    case foundChains([ChainDescription])
    /// The possible completions of a name, as ``InspectorEffect/complete(_:)`` asked for: the typed text, and all
    /// names that it can be completed to.
    case completed(String, [String])
    /// The file or folder that ``InspectorEffect/open(_:)`` asked for cannot be opened, for this reason.
    case notOpened(String, because: String)
    /// The text that ``InspectorEffect/readSource(_:)`` asked for; nil if it cannot be read.
    case sourceRead(FoundDocument.ID, SourceBytes?)
    /// Another program has changed the document.
    case changed(FoundDocument.ID)
    /// The document is no longer the one that the changes were made for.
    case notEdited(FoundDocument.ID)
    /// There is a new build of the running program.
    case rebuilt
    /// A text was sent to the terminal's clipboard.
    case copied(String)
    /// The user has left the editor. The note is shown to the user, if there is one.
    case edited(FoundDocument.ID, note: String?)
    /// The outcome of an ``InspectorEffect/write(_:)``.
    case written(Writing, Writing.Outcome)
    /// A ``BackgroundJob`` is done.
    case finished(JobResult)
    /// Time has passed. Send this a few times a second while ``Inspector/wantsTicks`` is true.
    case tick
    /// One line to show the user.
    case notice(String)
}

/// A request from an ``Inspector`` to the program around it.
public enum InspectorEffect: Sendable {
    /// Trace this document under a supposition, and answer with ``InspectorEvent/traced(_:_:)``. Any earlier trace
    /// that is still running is no longer wanted.
    case trace(FoundDocument.ID, supposing: Supposition)
    /// Run the step of this document to this version again, and answer with ``InspectorEvent/ranStep(_:_:hash:)``.
    /// ``cancel(_:)`` ends it.
    case runStep(BackgroundJob.ID, of: FoundDocument.ID, to: DocumentVersion, supposing: Supposition)
    /// Make experiments with this document, using values of the others. Find out which value causes its failure, what
    /// the values of its steps depend on, and what is lost, and answer with ``InspectorEvent/experimented(_:_:)``. A
    /// request for another trace ends the experiments.
    case prove(FoundDocument.ID, MigrationTrace, among: [FoundDocument.ID])
    /// Look for the smallest document that fails the same way as this one, report progress with
    /// ``InspectorEvent/experimenting(_:runs:)``, and answer with ``InspectorEvent/shrunk(_:_:runs:)``. A request for
    /// another trace ends the search.
    case shrink(FoundDocument.ID, MigrationTrace)
    /// Replace the values of this document by others of their form, and answer with ``InspectorEvent/redacted(_:_:)``. A
    /// request for another trace ends the work.
    case redact(FoundDocument.ID, MigrationTrace)
    /// Find the fields of this chain's versions, and answer with ``InspectorEvent/outlined(_:_:)``.
    case outline(chain: String)
    /// Find the fields of these documents, and answer with ``InspectorEvent/observedFields(_:)``.
    case observeFields([ObservedGroup])
    /// Find all chains, and answer with ``InspectorEvent/foundChains(_:)``.
    case findChains
    /// Look for the committed states of this document. Announce them as documents that follow the existing ones, and
    /// answer with ``InspectorEvent/foundHistory(_:_:problem:)``.
    case findHistory(FoundDocument.ID)
    /// Read the content of a document, and answer with ``InspectorEvent/read(_:_:)``.
    case read(FoundDocument.ID)
    /// Migrate a document, and answer with ``InspectorEvent/readMigrated(_:_:)``.
    case readMigrated(FoundDocument.ID)
    /// Find the states that last changed the values of one, and answer with ``InspectorEvent/blamed(_:)``.
    case blame(FollowRequest)
    /// Follow a value through the states of a timeline, and answer with ``InspectorEvent/followed(_:)``.
    case follow(FollowRequest)
    /// Order documents by a value of each, and answer with ``InspectorEvent/ordered(_:by:values:)``.
    case order([FoundDocument.ID], by: OrderKey)
    /// The results of ``follow(_:)``, ``blame(_:)`` and ``order(_:by:)`` are no longer wanted.
    case stopReading
    /// Look for documents again, check all of them, and answer with
    /// ``InspectorEvent/foundAgain(_:order:gone:isAsked:)``.
    case lookAgain
    /// The trace of this document is no longer wanted.
    case cancelTrace(FoundDocument.ID)
    /// Terminate the app code that is working on this document, and answer with a trace that has timed out.
    case stopTrace(FoundDocument.ID)
    /// Read the bytes of a document that did not parse, and answer with ``InspectorEvent/sourceRead(_:_:)``.
    case readSource(FoundDocument.ID)
    /// Write a file and answer with ``InspectorEvent/written(_:_:)``.
    case write(Writing)
    /// Send this text to the terminal's clipboard.
    case copy(String)
    /// Send the story of the migration, some of whose documents may have been dropped, to the terminal's clipboard,
    /// and answer with ``InspectorEvent/copied(_:)``.
    case copyStory(FoundDocument.ID, MigrationTrace, supposing: Supposition)
    /// Open this document in the user's editor at a location, and answer with ``InspectorEvent/edited(_:note:)``.
    case edit(FoundDocument.ID, at: SourceLocation?)
    /// Ask the terminal to report mouse events, or leave the mouse to the terminal.
    case takeMouse(Bool)
    /// Run the job on another thread, and handle its event.
    case perform(BackgroundJob)
    /// The result of this job is no longer wanted.
    case cancel(BackgroundJob.ID)
    /// Redraw the whole screen because something else wrote to it.
    case redraw
    /// Suspend the program, as the shell's job control does.
    case suspend
    /// Find the files and folders that an incomplete name can stand for, and answer with
    /// ``InspectorEvent/completed(_:_:)``.
    case complete(String)
    /// Open another file or folder in place of the current one, keeping ``Inspector/carried``. If it cannot be
    /// opened, answer with ``InspectorEvent/notOpened(_:because:)``.
    case open(String)
    /// Start the new build of the program with this view.
    case restart(InspectedView)
    /// The user wants to quit.
    case quit
}
