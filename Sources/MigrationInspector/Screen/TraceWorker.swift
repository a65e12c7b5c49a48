import CursesTerminal
import DocumentModel
import DocumentSources
import InspectorUI
import MigrationWorker

/// Traces the one document that is on the screen, on a thread of its own. A new request ends the one before it.
final class TraceWorker: Sendable {
    private let opener: Opener
    private let mailbox: EventMailbox
    /// Counts the requests; work for an earlier one is cancelled.
    private let request = Locked(0)

    init(opener: Opener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Traces a document and posts the trace, and how far it is on the way.
    func trace(_ reference: DocumentReference, of document: FoundDocument.ID) {
        let number = request.withLock { request in
            request += 1
            return request
        }
        GuardedThread.start(name: "trace") { [self] in
            let isCancelled = { [self] in request.withLock { $0 != number } }
            do throws(WorkerError) {
                let trace = try opener.trace(
                    reference, isCancelled: isCancelled,
                    progress: { [self] in mailbox.post(.traceProgress(document, fraction: $0)) })
                if let trace, !isCancelled() { mailbox.post(.traced(document, trace)) }
            } catch {
                mailbox.post(.notice("\(error)"))
            }
        }
    }

    /// Reads a document's bytes and posts them.
    func readSource(_ reference: DocumentReference, of document: FoundDocument.ID) {
        GuardedThread.start(name: "read") { [self] in
            mailbox.post(.sourceRead(document, try? reference.read()))
        }
    }

    /// Ends the work on the latest request.
    func cancel() { request.withLock { $0 += 1 } }
}
