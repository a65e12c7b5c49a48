import MigrationCore

/// A worker's progress on a document.
@dynamicMemberLookup
public struct WorkerProgress: Sendable, Equatable {
    /// What to show to a waiting user.
    public let shown: RunProgress
    /// The place as noted by the worker.
    let run: RunPlace
    /// The intermediate trace of the document.
    var reported: ReportedTrace?

    public subscript<Value>(dynamicMember member: KeyPath<RunProgress, Value>) -> Value { shown[keyPath: member] }
}

/// Tracks the places of a worker.
struct ProgressWatch {
    let chains: [ChainDescription]
    private var last = RunPlace()
    private var arrival = Duration.zero

    init(chains: [ChainDescription]) { self.chains = chains }

    /// Returns the current progress of the worker.
    ///
    /// - Parameter time: How long the worker has been at the document.
    mutating func progress(
        on page: WorkerPage, reported: ReportedTrace? = nil, after time: Duration
    ) -> WorkerProgress {
        let run = page.seenPlace
        if run != last { (last, arrival) = (run, time) }
        let seconds = { (time: Duration) in Int(time.components.seconds) }
        let activity = WorkerLocation(run, among: chains).activity(readShare: Double(min(page.readShare, 1000)) / 1000)
        return WorkerProgress(
            shown: RunProgress(activity, seconds: seconds(time), secondsHere: seconds(time - arrival)), run: run,
            reported: reported)
    }
}

extension WorkerLocation {
    /// Returns the activity of a worker at this place.
    func activity(readShare: Double) -> RunProgress.Activity {
        if let step, let chain {
            return .step(from: chain.versions[step - 1].version, to: chain.versions[step].version)
        }
        switch phase {
        case .idle: return readShare < 1 ? .reading(share: readShare) : .reporting
        case .describing: return .describing
        case .detecting: return .detecting
        case .decoding, .stepping, .encoding, .finishing:
            guard let stage, let chain else { return .detecting }
            return .decoding(chain.versions[stage].version)
        }
    }
}
