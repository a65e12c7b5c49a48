import DocumentModel
import DocumentSources
import MigrationCore

/// A single document named on the command line.
enum OneDocument {
    /// The experiments to make with the document.
    enum Experiments {
        /// All experiments, with values from other documents.
        case all(DocumentWalker)
        /// The experiments that find out what the steps lose.
        case losses
        case none
    }

    /// Returns a name for the readable part of a document. Anything unreadable after it is reported on standard error.
    ///
    /// - Returns: The name, and the exit status for this.
    /// - Throws: ``UsageError`` if there are several documents.
    static func readable(_ given: GivenName) throws(UsageError) -> (given: GivenName, status: ExitStatus) {
        let (name, problem) = try one(in: given)
        if let problem { Console.complain("\(problem)") }
        return (name, problem == nil ? .success : .documentsFailed)
    }

    /// Returns a name for the readable part of a document, and the problem with what follows it, if any.
    ///
    /// - Throws: ``UsageError`` if there are several documents.
    static func one(in given: GivenName) throws(UsageError) -> (given: GivenName, problem: SourceError?) {
        switch given.readable() {
        case .one(let name, let problem): return (name, problem)
        case .several(let first, let count): throw .several(count, in: given, first: first)
        }
    }

    /// Returns the trace of the document and the exit status for its outcome. If the document cannot be read, that is
    /// reported on standard error.
    static func trace(
        _ given: GivenName, opener: Opener, experiments: Experiments
    ) throws -> (trace: MigrationTrace?, status: ExitStatus) {
        let progress = ProgressLine()
        defer { progress.clear() }
        var trace = try opener.trace(
            given.document,
            progress: { work, _ in
                progress.show {
                    if case .reading(let share) = work.activity { return "reading: \(Int(share * 100)) %" }
                    return work.shown.words()
                }
            })
        let count = { (runs: Int) in progress.show { "\(runs) experiments" } }
        if let found = trace {
            let examined: MigrationTrace?
            switch experiments {
            case .all(let lenders):
                let lent = try Lenders(opener: opener, trace: found).documents(in: lenders)
                examined = try opener.experimenting(with: found, of: given.document, lenders: lent, progress: count)
            case .none: examined = nil
            case .losses:
                examined = try opener.examining(found, of: given.document, findsOrigins: false, progress: count)
            }
            let known = examined ?? found
            trace = known.reopens == nil ? try opener.reopening(known, of: given.document) : known
        }
        progress.clear()
        guard let trace else {
            if opener.edits.isEmpty { return (nil, .software) }
            // Standard input, for example, couldn't be checked in advance.
            Console.complain("\(given.path): \(CommandWords.notEdited)")
            return (nil, .usage)
        }
        for line in trace.output.flatMap({ $0.text.split(whereSeparator: \.isNewline) }) {
            Console.error(String(line))
        }
        switch trace.outcome {
        case .unreadable, .deleted:
            Console.complain("\(given.path): \(trace.failure?.message ?? "cannot be read")")
            // A packed file can be partly readable.
            if case .unreadable(.gzip(.followed)) = trace.failure?.reason { return (trace, .documentsFailed) }
            return (trace, ExitStatus(notRead: trace.failure?.reason))
        case .current, .migrated: return (trace, trace.reopens?.failure == nil ? .success : .documentsFailed)
        case .failed, .unrecognized: return (trace, .documentsFailed)
        }
    }
}
