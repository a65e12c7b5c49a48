import MigrationCore

/// How far a worker is with a document, for a person who waits for it.
public struct WorkerProgress: Sendable, Equatable {
    /// What the worker does.
    public enum Place: Sendable, Equatable {
        /// It reads and parses the document; so much of it is done, from 0 to 1.
        case reading(share: Double)
        /// It looks for the document's chain and version.
        case detecting
        /// It asks the types of the chain for their fields.
        case describing
        /// It decodes the document as the version that it is.
        case decoding(DocumentVersion)
        /// It takes a step.
        case step(from: DocumentVersion, to: DocumentVersion)
        /// It is done, and hands over what came of the document.
        case reporting
    }

    /// What it does now.
    public var place: Place
    /// How long it has been at the document.
    public var seconds: Int
    /// How long it has been at this place.
    public var secondsHere: Int
    /// The place as the worker notes it.
    let run: RunPlace
    /// What it told of the document.
    var told: ToldTrace?

    /// A place, and how long the worker has been there.
    public init(_ place: Place, seconds: Int, secondsHere: Int) {
        self.init(place, seconds: seconds, secondsHere: secondsHere, run: RunPlace())
    }

    init(_ place: Place, seconds: Int, secondsHere: Int, run: RunPlace) {
        self.place = place
        self.seconds = seconds
        self.secondsHere = secondsHere
        self.run = run
    }

    /// Whether a person waits for it.
    public var isLong: Bool { seconds >= 1 }

    /// Whether the app's code is at work: then there is something to find out about the way up to there.
    public var isInAppCode: Bool {
        switch place {
        case .reading, .reporting: false
        case .detecting, .describing, .decoding, .step: true
        }
    }
}

/// Follows a worker from place to place.
struct ProgressWatch {
    let chains: [ChainDescription]
    private var last = RunPlace()
    private var arrival = Duration.zero

    init(chains: [ChainDescription]) { self.chains = chains }

    /// Where the worker is now.
    ///
    /// - Parameter time: How long it has been at the document.
    mutating func progress(
        on page: WorkerPage, told: ToldTrace? = nil, after time: Duration
    ) -> WorkerProgress {
        let run = page.seenPlace
        if run != last { (last, arrival) = (run, time) }
        let seconds = { (time: Duration) in Int(time.components.seconds) }
        var progress = WorkerProgress(
            LostPlace(run, among: chains).place(readShare: Double(min(page.readShare, 1000)) / 1000),
            seconds: seconds(time),
            secondsHere: seconds(time - arrival), run: run)
        progress.told = told
        return progress
    }
}

extension LostPlace {
    /// What the worker does there.
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
