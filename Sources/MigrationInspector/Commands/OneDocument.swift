import DocumentModel
import DocumentSources
import MigrationCore

/// A document named on the command line, for the commands that take just one.
enum OneDocument {
    /// The trace of the document, and the exit status that its outcome calls for. When the document cannot be read,
    /// that has been said on standard error.
    static func trace(
        _ given: GivenName, opener: Opener
    ) throws -> (trace: MigrationTrace?, status: ExitStatus) {
        if let (first, count) = given.lines, count > 1 {
            throw UsageError.several(count: count, in: given.path, first: "\(first)")
        }
        let progress = ProgressLine()
        defer { progress.clear() }
        let trace = try opener.trace(
            given.document,
            progress: { work, _ in
                progress.show {
                    if case .reading(let share) = work.place { return "reading: \(Int(share * 100)) %" }
                    return SafeText.line(work.words())
                }
            })
        progress.clear()
        guard let trace else { return (nil, .software) }
        for line in trace.output.flatMap({ $0.text.split(whereSeparator: \.isNewline) }) {
            Console.error(SafeText.line(String(line)))
        }
        switch trace.outcome {
        case .unreadable:
            Console.complain("\(given.path): \(trace.failure?.message ?? "cannot be read")")
            return (trace, .noInput)
        case .current, .migrated: return (trace, .success)
        case .failed, .unrecognized: return (trace, .documentsFailed)
        }
    }
}
