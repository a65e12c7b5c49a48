import DocumentModel
import Foundation
import MigrationCore

/// Runs experiments on one document: runs its migration with a change, in worker processes, and reports how it fails.
/// Ending the process and not finishing are outcomes like any other.
///
/// The time limit for a run is a few times as long as the longest run that finished.
struct ExperimentRunner {
    private let host: WorkerHost
    private var base: WorkerRequest
    /// The failures of the unchanged document.
    private let failures: [MigrationFailure]
    /// Whether parts of the document migrate on their own, so that each part's outcome is requested.
    private let isOfParts: Bool
    private let isCancelled: () -> Bool
    /// The duration of the longest run that finished; nil before the first.
    private var longest: Duration?
    /// The process that confirms proofs, once that has started.
    private var fresh: WorkerProcess?
    /// The number of runs so far.
    private(set) var count = 0

    /// - Parameters:
    ///   - trace: The document's trace, which answers `request`.
    ///   - source: The document without the edits of the request.
    ///   - isRecognized: Whether to recognize the changed document again, rather than to open it with the chain of the
    ///     trace.
    init(
        _ host: WorkerHost, _ trace: MigrationTrace, of request: WorkerRequest, source: Document?,
        isRecognized: Bool = false, isCancelled: @escaping () -> Bool
    ) {
        self.host = host
        self.isCancelled = isCancelled
        failures = trace.failures
        isOfParts = if case .failedInParts = trace.opening { true } else { false }
        var base = request
        // Experiments use the traced bytes, even if the file has changed since.
        if let source, source.encoding == .utf8 { base.bytes = source.source ?? request.bytes }
        if !isRecognized { base.chain = trace.chain }
        base.opensTraces = false
        base.sendsSteps = false
        self.base = base
    }

    /// Creates a runner for experiments with one step of a document.
    ///
    /// - Parameter isFirst: Whether it's the first step, which starts from the document as it was read.
    init(
        _ host: WorkerHost, _ trace: MigrationTrace, _ step: MigrationStep, isFirst: Bool, of request: WorkerRequest,
        isCancelled: @escaping () -> Bool
    ) throws {
        self.init(host, trace, of: request, source: isFirst ? step.before : nil, isCancelled: isCancelled)
        if !isFirst, let before = step.before {
            base.bytes = SourceBytes(try before.data(like: before))
            base.edits = []
            // The step starts at a later version than the one chosen for the document.
            base.version = base.version.map { _ in step.from }
        }
        base.target = step.to
    }

    /// The time limit for a run if it isn't known how long a run that finishes takes.
    private static let usualLimit = Duration.milliseconds(500)
    /// How long a run may continue after it was cancelled.
    private static let patience = Duration.milliseconds(100)
    /// The minimum time limit. Shorter delays may be caused by the machine.
    private static let shortestLimit = Duration.milliseconds(400)

    /// The factor by which the limit is extended for a run that barely uses the processor.
    private static let waiting = 8

    private var limit: Duration {
        if let longest { return max(Self.shortestLimit, longest * 5) }
        guard failures.first?.kind != .timedOut, let byteCount = base.bytes?.count else { return Self.usualLimit }
        return .seconds(host.limits.seconds(byteCount: byteCount) ?? WorkerLimits.usualSeconds(byteCount: byteCount))
    }

    /// Runs an experiment and returns the outcome for the changed document.
    ///
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func outcome(of experiment: Experiment) throws -> ExperimentOutcome {
        func outcome<Answer>(
            _ ending: Ending<Answer>, _ made: (Answer) -> ExperimentOutcome
        ) -> ExperimentOutcome {
            switch ending {
            case .reply(.success(let answer)?): made(answer)
            case .reply: .notMade(failures)
            case .lost(let failure): ExperimentOutcome(failure, version: nil)
            }
        }
        guard isOfParts else {
            return outcome(try run(experiment, wanting: .outcome)) {
                ExperimentOutcome(
                    $0.failure, version: $0.version,
                    dropped: $0.leftOver == nil ? nil : $0.folds.unfolding($0.dropped))
            }
        }
        return outcome(try run(experiment, wanting: .trace)) {
            ExperimentOutcome(
                $0.failures, version: $0.detection.version, dropped: $0.leftOver == nil ? nil : $0.dropped)
        }
    }

