import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// How the documents of one run of the program are opened: where the app's code runs, with which chain, to which
/// version.
struct Opener: Sendable {
    /// Where the app's code runs.
    let host: WorkerHost
    /// The chain to open every document with; nil to recognize it.
    var chain: String?
    /// The version to stop at; nil for the newest.
    var target: DocumentVersion?
    /// Whether a file that holds a trace opens as that trace; else it is a document like any other.
    var opensTraces = false
    /// How many documents are opened at the same time, where there are many.
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// The request for something of a document.
    ///
    /// - Parameter bytes: What the document is, where it cannot be read again or is at hand.
    func request(
        _ wanted: WorkerRequest.Wanted, of document: DocumentReference, bytes: SourceBytes? = nil
    ) -> WorkerRequest {
        WorkerRequest(
            document, bytes: bytes, wanted: wanted, chain: chain, target: target, opensTraces: opensTraces)
    }

    /// The whole trace of a document; nil when it was cancelled.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked now and then.
    ///   - isStopped: Takes the place of the time limit, where there is one: when it returns true, the document has
    ///     timed out.
    ///   - progress: Told now and then how far the work on the request is.
    /// - Throws: ``WorkerError``.
    func trace(
        _ document: DocumentReference, isCancelled: () -> Bool = { false }, isStopped: (() -> Bool)? = nil,
        progress: ((WorkerProgress, WorkerRequest) -> Void)? = nil
    ) throws(WorkerError) -> MigrationTrace? {
        // What can be read only once is read here.
        let bytes = document.isReadOnce ? try? document.read(isCancelled: isCancelled) : nil
        if isCancelled() { return nil }
        var request = request(.trace, of: document, bytes: bytes)
        request.tellsSteps = true
        let reply = try host.reply(
            to: request, isCancelled: isCancelled, isStopped: isStopped,
            progress: progress.map { [request] progress in { progress($0, request) } })
        return if case .trace(let trace)? = reply { trace } else { nil }
    }

    /// Has many documents checked.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether results are delivered in the order of the documents.
    ///   - progress: Told now and then of a document that takes long; called on any thread.
    ///   - deliver: Given the number of each document, from 0, and what came of it; called by one thread at a time.
    ///   - pause: Called when all that came at once is delivered; on any thread.
    func checks(
        isOrdered: Bool = true, progress: @escaping @Sendable (DocumentReference, WorkerProgress) -> Void = { _, _ in },
        deliver: @escaping @Sendable (Int, DocumentReference, CheckResult) -> Void,
        pause: @escaping @Sendable () -> Void = {}
    ) -> DocumentRun<DocumentReference, (document: DocumentReference, result: CheckResult)> {
        DocumentRun(
            host: host, jobs: jobs, isOrdered: isOrdered,
            request: { [self] document in
                request(.outcome, of: document, bytes: document.isReadOnce ? try? document.read() : nil)
            },
            progress: progress,
            output: { document, reply in
                guard case .result(let result) = reply else { preconditionFailure("an outcome was asked for") }
                return (document, result)
            },
            deliver: { deliver($0, $1.document, $1.result) }, pause: pause)
    }
}
