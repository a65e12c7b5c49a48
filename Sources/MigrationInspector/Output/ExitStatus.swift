import DocumentSources
import MigrationCore

/// The exit status of the program, for scripts. The numbers from 64 are those of sysexits.h.
enum ExitStatus: Int32 {
    /// Every document is current or migrates.
    case success = 0
    /// Some document failed, was unreadable or malformed, or belongs to no chain.
    case documentsFailed = 1
    /// The documents that were compared differ.
    static let different = documentsFailed
    /// One of the two documents to compare cannot be read (as in diff(1)).
    case notCompared = 2
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A path given on the command line does not exist, or cannot be read or written (EX_NOINPUT).
    case noInput = 66
    /// The program itself failed (EX_SOFTWARE).
    case software = 70

    /// Creates the status for a path that wasn't read.
    init(notRead reason: Reason?) {
        if case .unreadable(let problem)? = reason, problem.isShortage { self = .software } else { self = .noInput }
    }

    /// Creates the status for a file that wasn't written. A cause that the user can change, such as a file's
    /// permissions, isn't a failure of the program. A cause in the system, such as a full disk, counts as one.
    init(notWritten error: SourceError) {
        switch error.reason {
        case let reason where reason.isRefusal: self = .documentsFailed
        case .system, .shortage: self = .software
        case .store(let problem) where problem.isOfSystem: self = .software
        default: self = .noInput
        }
    }
}
