import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// How the documents of one run of the program are opened: where the app's code runs, with which chain, and to which
/// version.
struct Opener: Sendable {
    /// The host that runs the app's code.
    let host: WorkerHost
    /// The chain to open every document with; nil to recognize it.
    var chain: String?
    /// The version to read documents as in that chain, regardless of the version they state; nil to detect it.
    var version: DocumentVersion?
    /// The version to stop at; nil for the newest.
    var target: DocumentVersion?
    /// Whether a file that contains a trace opens as that trace, instead of as an ordinary document.
    var opensTraces = false
    /// The edits to make in a document before it migrates.
    var edits: [DocumentEdit] = []
    /// Whether failing migrations are run again with changed values to find out why.
    var makesExperiments = true
    /// The path of the version in documents of no chain; nil to look for it.
    var versionKey: DocumentPath?
    /// The maximum number of documents to open at the same time.
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    /// Returns the request for a document.
    ///
    /// - Parameter bytes: The bytes of the document, if they are already in memory or cannot be read again.
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
        request.versionKey = versionKey
        return request
    }

    /// Checks that the document can be edited as requested. Values to set that don't exist are added.
    ///
    /// - Throws: ``WorkerError``; ``UsageError`` if an edit isn't possible.
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

    /// Returns the whole trace of a document; nil if it was cancelled, or the document cannot be edited as requested.
    ///
    /// - Parameters:
    ///   - isCancelled: Called now and then. If it returns true, the work ends.
    ///   - isStopped: Replaces the time limit, if given. If it returns true, the document has timed out.
    ///   - progress: Called now and then with the progress of the request.
    /// - Throws: ``WorkerError``.
    func trace(
        _ document: DocumentReference, isCancelled: () -> Bool = { false }, isStopped: (() -> Bool)? = nil,
        progress: ((WorkerProgress, WorkerRequest) -> Void)? = nil
    ) throws(WorkerError) -> MigrationTrace? {
        // Documents that can be read only once are read here.
        let bytes = document.isReadOnce ? try? document.read(isCancelled: isCancelled) : nil
        if isCancelled() { return nil }
        var request = request(for: document, bytes: bytes)
        request.sendsSteps = true
        let reply = try host.reply(
            to: request, wanting: .trace, isCancelled: isCancelled, isStopped: isStopped,
            progress: progress.map { [request] progress in { progress($0, request) } })
        guard var trace = reply?.answer else { return nil }
        if trace.outcome == .migrated {
            trace.warnings += hiddenField(inNewestOf: trace.chain, besides: trace.warnings)
        }
        return trace
    }

    /// Returns a warning if the newest type of a chain has a field where the version is written, unless it is known.
    private func hiddenField(inNewestOf chain: String?, besides known: [Reason]) -> [Reason] {
        guard target == nil, let chain, let warning = try? host.warningOfHiddenField(inNewestOf: chain),
            !known.contains(warning)
        else { return [] }
        return [warning]
    }

    /// Migrates a document to a version, and returns a trace with the last step only; nil if it was cancelled.
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

    /// Makes experiments with a traced document: searches for the value that causes its failure, for the values that
    /// its steps' results depend on, and for the values that its steps lose. Returns nil if nothing is found or the
    /// work was cancelled.
    ///
    /// - Parameters:
    ///   - lenders: Other documents of the chain, whose values are tried.
    ///   - isCancelled: Called now and then. If it returns true, the work ends.
    ///   - progress: Called with the number of runs so far.
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

    /// Finds out by experiment which values the results of the steps depend on, and which values the steps lose.
    /// Returns nil if no experiments are made or the work was cancelled.
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

    /// Returns the trace with the outcome of opening its result again.
    ///
    /// - Throws: ``WorkerError``.
    func reopening(_ trace: MigrationTrace, of document: DocumentReference) throws(WorkerError) -> MigrationTrace {
        var reopened = trace
        reopened.reopens = try host.reopening(trace, of: request(forExperimentsWith: trace, of: document))
        return reopened
    }

    /// Returns the smallest document that fails in the same way as a traced document, and the number of runs it took to
    /// find it; nil if the migration may not be repeated, or fails in a different way each time.
    ///
    /// - Parameters:
    ///   - isCancelled: Called now and then. If it returns true, the work ends.
    ///   - progress: Called with each smaller document and the number of runs so far.
    /// - Throws: ``WorkerError``; ``SourceError`` if the document can no longer be read.
    func shrinking(
        _ trace: MigrationTrace, of document: DocumentReference, isCancelled: @escaping () -> Bool = { false },
        progress: (Document, Int) -> Void = { _, _ in }
    ) throws -> (document: Document, runs: Int)? {
        try host.shrinking(
            trace, of: request(forExperimentsWith: trace, of: document), isCancelled: isCancelled, progress: progress)
    }

    /// Returns a copy of a traced document with other values, which ends in the same way, and the opener for the copy.
    ///
    /// - Parameters:
    ///   - redactsNames: Whether to replace the names of members too.
    ///   - isCancelled: Called now and then. If it returns true, the work ends.
    ///   - progress: Called with the number of runs so far.
    /// - Throws: ``RedactionProblem``; ``WorkerError``; an error if the work was cancelled, or the document cannot be
    ///   written in its format.
    func redacting(
        _ trace: MigrationTrace, of document: DocumentReference, redactsNames: Bool,
        isCancelled: @escaping () -> Bool = { false }, progress: (Int) -> Void = { _ in }
    ) throws -> (redaction: Redaction, opener: Opener) {
        guard let original = trace.document else { throw RedactionProblem.noDocument }
        var opener = self
        opener.edits = []
        // What the document shares with others, such as the chain of a column, is not known of a document by itself.
        if document.series != nil { opener.chain = trace.chain }
        let bytes = SourceBytes(try original.textAsRead ?? original.data(like: original))
        let name = FilePath(Redaction.name(of: original.format))
        let redaction = try host.redacting(
            trace, of: opener.request(for: .held(bytes, as: name)), redactsNames: redactsNames,
            isCancelled: isCancelled, progress: progress)
        return (redaction, opener)
    }

    /// Returns the request for running a traced document again, including its edits.
    private func request(forExperimentsWith trace: MigrationTrace, of document: DocumentReference) -> WorkerRequest {
        var request = request(for: document)
        if !edits.isEmpty, let changed = trace.document?.source, trace.document?.encoding == .utf8 {
            request.bytes = changed
            request.edits = []
        }
        return request
    }

    /// Starts checking many documents.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether results are delivered in the order of the documents.
    ///   - findsLosses: Whether to find out by experiment what the steps lose.
    ///   - isTimed: Whether to measure how long each document takes.
    ///   - progress: Called now and then for a document that takes long, on any thread.
    ///   - deliver: Called with the number of each document, from 0, and its result, by one thread at a time.
    ///   - pause: Called after each batch of results that arrived together, on any thread.
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
                if result.outcome == .migrated {
                    result.warnings += hiddenField(inNewestOf: result.chain, besides: result.warnings)
                }
                if findsLosses, result.isPassed {
                    examine(&result, document)
                } else if result.mayNotReopen {
                    reopen(&result, document)
                }
                return (document, result)
            },
            deliver: { deliver($0, $1.document, $1.result) }, pause: pause)
    }
}

