import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Prints a check report in the format that was asked for: what can be printed at once, at once.
final class CheckPrinter: Sendable {
    private let format: CheckFormat
    private let progress: ProgressLine?
    private let isStrict: Bool
    /// What is said of committed states; nil where documents are no states of a file.
    private let history: Locked<HistoryText>?
    private let lossyCount = Locked(0)
    private let unexamined = Locked(0)
    private let report = Locked(CheckReport())
    /// Lines that are still to be written: to write each one alone takes as long as to check a small document.
    private let lines = Locked("")

    /// Prepares a printer.
    ///
    /// - Parameters:
    ///   - isStrict: Whether a document that drops or loses something counts as failed.
    ///   - isHistory: Whether the documents are the committed states of files.
    ///   - progress: What is drawn on the terminal that the report goes to; nil if nothing is.
    init(format: CheckFormat, isStrict: Bool = false, isHistory: Bool = false, progress: ProgressLine? = nil) {
        history = isHistory ? Locked(HistoryText()) : nil
        self.format = format
        self.isStrict = isStrict
        self.progress = progress
    }

    /// The number of documents so far.
    var documentCount: Int { report.withLock { $0.counts.documents } }

    /// How many documents migrated without anybody looking for losses.
    var unexaminedCount: Int { unexamined.withLock { $0 } }

    /// Whether every document so far is current or migrates, and loses nothing where that counts.
    var isClean: Bool {
        if isStrict, lossyCount.withLock({ $0 > 0 }) { return false }
        return areAllPassed
    }

    private var areAllPassed: Bool {
        report.withLock { report in
            report.counts[.failed] + report.counts[.unrecognized] + report.counts[.unreadable] == 0
        }
    }

    /// Adds a document; where every document has lines of its own, the next ``flush()`` prints them.
    ///
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, of document: DocumentReference) throws {
        report.withLock { $0.add(result, keepingResult: format == .json) }
        if result.isPassed, result.isLossy { lossyCount.withLock { $0 += 1 } }
        if result.outcome == .migrated, result.lost == nil { unexamined.withLock { $0 += 1 } }
        let text: String
        switch format {
        case .text:
            text =
                history?.withLock { $0.lines(for: result, of: document) } ?? CheckText.lines(for: result, of: document)
        case .jsonl: text = try JSONText.text(of: result, layout: .compact)
        case .json: return
        }
        lines.withLock { $0 += text + "\n" }
    }

    /// Prints the lines that were added since.
    ///
    /// - Throws: ``ConsoleError``.
    func flush() throws {
        guard lines.withLock({ !$0.isEmpty }) else { return }
        let write = { [lines] in
            try lines.withLock { lines in
                defer { lines = "" }
                try Console.write(Data(lines.utf8))
            }
        }
        if let progress { try progress.clear(write) } else { try write() }
    }

    /// Prints what is left, and what can be said only at the end.
    ///
    /// - Throws: `EncodingError`, ``ConsoleError``.
    func finish() throws {
        try flush()
        let report = report.withLock { $0 }
        switch format {
        case .text:
            if let ending = history?.withLock({ $0.ending }), !ending.isEmpty { try Console.print(ending) }
            try Console.print(CheckText.summary(of: report))
            let count = lossyCount.withLock { $0 }
            if isStrict, count > 0 { try Console.print(CheckText.lossy(count)) }
        case .jsonl: try Console.print(JSONText.text(of: CheckReport.Summary(report), layout: .compact))
        case .json: try Console.print(JSONText.text(of: report, layout: .pretty))
        }
    }
}
