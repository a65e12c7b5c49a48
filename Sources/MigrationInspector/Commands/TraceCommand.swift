import DocumentModel
import DocumentSources
import MigrationCore

/// `trace`: prints the whole trace of one document.
struct TraceCommand {
    let opener: Opener
    let given: GivenName
    /// The documents whose values experiments may use.
    let lenders: DocumentWalker
    let format: TraceFormat

    func run() throws -> ExitStatus {
        let (given, rest) = try OneDocument.readable(given)
        var opener = opener
        try opener.resolveEdits(given)
        let (trace, status) = try OneDocument.trace(given, opener: opener, experiments: .all(lenders))
        guard let trace else { return status }
        switch format {
        case .json: try Console.print(JSONText.text(of: trace))
        // Everything about the document has already been reported.
        case .text where trace.outcome == .unreadable, .markdown where trace.outcome == .unreadable: break
        // A page is handed on without the messages on standard error, so it contains what they say.
        case .html:
            try Console.print(
                TracePage.text(of: trace, given.document, source: source(of: trace, given), edits: opener.edits))
        case .markdown:
            try Console.print(
                TraceStory.text(of: trace, given.document, source: source(of: trace, given), edits: opener.edits))
        case .text:
            var lines = Console.Lines()
            try TraceText.write(trace, given.document, source: source(of: trace, given), edits: opener.edits) {
                try lines.print($0)
            }
            try lines.flush()
        }
        return status == .success ? rest : status
    }

    /// Returns the bytes of the document. If the document is malformed, the trace doesn't contain them, so they are
    /// read again.
    private func source(of trace: MigrationTrace, _ given: GivenName) -> SourceBytes? {
        if let document = trace.document { return document.source }
        return try? given.document.read()
    }
}
