import DocumentModel
import DocumentSources
import MigrationCore

/// Prints a check report in the format that was asked for: what can be printed at once, at once.
final class CheckPrinter: Sendable {
    private let format: CheckFormat
    private let report = Locked(CheckReport())

    init(format: CheckFormat) { self.format = format }

    /// The number of documents so far.
    var documentCount: Int { report.withLock { $0.counts.documents } }

    /// Whether every document so far is current or migrates.
    var isClean: Bool {
        report.withLock { report in
            report.counts[.failed] + report.counts[.unrecognized] + report.counts[.unreadable] == 0
        }
    }

    /// Adds a document, and prints it where every document has lines of its own.
    ///
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, of document: DocumentReference) throws {
        report.withLock { $0.add(result, keepingResult: format == .json) }
        switch format {
        case .text: try Console.print(CheckText.lines(for: result, of: document))
        case .jsonl: try Console.print(JSONText.text(of: result, layout: .compact))
        case .json: break
        }
    }

    /// Prints what can be said only at the end.
    ///
    /// - Throws: `EncodingError`.
    func finish() throws {
        let report = report.withLock { $0 }
        switch format {
        case .text: try Console.print(CheckText.summary(of: report))
        case .jsonl: try Console.print(JSONText.text(of: CheckReport.Summary(report), layout: .compact))
        case .json: try Console.print(JSONText.text(of: report, layout: .pretty))
        }
    }
}