    /// Runs the runner's step on another document.
    ///
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func outcome(of step: MigrationStep, with document: Document) throws -> StepSearch.Outcome {
        switch try run(Experiment(sample: document), wanting: .made) {
        case .reply(.success(let trace)?):
            guard trace.detection.version == step.from, let taken = trace.steps.last, taken.to == step.to else {
                return .refused(.refused)
            }
            return taken.after.map { .made($0) } ?? .refused(.refused)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.refusal)
        }
    }

    /// Reads another document in place of the runner's, and returns it as the app would write it on its next save.
    ///
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func writing(of document: Document, ofVersion version: DocumentVersion?) throws -> StepSearch.Outcome {
        if base.version != nil { base.version = version }
        switch try run(Experiment(sample: document), wanting: .writing) {
        case .reply(.success(let trace)?):
            guard trace.detection.version == version, case .made(let made)? = trace.rewriting else {
                return .refused(.refused)
            }
            return .made(made)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.refusal)
        }
    }

    /// Runs the runner's document with other parts.
    ///
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func outcome(
        of steps: PartSteps, with parts: Document, in whole: Document
    ) throws -> StepSearch.Outcome {
        guard let changed = steps.putting(parts, into: whole) else { return .refused(.refused) }
        switch try run(Experiment(sample: changed), wanting: .trace) {
        case .reply(.success(let trace)?): return steps.result(in: trace).map { .made($0) } ?? .refused(.refused)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.refusal)
        }
    }

    /// Runs another document in place of the runner's.
    ///
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func outcome(of document: Document) throws -> ExperimentOutcome {
        try outcome(of: Experiment(sample: document))
    }

    /// Traces another document in place of the runner's. If the run ended its process or didn't finish, the trace has
    /// only that failure.
    ///
    /// - Returns: nil if the document cannot be edited as requested.
    /// - Throws: ``WorkerError``; `SourceError` if the document no longer exists; ``Ended`` if it was cancelled.
    mutating func trace(of document: Document) throws -> MigrationTrace? {
        switch try run(Experiment(sample: document), wanting: .trace) {
        case .reply(let reply): reply?.answer
        case .lost(let failure): MigrationTrace(source: "", opening: .failed(failure))
        }
    }

    private enum Ending<Answer> {
        case reply(WorkerReply<Answer>?)
        /// The run ended its process or didn't finish.
        case lost(MigrationFailure)
    }

    private mutating func run<Answer>(
        _ experiment: Experiment, wanting wanted: Wanted<Answer>
    ) throws -> Ending<Answer> {
        if isCancelled() { throw Ended() }
        // The document can no longer be read, although it could be when it was traced.
        if let problem = base.document.problem { throw problem }
        count += 1
        let worker = try take(experiment)
        var request = base
        if let sample = experiment.sample {
            request.bytes = SourceBytes(try sample.textAsRead ?? sample.data(like: sample))
            request.edits = []
        }
        request.edits += experiment.edits
        var reply: WorkerReply<Answer>?
        var isEnded = false
        var timeout: Duration?
        var clock = AppClock()
        // A change that passed before should pass again, and a new process is slower.
        let limit = limit * (experiment.isConfirmation && !experiment.edits.isEmpty ? 10 : 1)
        let start = ContinuousClock.now
        let used = worker.processorTime
        let outcome = try worker.ask([request], wanting: wanted) {
            reply = $1
        } turn: { request, time in
            // If a run is about to finish, its process can be kept for the next request.
            if time > Self.patience, isCancelled() { isEnded = true }
            if clock.time(of: worker.page, at: request, after: time) > limit {
                // On a busy machine, the run may not have had the processor for all of the elapsed time.
                let own = used.flatMap { used in worker.processorTime.map { $0 - used } } ?? time
                if own > limit || time > limit * Self.waiting { timeout = limit }
            }
            return isEnded || timeout != nil ? .end : .goOn
        }
        switch outcome {
        case .answered:
            longest = max(longest ?? .zero, start.duration(to: .now))
            if experiment.isConfirmation { fresh = worker } else { host.giveBack(worker) }
            return .reply(reply)
        case .lost(_, _, let lost):
            if isEnded { throw Ended() }
            let reason: Reason =
                timeout.map { .timedOut(seconds: $0 / .seconds(1)) } ?? .crashed(lost.crash, frame: nil)
            let step = WorkerLocation(lost.place, among: try host.chains()).failureStep
            return .lost(MigrationFailure(reason, step: step))
        }
    }

    /// Returns the process for an experiment. A confirmation gets a new one, which runs the unchanged document first.
    private mutating func take(_ experiment: Experiment) throws(WorkerError) -> WorkerProcess {
        guard experiment.isConfirmation else { return try host.take(for: .trace) }
        if let worker = fresh.take(), !experiment.edits.isEmpty, worker.isReady { return worker }
        return try host.start(attempts: 3)
    }

    /// The error thrown when experiments are cancelled.
    struct Ended: Error {}
}
