import DocumentModel
import Foundation
import MigrationCore

/// Makes the experiments of one document: runs its migration with something changed, in worker processes, and says how
/// it failed. A run that ends its process, or does not end, is a result like any other.
///
/// A run that hangs may take a few times as long as those that came to an end.
struct ExperimentRunner {
    private let host: WorkerHost
    private var base: WorkerRequest
    /// The failures of the unchanged document.
    private let failures: [MigrationFailure]
    /// Whether its parts migrate by themselves, so that what came of each is asked for.
    private let isOfParts: Bool
    private let isCancelled: () -> Bool
    /// How long the runs took that came to an end, at most; nil before there is one.
    private var longest: Duration?
    /// The process in which proofs are confirmed, where that has begun.
    private var fresh: WorkerProcess?
    /// How many runs there were.
    private(set) var count = 0

    /// - Parameters:
    ///   - trace: That of the document, which was made in answer to `request`.
    ///   - source: The document without the edits of the request.
    ///   - isRecognized: Whether the changed document has to be recognized anew, rather than opened with the chain of the
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
        // Experiments run what was traced, even if the file has changed since.
        if let source, source.encoding == .utf8 { base.bytes = source.source ?? request.bytes }
        if !isRecognized { base.chain = trace.chain }
        base.opensTraces = false
        base.tellsSteps = false
        self.base = base
    }

    /// A runner for experiments with a step of a document.
    ///
    /// - Parameter first: Whether it is the first step, whose document before is the one that was read.
    init(
        _ host: WorkerHost, _ trace: MigrationTrace, _ step: MigrationStep, isFirst: Bool, of request: WorkerRequest,
        isCancelled: @escaping () -> Bool
    ) throws {
        self.init(host, trace, of: request, source: isFirst ? step.before : nil, isCancelled: isCancelled)
        if !isFirst, let before = step.before {
            base.bytes = SourceBytes(try before.data(like: before))
            base.edits = []
            // Another version than the one that the document is taken to be of.
            base.version = base.version.map { _ in step.from }
        }
        base.target = step.to
    }

    /// The longest that a run may take where it is not known how long one takes that ends.
    private static let usualLimit = Duration.milliseconds(500)
    /// How long a run may go on that is no longer wanted.
    private static let patience = Duration.milliseconds(100)
    /// The shortest limit: less than this may be the machine's doing.
    private static let shortestLimit = Duration.milliseconds(400)

    /// How many times as long a run may take that does not use the processor.
    private static let waiting = 8

    private var limit: Duration {
        if let longest { return max(Self.shortestLimit, longest * 5) }
        guard failures.first?.kind != .timedOut, let byteCount = base.bytes?.count else { return Self.usualLimit }
        return .seconds(host.limits.seconds(byteCount: byteCount) ?? WorkerLimits.usualSeconds(byteCount: byteCount))
    }

    /// Makes an experiment: how the changed document fares.
    ///
    /// - Throws: ``WorkerError``; `SourceError` where the document is no longer there; ``Ended`` when it was cancelled.
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

    /// Runs the step for which the runner was made with another document before it.
    ///
    /// - Throws: ``WorkerError``; `SourceError` where the document is no longer there; ``Ended`` when it was cancelled.
    mutating func outcome(of step: MigrationStep, with document: Document) throws -> StepSearch.Outcome {
        switch try run(Experiment(sample: document), wanting: .made) {
        case .reply(.success(let trace)?):
            guard trace.detection.version == step.from, let taken = trace.steps.last, taken.to == step.to else {
                return .refused(.refused)
            }
            return taken.after.map { .made($0) } ?? .refused(.refused)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.kind == .timedOut ? .timedOut : .crashed)
        }
    }

    /// Reads another document in place of the one that the runner was made for, and writes it as the app does the next time
    /// it saves.
    ///
    /// - Throws: ``WorkerError``; `SourceError` where the document is no longer there; ``Ended`` when it was cancelled.
    mutating func writing(of document: Document, ofVersion version: DocumentVersion?) throws -> StepSearch.Outcome {
        if base.version != nil { base.version = version }
        switch try run(Experiment(sample: document), wanting: .writing) {
        case .reply(.success(let trace)?):
            guard trace.detection.version == version, case .made(let made)? = trace.rewriting else {
                return .refused(.refused)
            }
            return .made(made)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.kind == .timedOut ? .timedOut : .crashed)
        }
    }

    /// Runs the document for which the runner was made with other parts.
    ///
    /// - Throws: ``WorkerError``; `SourceError` where the document is no longer there; ``Ended`` when it was cancelled.
    mutating func outcome(
        of steps: PartSteps, with parts: Document, in whole: Document
    ) throws -> StepSearch.Outcome {
        guard let changed = steps.putting(parts, into: whole) else { return .refused(.refused) }
        switch try run(Experiment(sample: changed), wanting: .trace) {
        case .reply(.success(let trace)?): return steps.result(in: trace).map { .made($0) } ?? .refused(.refused)
        case .reply: return .refused(.refused)
        case .lost(let failure): return .refused(failure.kind == .timedOut ? .timedOut : .crashed)
        }
    }

    /// Runs another document in place of the one that the runner was made for.
    ///
    /// - Throws: ``WorkerError``; `SourceError` where the document is no longer there; ``Ended`` when it was cancelled.
    mutating func outcome(of document: Document) throws -> ExperimentOutcome {
        try outcome(of: Experiment(sample: document))
    }

    private enum Ending<Answer> {
        case reply(WorkerReply<Answer>?)
        /// The run ended its process, or did not end.
        case lost(MigrationFailure)
    }

    private mutating func run<Answer>(
        _ experiment: Experiment, wanting wanted: Wanted<Answer>
    ) throws -> Ending<Answer> {
        if isCancelled() { throw Ended() }
        // It cannot be read any more, though it could when it was traced.
        if let problem = base.document.problem { throw problem }
        count += 1
        let worker = try take(experiment)
        var request = base
        if let sample = experiment.sample {
            request.bytes = SourceBytes(try sample.data(like: sample))
            request.edits = []
        }
        request.edits += experiment.edits
        var reply: WorkerReply<Answer>?
        var isEnded = false
        var timeout: Duration?
        var clock = AppClock()
        // A change that has passed before should pass again; a new process is slower.
        let limit = limit * (experiment.isConfirmation && !experiment.edits.isEmpty ? 10 : 1)
        let start = ContinuousClock.now
        let used = worker.processorTime
        let outcome = try worker.ask([request], wanting: wanted) {
            reply = $1
        } turn: { request, time in
            // A run that is about to end leaves its process to the next request.
            if time > Self.patience, isCancelled() { isEnded = true }
            if clock.time(of: worker.page, at: request, after: time) > limit {
                // On a machine with much to do a run may not have had the time that has passed.
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
            let step = LostPlace(lost.place, among: try host.chains()).failureStep
            return .lost(MigrationFailure(reason, step: step))
        }
    }

    /// The process for an experiment: of a confirmation a new one, which runs the unchanged document first.
    private mutating func take(_ experiment: Experiment) throws(WorkerError) -> WorkerProcess {
        guard experiment.isConfirmation else { return try host.take(for: .trace) }
        if let worker = fresh.take(), !experiment.edits.isEmpty, worker.isReady { return worker }
        return try host.start(attempts: 3)
    }

    /// Experiments that were cancelled.
    struct Ended: Error {}
}
