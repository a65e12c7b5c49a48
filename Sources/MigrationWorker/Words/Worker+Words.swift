import MigrationCore

extension WorkerProgress {
    /// Returns the worker's current place and how long it has been there, in words.
    public func words(arrow: String = "→") -> String {
        // The time is given for a place only if all of it was spent there.
        let time = secondsHere >= 1 ? "ran \(secondsHere) s " : "ran \(seconds) s, now "
        return "\(time)\(place.words(arrow: arrow)), still running"
    }
}

extension WorkerProgress.Place {
    /// Returns the current activity of the worker, in words.
    public func words(arrow: String = "→") -> String {
        switch self {
        case .reading: "reading the document"
        case .detecting: "looking for the version"
        case .describing: "looking at the types of the chain"
        case .decoding(let version): "reading the document as version \(version)"
        case .step(let from, let to): "in step \(from) \(arrow) \(to)"
        case .reporting: "handing over what came of it"
        }
    }
}

extension WorkerError: CustomStringConvertible {
    /// The problem, and how to work around it.
    public var description: String {
        switch self {
        case .cannotStart(let reason):
            "the process that runs the app's code cannot be started: \(reason); \(Self.advice)"
        case .cannotReceive(let reason):
            "what the process that runs the app's code sends cannot be received: \(reason)"
        case .noAnswer(let crash):
            "the process that runs the app's code does not answer: \(Self.words(crash)); \(Self.advice)"
        case .chainsEnded(let crash):
            "the program's chains cannot be made: \(Self.words(crash)); to see where, run it with --in-process in a "
                + "debugger"
        }
    }

    private static func words(_ crash: Crash?) -> String {
        crash.map { "\(Reason.crashed($0))" } ?? "nothing came within \(patience) seconds"
    }

    private static let advice = "--in-process runs the code in the program itself"
}
