import Foundation

extension WorkerProgress {
    /// Where the worker is, and for how long, in words.
    public func words(arrow: String = "→") -> String {
        // A time is told of a place only where all of it was spent there.
        let time = secondsHere >= 1 ? "ran \(secondsHere) s " : "ran \(seconds) s, now "
        let place =
            switch place {
            case .reading: "reading the document"
            case .detecting: "looking for the version"
            case .describing: "looking at the types of the chain"
            case .decoding(let version): "reading the document as version \(version)"
            case .step(let from, let to): "in step \(from) \(arrow) \(to)"
            case .reporting: "handing over what came of it"
            }
        return "\(time)\(place), still running"
    }
}

extension LostWorker {
    /// What the process said last, else what ended it.
    var message: String {
        if fault.kind == WorkerFault.Kind.outOfMemory.rawValue { return "out of memory" }
        guard let words = output[1].lastWords else { return cause }
        return words.isVerdict ? words.text : "\(words.text) (\(cause))"
    }

    /// What ended the process, and where in the code that was.
    private var cause: String {
        if isUnreadable {
            return
                "the answer of the process that ran the app's code cannot be read, as when the code writes to memory "
                + "or descriptors that are not its own"
        }
        if ending >= 0 { return "exit(\(ending)) was called" }
        let place =
            fault.offset == 0 || fault.moduleName.isEmpty
            ? "" : " at \(fault.moduleName)+0x\(String(fault.offset, radix: 16))"
        if fault.kind == WorkerFault.Kind.stackOverflow.rawValue { return "stack overflow\(place)" }
        return switch -ending {
        case SIGILL, SIGTRAP:
            "trap\(place): a failed precondition, an index out of range, an overflow, or a nil that was unwrapped"
        case SIGABRT: "abort() was called\(place)"
        case SIGSEGV, SIGBUS: "an access to memory that is not there\(place)"
        case SIGFPE: "SIGFPE\(place)"
        case SIGKILL: "killed, as the system does when memory runs out"
        case let number: "ended by signal \(number)\(place)"
        }
    }
}

extension WorkerError: CustomStringConvertible {
    /// What happened, and what to do about it.
    public var description: String {
        switch self {
        case .cannotStart(let reason):
            "the process that runs the app's code cannot be started: \(reason); \(Self.advice)"
        case .noAnswer(let reason):
            "the process that runs the app's code does not answer: \(reason); \(Self.advice)"
        case .chainsEnded(let words):
            "the program's chains cannot be made: \(words); to see where, run it with --in-process in a debugger"
        }
    }

    private static let advice = "--in-process runs the code in the program itself"
}
