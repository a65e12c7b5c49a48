import DocumentModel
import DocumentSources
import MigrationCore

/// A document named on the command line, for the commands that take just one.
enum OneDocument {
    /// The trace of the document, and the exit status that its outcome calls for. When the document cannot be read, that has been said
    /// on standard error.
    static func trace(
        _ path: String, opener: DocumentOpener, name: String
    ) -> (trace: MigrationTrace?, status: ExitStatus) {
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
