import DocumentModel
import DocumentSources
import MigrationCore

/// A document named on the command line, for the commands that take just one.
enum OneDocument {
    /// Which experiments are made with the document.
    enum Experiments {
        /// All, with values of other documents.
        case all(DocumentWalker)
        /// Those that find out what the steps lose.
        case losses
        case none
    }

    /// A name for what can be read of a document; what follows it and cannot has been said then on standard error.
    ///
    /// - Returns: The exit status that this calls for, too.
    /// - Throws: ``UsageError`` where there are several.
    static func readable(_ given: GivenName) throws(UsageError) -> (given: GivenName, status: ExitStatus) {
        let (name, problem) = try one(in: given)
        if let problem { Console.complain("\(problem)") }
        return (name, problem == nil ? .success : .documentsFailed)
    }

    /// A name for what can be read of a document, and why what follows it cannot.
    ///
    /// - Throws: ``UsageError`` where there are several.
    static func one(in given: GivenName) throws(UsageError) -> (given: GivenName, problem: SourceError?) {
        switch given.readable() {
        case .one(let name, let problem): return (name, problem)
        case .several(let first, let count): throw .several(count, in: given, first: first)
        }
    }

    /// The trace of the document, and the exit status that its outcome calls for. When the document cannot be read,
    /// that has been said on standard error.
    static func trace(
        _ given: GivenName, opener: Opener, experiments: Experiments
    ) throws -> (trace: MigrationTrace?, status: ExitStatus) {
        let progress = ProgressLine()
        defer { progress.clear() }
        var trace = try opener.trace(
            given.document,
            progress: { work, _ in
                progress.show {
                    if case .reading(let share) = work.place { return "reading: \(Int(share * 100)) %" }
                    return work.words()
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
            // Standard input, say: there is no looking at it beforehand.
            Console.complain("\(given.path): \(CommandWords.notEdited)")
            return (nil, .usage)
        }
        for line in trace.output.flatMap({ $0.text.split(whereSeparator: \.isNewline) }) {
            Console.error(String(line))
        }
        switch trace.outcome {
        case .unreadable:
            Console.complain("\(given.path): \(trace.failure?.message ?? "cannot be read")")
            // A packed file can be read in part.
            if case .unreadable(.gzip(.followed)) = trace.failure?.reason { return (trace, .documentsFailed) }
            return (trace, ExitStatus(notRead: trace.failure?.reason))
        case .current, .migrated: return (trace, .success)
        case .failed, .unrecognized: return (trace, .documentsFailed)
        }
    }
}
