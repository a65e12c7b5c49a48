import MigrationCore

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
