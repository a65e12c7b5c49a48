import DocumentModel

extension MigrationChain {
    /// Returns a trace of the same document with other values of the same form, to hand on in its place, and what is as
    /// in the document.
    ///
    ///     let redacted = try chain.redacting(trace)
    ///     try JSONEncoder().encode(versioned: redacted.trace).write(to: reportURL)
    ///
    /// Letters, digits, dates and numbers are replaced by random ones, equal values by equal ones. Names of members,
    /// booleans, null, punctuation and the lengths of texts and lists stay. The chain runs with the new values, and the
    /// values that it needs to end in the same way are found and kept: they are ``Redaction/keptValues``. The source of
    /// the new trace is a neutral name.
    ///
    /// The migration runs many times, where this is called. A document that ends the process or runs without end does
    /// so here too.
    ///
    /// - Parameters:
    ///   - trace: A trace that this chain made.
    ///   - redactsNames: Whether to replace the names of members too, unless the chain needs them.
    /// - Throws: ``RedactionProblem``.
    public func redacting(
        _ trace: MigrationTrace, redactsNames: Bool = false
    ) throws -> (trace: MigrationTrace, redaction: Redaction) {
        try redacting(trace, redactsNames: redactsNames, Replacements())
    }

    func redacting(
        _ trace: MigrationTrace, redactsNames: Bool, _ replacements: Replacements
    ) throws -> (trace: MigrationTrace, redaction: Redaction) {
        guard let document = trace.document else { throw RedactionProblem.noDocument }
        guard isRepeatable else { throw RedactionProblem.notRepeatable(chain: name) }
        func run(_ document: Document) -> MigrationTrace {
            self.trace(document, source: Redaction.name(of: document.format), to: trace.target)
        }
        let original = run(document)
        guard original.outcome == trace.outcome, run(document).ends(like: original, replacements) else {
            throw RedactionProblem.endsDifferently
        }
        let redaction = try DocumentRedactor.redact(
            document, redactsNames: redactsNames, replacements: replacements
        ) { run($0).ends(like: original, replacements) }
        return (run(redaction.document), redaction)
    }
}

/// Why a document was not redacted.
public enum RedactionProblem: Error, Sendable, Hashable {
    /// There is no document: it could not be read or parsed.
    case noDocument
    /// No experiments are made.
    case noExperiments
    /// The chain says that its migrations must not be repeated.
    case notRepeatable(chain: String)
    /// The unchanged document ends in another way each time.
    case endsDifferently
    /// The document cannot be written in its format.
    case notWritable
    /// It takes more runs than are allowed to find the values that must be kept.
    case budgetSpent
}
