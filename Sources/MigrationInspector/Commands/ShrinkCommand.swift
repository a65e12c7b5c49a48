import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `shrink`: writes the smallest document that fails in the same way to standard output.
struct ShrinkCommand {
    let opener: Opener
    let given: GivenName
    /// Documents whose values may prove the cause of the failure; empty if none were given.
    let lenders: DocumentWalker

    func run() throws -> ExitStatus {
        let options = [(Option.noExperiments, !opener.makesExperiments), (.inProcess, opener.host.isInProcess)]
        if let (option, _) = options.first(where: \.1) {
            Console.complain(CommandWords.noExperiments(with: option.name))
            return .usage
        }
        let given = try OneDocument.readable(given).given
        let (trace, status) = try OneDocument.trace(
            given, opener: opener, experiments: lenders.given.isEmpty ? .none : .all(lenders))
        guard let trace else { return status }
        guard let document = trace.document, let failure = trace.failure else {
            if trace.outcome == .unreadable { return status }
            let isUnrecognized = trace.outcome == .unrecognized
            let reason =
                trace.failure.map { given.document.relocated($0).sentence }
                ?? (isUnrecognized ? trace.reasonsForNoResult : CommandWords.doesNotFail)
            Console.complain("\(given.path): \(CommandWords.notShrunk(because: reason))")
            return .documentsFailed
        }
        guard try opener.host.mayExperiment(with: trace) else {
            let reason = CommandWords.notRepeatable(trace.chain ?? "")
            Console.complain("\(given.path): \(CommandWords.notShrunk(because: reason))")
            return .documentsFailed
        }
        let progress = ProgressLine()
        defer { progress.clear() }
        let shrunk: (document: Document, runs: Int)?
        do {
            shrunk = try opener.shrinking(
                trace, of: given.document,
                progress: { document, runs in
                    progress.show { CommandWords.shrinking(to: document.nodeCount, runs: runs) }
                })
        } catch let error as SourceError {
            progress.clear()
            Console.complain("\(given.path): \(error.reason)")
            return ExitStatus(notRead: .unreadable(problem: error.reason))
        }
        progress.clear()
        guard let shrunk else {
            Console.complain("\(given.path): \(CommandWords.notShrunk(because: CommandWords.failsDifferently))")
            return .documentsFailed
        }
        let data = try shrunk.document.data(like: document)
        Console.giveBack()
        try Console.write(document: data, in: document.format, of: given.path, for: .shrink)
        Console.complain(
            "\(given.path): \(failure.sentence); "
                + CommandWords.shrunk(from: document.byteCount, to: data.count, runs: shrunk.runs))
        return .success
    }
}
