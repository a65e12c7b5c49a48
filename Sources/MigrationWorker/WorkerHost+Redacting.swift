import DocumentModel
import MigrationCore

extension WorkerHost {
    /// Returns a copy of a traced document with other values of the same form, which ends in the same way.
    ///
    /// - Parameters:
    ///   - request: The request that the trace answers.
    ///   - redactsNames: Whether to replace the names of members too.
    ///   - isCancelled: Called now and then. If it returns true, the work ends at once.
    ///   - progress: Called with the number of runs so far.
    /// - Throws: ``RedactionProblem``; ``WorkerError``; `SourceError` if the document can no longer be read; another
    ///   error if the work was cancelled, or the document cannot be written in its format.
    package func redacting(
        _ trace: MigrationTrace, of request: WorkerRequest, redactsNames: Bool,
        isCancelled: @escaping () -> Bool = { false }, progress: (Int) -> Void = { _ in }
    ) throws -> Redaction {
        guard let document = trace.document else { throw RedactionProblem.noDocument }
        // Without a chain, no migration is run.
        if let chain = trace.chain, try !mayExperiment(with: trace) {
            throw RedactionProblem.notRepeatable(chain: chain)
        }
        var runner = ExperimentRunner(
            self, trace, of: request, source: document, isRecognized: true, isCancelled: isCancelled)
        let replacements = Replacements()
        guard let original = try runner.trace(of: document),
            try runner.trace(of: document)?.ends(like: original, replacements) == true
        else { throw RedactionProblem.endsDifferently }
        return try DocumentRedactor.redact(document, redactsNames: redactsNames, replacements: replacements) {
            defer { progress(runner.count) }
            return try runner.trace(of: $0)?.ends(like: original, replacements) ?? false
        }
    }
}
