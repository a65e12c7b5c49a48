import MigrationCore

/// A worker's progress on a document, to show to a waiting user.
public struct WorkerProgress: Sendable, Equatable {
    /// The activity of a worker.
    public enum Place: Sendable, Equatable {
        /// Reads and parses the document. The share that is done is between 0 and 1.
        case reading(share: Double)
        /// Looks for the document's chain and version.
        case detecting
        /// Asks the types of the chain for their fields.
        case describing
        /// Decodes the document as its version.
        case decoding(DocumentVersion)
        /// Takes a step.
        case step(from: DocumentVersion, to: DocumentVersion)
        /// Is done, and sends the result.
        case reporting
    }

    /// The current activity.
    public var place: Place
    /// How long the worker has been at the document, in seconds.
    public var seconds: Int
    /// How long the worker has been at this place, in seconds.
    public var secondsHere: Int
    /// The place as noted by the worker.
    let run: RunPlace
    /// The intermediate trace of the document.
    var reported: ReportedTrace?

    /// Creates a progress from a place and times.
    public init(_ place: Place, seconds: Int, secondsHere: Int) {
        self.init(place, seconds: seconds, secondsHere: secondsHere, run: RunPlace())
    }

    init(_ place: Place, seconds: Int, secondsHere: Int, run: RunPlace) {
        self.place = place
        self.seconds = seconds
        self.secondsHere = secondsHere
        self.run = run
    }

    /// Whether it takes long enough to show progress.
    public var isLong: Bool { seconds >= 1 }

    /// Whether the app's code is running. If so, there is something to find out about the steps so far.
    public var isInAppCode: Bool {
        switch place {
        case .reading, .reporting: false
        case .detecting, .describing, .decoding, .step: true
        }
    }
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
        var progress = WorkerProgress(
            WorkerLocation(run, among: chains).place(readShare: Double(min(page.readShare, 1000)) / 1000),
            seconds: seconds(time),
            secondsHere: seconds(time - arrival), run: run)
        progress.reported = reported
        return progress
    }
}

extension WorkerLocation {
    /// Returns the activity of a worker at this place.
    func place(readShare: Double) -> WorkerProgress.Place {
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