extension Opener {
    /// Finds out what a document that opens has lost on the way, and what it loses when it's saved.
    func examine(_ result: inout CheckResult, _ document: DocumentReference) {
        var because = StepFinding.Left.Reason.off
        // A document that has migrated once does so again, unless it has been removed; then its losses are unknown.
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

    /// Migrates a document once more and opens what was made, unless the migration must not be repeated.
    private func reopen(_ result: inout CheckResult, _ document: DocumentReference) {
        var known = MigrationTrace(source: document.name)
        known.chain = result.chain
        guard !document.isReadOnce, (try? host.mayExperiment(with: known)) == true, let trace = try? trace(document)
        else { return }
        result.reopens = try? reopening(trace, of: document).reopens
    }

    /// Returns what is known of a document's losses. If the migration must not be repeated, they are not known.
    func examined(_ trace: MigrationTrace) -> CheckResult {
        var result = CheckResult(trace)
        if result.examined == nil, trace.outcome == .migrated, makesExperiments, !host.isInProcess,
            (try? host.mayExperiment(with: trace)) == false
        {
            result.examined = Examination(notExamined: .notRepeatable)
        }
        return result
    }
}

extension CheckResult {
    /// Whether the newest type has a field of its own where the version is written, so that the result may not open
    /// again.
    fileprivate var mayNotReopen: Bool {
        isPassed
            && warnings.contains { if case .field(_, .hiddenField) = $0 { true } else { false } }
    }
}

extension WorkerReply<CheckResult> {
    /// Returns the result for a document. If the document cannot be edited as requested, because it has changed, it's
    /// unreadable.
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
