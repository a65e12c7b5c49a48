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
    /// The version that documents are taken to be of in that chain, whatever they say; nil to find it out.
    var version: DocumentVersion?
    /// The version to stop at; nil for the newest.
    var target: DocumentVersion?
    /// Whether a file that holds a trace opens as that trace; else it is a document like any other.
    var opensTraces = false
    /// What is changed in a document before it migrates.
    var edits: [DocumentEdit] = []
    /// Whether migrations that fail run again with values changed, to find out why.
    var makesExperiments = true
    /// How many documents are opened at the same time, where there are many.
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// The request for a document.
    ///
    /// - Parameter bytes: What the document is, where it cannot be read again or is at hand.
    func request(for document: DocumentReference, bytes: SourceBytes? = nil) -> WorkerRequest {
        var (document, bytes) = (document, bytes)
        if bytes == nil, document.isReadHere {
            do throws(SourceError) { bytes = try document.read() } catch {
                document = document.failing(because: error.reason)
            }
        }
        var request = WorkerRequest(
            document, bytes: bytes, edits: edits, chain: chain, target: target, opensTraces: opensTraces)
        request.version = version
        return request
    }

    /// Makes sure that the document can be changed as asked; what is to be set and is not there is added.
    ///
    /// - Throws: ``WorkerError``; ``UsageError`` for a change that is not possible.
    mutating func resolveEdits(_ given: GivenName) throws {
        let document = given.document
        guard !edits.isEmpty, !document.isReadOnce else { return }
        for _ in 0...edits.count {
            guard case .failure(let error)? = try host.reply(to: request(for: document), wanting: .document) else {
                return
            }
            let index = edits.firstIndex {
                if case .set(let path, _) = $0 { path == error.path } else { false }
            }
            guard error.problem == .missing, let index, case .set(let path, let value) = edits[index] else {
                throw UsageError.notEdited(error, in: given.path)
            }
            edits[index] = .add(path, value)
        }
    }

    /// The whole trace of a document; nil when it was cancelled, or cannot be changed as asked.
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
        var request = request(for: document, bytes: bytes)
        request.tellsSteps = true
        return try host.reply(
            to: request, wanting: .trace, isCancelled: isCancelled, isStopped: isStopped,
            progress: progress.map { [request] progress in { progress($0, request) } })?.answer
    }

    /// Takes the steps to a version of a document: a trace with the last of them; nil when it was cancelled.
    ///
    /// - Throws: ``WorkerError``.
    func step(
        _ document: DocumentReference, to version: DocumentVersion, isCancelled: () -> Bool
    ) throws(WorkerError) -> MigrationTrace? {
        let bytes = document.isReadOnce ? try? document.read(isCancelled: isCancelled) : nil
        if isCancelled() { return nil }
        var request = request(for: document, bytes: bytes)
        request.target = version
        return try host.reply(to: request, wanting: .step, isCancelled: isCancelled)?.answer
    }

    /// Makes experiments with a document that was traced: looks for the value behind its failure, for what the values
    /// depend on that its steps made, and for what they forgot; nil where nothing is found, or the work was cancelled.
    ///
    /// - Parameters:
    ///   - lenders: Other documents of the chain, which lend their values.
    ///   - isCancelled: Asked now and then.
    ///   - progress: Told how many runs there were.
    /// - Throws: ``WorkerError``.
    func experimenting(
        with trace: MigrationTrace, of document: DocumentReference, lenders: [Document] = [],
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        guard makesExperiments else { return nil }
        let request = request(forExperimentsWith: trace, of: document)
        var count = 0
        let proved = try host.proving(trace, of: request, lenders: lenders, isCancelled: isCancelled) {
            count = $0
            progress(count)
        }
        let examined = try examining(
            proved ?? trace, of: document, lenders: lenders, isCancelled: isCancelled,
            progress: { progress(count + $0) })
        return examined ?? proved
    }

    /// Finds out by experiment what the values depend on that the steps made, and what they forgot; nil where nothing
    /// is looked for, or the work was cancelled.
    ///
    /// - Throws: ``WorkerError``.
    func examining(
        _ trace: MigrationTrace, of document: DocumentReference, lenders: [Document] = [], findsOrigins: Bool = true,
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }
    ) throws(WorkerError) -> MigrationTrace? {
        guard makesExperiments else { return nil }
        return try host.examining(
            trace, of: request(forExperimentsWith: trace, of: document), lenders: lenders, findsOrigins: findsOrigins,
            isCancelled: isCancelled, progress: progress)
    }

    /// The trace of a document with what comes of opening its result again.
    ///
    /// - Throws: ``WorkerError``.
    func reopening(_ trace: MigrationTrace, of document: DocumentReference) throws(WorkerError) -> MigrationTrace {
        var reopened = trace
        reopened.reopens = try host.reopening(trace, of: request(forExperimentsWith: trace, of: document))
        return reopened
    }

    /// The smallest document that fails as a document that was traced, and how many runs that took; nil where it fails in
    /// another way each time.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked now and then.
    ///   - progress: Told of each smaller document, and how many runs there were.
    /// - Throws: ``WorkerError``; ``SourceError`` where the document cannot be read any more.
    func shrinking(
        _ trace: MigrationTrace, of document: DocumentReference, isCancelled: @escaping () -> Bool = { false },
        progress: (Document, Int) -> Void = { _, _ in }
    ) throws -> (document: Document, runs: Int)? {
        try host.shrinking(
            trace, of: request(forExperimentsWith: trace, of: document), isCancelled: isCancelled, progress: progress)
    }

    /// The request for a run of a document that was traced: if it was changed, then as it is now.
    private func request(forExperimentsWith trace: MigrationTrace, of document: DocumentReference) -> WorkerRequest {
        var request = request(for: document)
        if !edits.isEmpty, let changed = trace.document?.source, trace.document?.encoding == .utf8 {
            request.bytes = changed
            request.edits = []
        }
        return request
    }

    /// Has many documents checked.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether results are delivered in the order of the documents.
    ///   - findsLosses: Whether it is looked for by experiment what steps lose.
    ///   - isTimed: Whether it is measured how long each document takes.
    ///   - progress: Told now and then of a document that takes long; called on any thread.
    ///   - deliver: Given the number of each document, from 0, and what came of it; called by one thread at a time.
    ///   - pause: Called when all that came at once is delivered; on any thread.
    func checks(
        isOrdered: Bool = true, findsLosses: Bool = false, isTimed: Bool = false,
        progress: @escaping @Sendable (DocumentReference, WorkerProgress) -> Void = { _, _ in },
        deliver: @escaping @Sendable (Int, DocumentReference, CheckResult) -> Void,
        pause: @escaping @Sendable () -> Void = {}
    ) -> DocumentChecks {
        DocumentChecks(isOrdered: isOrdered, deliver: deliver) { deliver in
            run(
                isOrdered: isOrdered, findsLosses: findsLosses, isTimed: isTimed, progress: progress, deliver: deliver,
                pause: pause)
        }
    }

    private func run(
        isOrdered: Bool, findsLosses: Bool, isTimed: Bool,
        progress: @escaping @Sendable (DocumentReference, WorkerProgress) -> Void,
        deliver: @escaping @Sendable (Int, DocumentReference, CheckResult) -> Void,
        pause: @escaping @Sendable () -> Void
    ) -> DocumentChecks.Run {
        DocumentRun(
            host: host, wanting: .outcome, jobs: jobs, isOrdered: isOrdered, byteCount: { $0.held?.count ?? 0 },
            request: { [self] document in
                var request = request(for: document)
                request.isTimed = isTimed
                return request
            },
            progress: progress,
            output: { [self] document, reply in
                var result = reply.outcome(of: document)
                result.revision = document.revision
                if findsLosses, result.isPassed { examine(&result, document) }
                return (document, result)
            },
            deliver: { deliver($0, $1.document, $1.result) }, pause: pause)
    }
}

