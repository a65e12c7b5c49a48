import CursesTerminal
import DocumentModel
import DocumentSources
import InspectorUI
import MigrationCore
import MigrationWorker

/// Traces the document on the screen, on a separate thread. A new request cancels the previous one.
///
/// There is no time limit: users see the progress, and can stop it.
final class TraceWorker: Sendable {
    private struct Request {
        /// The number of the request. Work for a request with another number is cancelled.
        var number = 0
        /// The user's supposition about the document.
        var supposition = Supposition()
        var isStopped = false
        var progress: WorkerProgress?
        /// The place up to which another worker was asked for what is known.
        var asked: RunProgress.Activity?
    }

    private let opener: Opener
    private let mailbox: EventMailbox
    private let request = Locked(Request())
    /// The job that reruns a step.
    private let stepAgain = Locked<BackgroundJob.ID?>(nil)

    init(opener: Opener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Traces a document with the user's supposition. Posts the progress and then the trace.
    func trace(
        _ reference: DocumentReference, of document: FoundDocument.ID, supposing supposition: Supposition = .init()
    ) {
        let number = request.withLock { request in
            request = Request(number: request.number + 1, supposition: supposition)
            return request.number
        }
        let opener = opener.supposing(supposition)
        mailbox.start("trace") { [self, opener] in
            let isCancelled = { [self] in request.withLock { $0.number != number } }
            do throws(WorkerError) {
                let trace = try opener.trace(
                    reference, isCancelled: isCancelled, isStopped: { [self] in request.withLock { $0.isStopped } },
                    progress: { [self] in note($0, of: $1, number, document) })
                guard !isCancelled() else { return }
                if let trace {
                    mailbox.post(.traced(document, trace))
                } else {
                    // The file has changed since the edits were made.
                    mailbox.post(.notEdited(document))
                }
            } catch {
                mailbox.post(.notice("\(error)"))
            }
        }
    }

    /// Reruns a step that was traced before, and posts it.
    func runStep(
        _ job: BackgroundJob.ID, of reference: DocumentReference, to version: DocumentVersion,
        supposing supposition: Supposition
    ) {
        stepAgain.withLock { $0 = job }
        let opener = opener.supposing(supposition)
        mailbox.start("step") { [self, opener] in
            let trace = try? opener.step(
                reference, to: version, isCancelled: { [self] in stepAgain.withLock { $0 != job } })
            mailbox.post(.ranStep(job, trace, hash: trace?.steps.last?.after?.root.valueHash))
        }
    }

    /// Cancels the run of a step whose result is no longer needed.
    func cancelStep(_ job: BackgroundJob.ID) { stepAgain.withLock { if $0 == job { $0 = nil } } }

    /// Returns the trace with the documents of all steps.
    ///
    /// - Throws: ``WorkerError``; ``OtherMigration``.
    func completed(
        _ trace: MigrationTrace, _ reference: DocumentReference, supposing supposition: Supposition
    ) throws -> MigrationTrace {
        if trace.hasAllSnapshots { return trace }
        let opener = opener.supposing(supposition)
        guard var again = try opener.trace(reference), again.outcome == trace.outcome,
            again.steps.map(\.to) == trace.steps.map(\.to)
        else { throw OtherMigration() }
        for (index, step) in trace.steps.enumerated() where again.steps.indices.contains(index) {
            again.steps[index].finding = step.finding
            again.steps[index].notExamined = step.notExamined
        }
        (again.dropped, again.leftOver) = (trace.dropped, trace.leftOver)
        (again.writing, again.reopens) = (trace.writing, trace.reopens)
        (again.parts, again.furtherFailures) = (trace.parts, trace.furtherFailures)
        if let failure = trace.failure { again.replace(failure) }
        return again
    }

    /// Posts the progress and, once the work has been at one place for a second, what is known up to there.
    private func note(
        _ progress: WorkerProgress, of work: WorkerRequest, _ number: Int, _ document: FoundDocument.ID
    ) {
        let (isNews, asks) = request.withLock { request in
            guard request.number == number, request.progress != progress else { return (false, false) }
            let isNews = request.progress?.shown != progress.shown
            request.progress = progress
            let asks = progress.secondsHere >= 1 && progress.isInAppCode && request.asked != progress.activity
            if asks { request.asked = progress.activity }
            return (isNews, asks)
        }
        if isNews { mailbox.post(.running(document, progress.shown)) }
        guard asks else { return }
        mailbox.start("known") { [self] in
            let isCancelled = { [self] in request.withLock { $0.number != number } }
            let known = try? opener.host.knownTrace(of: work, at: progress, isCancelled: isCancelled)
            guard let known, known.document != nil else { return }
            let now = request.withLock { $0.number == number ? $0.progress : nil }
            if let now, now.activity == progress.activity { mailbox.post(.running(document, now.shown, known: known)) }
        }
    }

    /// Searches by experiment for the value that causes the failure of the last traced document, and posts the
    /// findings.
    ///
    /// - Parameter lenders: Other documents, whose values are tried.
    func prove(
        _ trace: MigrationTrace, _ reference: DocumentReference, of document: FoundDocument.ID,
        among lenders: [DocumentReference]
    ) {
        guard opener.makesExperiments else { return }
        let (number, supposition) = request.withLock { ($0.number, $0.supposition) }
        let opener = opener.supposing(supposition)
        mailbox.post(.experimenting(document, runs: 0))
        mailbox.start("prove") { [self, opener] in
            let isCancelled = { [self] in request.withLock { $0.number != number } }
            do throws(WorkerError) {
                let lent = Lenders(opener: opener, trace: trace).documents(among: lenders, isCancelled: isCancelled)
                var reported = ContinuousClock.now
                let examined = try opener.experimenting(
                    with: trace, of: reference, lenders: lent, isCancelled: isCancelled
                ) { count in
                    guard reported.duration(to: .now) > .milliseconds(100) else { return }
                    reported = .now
                    self.mailbox.post(.experimenting(document, runs: count))
                }
                if !isCancelled() { self.mailbox.post(.experimented(document, examined)) }
            } catch {
                if !isCancelled() { self.mailbox.post(.experimented(document, nil)) }
                self.mailbox.post(.notice("\(error)"))
            }
        }
    }

    /// Searches for the smallest document that fails in the same way as the last traced one, and posts it.
    func shrink(_ trace: MigrationTrace, _ reference: DocumentReference, of document: FoundDocument.ID) {
        guard opener.makesExperiments else { return mailbox.post(.shrunk(document, nil, runs: 0)) }
        // This replaces any other experiments with the document.
        let (number, supposition) = request.withLock { request in
            request.number += 1
            return (request.number, request.supposition)
        }
        let opener = opener.supposing(supposition)
        mailbox.start("shrink") { [self, opener] in
            let isCancelled = { [self] in request.withLock { $0.number != number } }
            var reported = ContinuousClock.now
            let shrunk = try? opener.shrinking(trace, of: reference, isCancelled: isCancelled) { _, count in
                guard reported.duration(to: .now) > .milliseconds(100) else { return }
                reported = .now
                mailbox.post(.experimenting(document, runs: count))
            }
            guard !isCancelled() else { return }
            mailbox.post(.shrunk(document, shrunk?.document, runs: shrunk?.runs ?? 0))
        }
    }

    /// Replaces the values of the last traced document by others, and posts the copy.
    func redact(_ trace: MigrationTrace, _ reference: DocumentReference, of document: FoundDocument.ID) {
        guard opener.makesExperiments, !opener.host.isInProcess else {
            return mailbox.post(.redacted(document, .failure(.noExperiments)))
        }
        let (number, supposition) = request.withLock { ($0.number, $0.supposition) }
        let opener = opener.supposing(supposition)
        mailbox.start("redact") { [self, opener] in
            let isCancelled = { [self] in request.withLock { $0.number != number } }
            do {
                let redaction = try opener.redacting(
                    trace, of: reference, redactsNames: false, isCancelled: isCancelled
                ).redaction
                mailbox.post(.redacted(document, .success(redaction)))
            } catch let problem as RedactionProblem {
                mailbox.post(.redacted(document, .failure(problem)))
            } catch {
                if !isCancelled() { mailbox.post(.notice("\(error)")) }
            }
        }
    }

    /// Reads a document's bytes and posts them.
    func readSource(_ reference: DocumentReference, of document: FoundDocument.ID) {
        mailbox.start("read") { [self] in
            mailbox.post(.sourceRead(document, try? reference.read()))
        }
    }

    /// Cancels the latest request.
    func cancel() { request.withLock { $0 = Request(number: $0.number + 1) } }

    /// Stops the app's code for the latest request, which then counts as timed out.
    func stop() { request.withLock { $0.isStopped = true } }
}

extension Opener {
    /// Returns an opener for a document with the given supposition.
    fileprivate func supposing(_ supposition: Supposition) -> Opener {
        var opener = self
        opener.edits = supposition.edits
        if let chain = supposition.chain { (opener.chain, opener.version) = (chain.name, chain.version) }
        return opener
    }
}

/// The error thrown when rerunning a migration, to get documents that weren't kept, takes a different course.
struct OtherMigration: Error, CustomStringConvertible {
    var description: String { "the migration does not do again what it did; r reads the document again" }
}
