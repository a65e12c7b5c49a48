import DocumentModel
import DocumentSources
import MigrationCore

/// A document named on the command line, for the commands that take just one.
enum OneDocument {
    /// A JSON Lines file of more than one line is more than one document.
    private static func refuseManyLines(_ path: String) throws(UsageError) {
        let reference = DocumentReference(resolving: path)
        guard let (first, count) = DocumentReader().lines(of: reference), count > 1 else { return }
        throw UsageError(
            message: "\(path) holds \(count) documents, one in each line; name the one that is meant, as \(first)")
    }

    /// The trace of the document, and the exit status that its outcome calls for. When the document cannot be read, that has been said
    /// on standard error.
    static func trace(
        _ path: String, opener: DocumentOpener, name: String
    ) throws(UsageError) -> (trace: MigrationTrace?, status: ExitStatus) {
        try refuseManyLines(path)
        let progress = ProgressLine()
        let trace = opener.trace(
            DocumentReference(resolving: path),
            progress: { share in progress.show { "reading: \(Int(share * 100)) %" } })
        progress.clear()
        guard let trace else { return (nil, .software) }
        switch trace.outcome {
        case .unreadable:
            Console.error(SafeText.line("\(name): \(path): \(trace.failure?.message ?? "cannot be read")"))
            return (trace, .noInput)
        case .current, .migrated: return (trace, .success)
        case .failed, .unrecognized: return (trace, .documentsFailed)
        }
    }
}
