import MigrationCore

extension WorkerProgress {
    /// Where the worker is, and for how long, in words.
    public func words(arrow: String = "→") -> String {
        // A time is told of a place only where all of it was spent there.
        let time = secondsHere >= 1 ? "ran \(secondsHere) s " : "ran \(seconds) s, now "
        return "\(time)\(place.words(arrow: arrow)), still running"
    }
}

extension WorkerProgress.Place {
    /// What the worker does, in words.
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
    /// What happened, and what to do about it.
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
