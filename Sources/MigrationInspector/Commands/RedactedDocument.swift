import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// A redacted copy of a document, which commands open in place of the document. Everything that they print is made from
/// the copy.
struct RedactedDocument {
    let given: GivenName
    let opener: Opener

    /// Redacts a document, and reports what is as in the document on standard error. Messages about the copy
    /// contain no name or value of the document; if it cannot be read, there is no copy, and the message names the file.
    ///
    /// - Returns: The copy; or the exit status if there is none, after reporting why.
    /// - Throws: ``UsageError`` if there are several documents, or no experiments are made; ``WorkerError``.
    static func make(
        of given: GivenName, _ choice: RedactionChoice, opener: Opener
    ) throws -> (copy: RedactedDocument?, status: ExitStatus) {
        let options = [(Option.noExperiments, !opener.makesExperiments), (.inProcess, opener.host.isInProcess)]
        if let (option, _) = options.first(where: \.1) { throw UsageError.exclusive(.redact, option) }
        let (given, rest) = try OneDocument.one(in: given)
        var opener = opener
        try opener.resolveEdits(given)
        let progress = ProgressLine()
        defer { progress.clear() }
        guard let trace = try opener.trace(given.document) else {
            Console.complain("\(given.path): \(CommandWords.notEdited)")
            return (nil, .usage)
        }
        if let failure = trace.failure, trace.outcome == .unreadable || trace.outcome == .deleted {
            Console.complain("\(given.path): \(failure.message)")
            return (nil, ExitStatus(notRead: failure.reason))
        }
        let name = FilePath(Redaction.name(of: trace.format ?? .json))
        if rest != nil { Console.complain("\(name): \(RedactionWords.partlyRead)") }
        do {
            let (redaction, opener) = try opener.redacting(
                trace, of: given.document, redactsNames: choice == .valuesAndNames,
                progress: { runs in progress.show { RedactionWords.redacting(runs: runs) } })
            progress.clear()
            for line in redaction.words(outcome: trace.outcome, hint: RedactionWords.hint) {
                Console.complain("\(name): \(SafeText.line(line))")
            }
            let document = redaction.document
            let bytes = SourceBytes(try document.textAsRead ?? document.data(like: document))
            return (
                RedactedDocument(given: GivenName(holding: bytes, as: name), opener: opener),
                rest == nil ? .success : .documentsFailed
            )
        } catch let problem as RedactionProblem {
            progress.clear()
            Console.complain("\(name): \(RedactionWords.notRedacted(because: problem))")
            return (nil, .documentsFailed)
        }
    }
}
