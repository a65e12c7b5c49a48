/// The progress of a run that takes long, to show to a waiting user.
public struct RunProgress: Sendable, Equatable {
    /// What a run is doing.
    public enum Activity: Sendable, Equatable {
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
    public var activity: Activity
    /// How long the document has taken so far, in seconds.
    public var seconds: Int
    /// How long the current activity has taken so far, in seconds.
    public var secondsHere: Int

    /// Creates a progress from an activity and times.
    public init(_ activity: Activity, seconds: Int, secondsHere: Int) {
        (self.activity, self.seconds, self.secondsHere) = (activity, seconds, secondsHere)
    }

    /// Whether it takes long enough to show progress.
    public var isLong: Bool { seconds >= 1 }

    /// Whether the app's code is running. If so, there is something to find out about the steps so far.
    public var isInAppCode: Bool {
        switch activity {
        case .reading, .reporting: false
        case .detecting, .describing, .decoding, .step: true
        }
    }
}