extension Opener {
    /// Looks for what a document that opens lost on its way, and loses when it is saved.
    func examine(_ result: inout CheckResult, _ document: DocumentReference) {
        var because = StepFinding.Left.Reason.off
        // What has migrated once does so again, or has been taken away; then nothing is known of losses.
        if !document.isReadOnce, let trace = try? trace(document) {
            if let examined = try? examining(trace, of: document, findsOrigins: false) {
                let found = CheckResult(examined)
                (result.lost, result.narrowed, result.examined) = (found.lost, found.narrowed, found.examined)
                (result.dropped, result.leftOver, result.reopens) = (found.dropped, found.leftOver, found.reopens)
                result.folds = found.folds
                return
            }
            if (try? host.mayExperiment(with: trace)) == false { because = .notRepeatable }
        }
        result.examined = Examination(notExamined: because)
    }
}

extension WorkerReply<CheckResult> {
    /// What came of a document. One that cannot be changed as asked, since it is another than it was, is not opened.
    fileprivate func outcome(of document: DocumentReference) -> CheckResult {
        switch self {
        case .success(let result): result
        case .failure(let error):
            CheckResult(
                source: document.name, outcome: .unreadable,
                failure: MigrationFailure(.unreadable(problem: .other(because: .thrown(message: "\(error)")))))
        }
    }
}
