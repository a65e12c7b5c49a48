import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Prints a check report in the format that was asked for: what can be printed at once, at once.
final class CheckPrinter: Sendable {
    private let reporting: CheckReporting
    private let progress: ProgressLine?
    private let state: Locked<State>

    fileprivate struct State {
        var report = CheckReport()
        /// What is said of committed states; nil where documents are no states of a file.
        var history: HistoryText?
        var tests = JUnitReport()
        var baseline: Baseline?
        /// How many documents pass, and lose something.
        var lossyCount = 0
        /// How many documents migrated without anybody looking for losses.
        var unexaminedCount = 0
        /// How many documents fail, and are no failures of the baseline.
        var failedCount = 0
        /// Lines that are still to be written: to write each one alone takes as long as to check a small document.
        var lines = ""
    }

    /// Prepares a printer.
    ///
    /// - Parameters:
    ///   - isHistory: Whether the documents are the committed states of files.
    ///   - baseline: The failures that do not fail the run.
    ///   - progress: What is drawn on the terminal that the report goes to; nil if nothing is.
    init(
        _ reporting: CheckReporting, isHistory: Bool = false, baseline: Baseline? = nil, progress: ProgressLine? = nil
    ) {
        self.reporting = reporting
        self.progress = progress
        state = Locked(State(history: isHistory ? HistoryText() : nil, baseline: baseline))
    }

    /// The number of documents so far.
    var documentCount: Int { state.withLock { $0.report.counts.documents } }

    /// How many documents migrated without anybody looking for losses.
    var unexaminedCount: Int { state.withLock { $0.unexaminedCount } }

    /// Whether every document so far is current or migrates, or fails as it did before, and loses nothing where that
    /// counts.
    var isClean: Bool {
        state.withLock { $0.failedCount == 0 && (!reporting.isStrict || $0.lossyCount == 0) }
    }

    /// Adds a document; where every document has lines of its own, the next ``flush()`` prints them.
    ///
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, of document: DocumentReference) throws {
        try state.withLock { state in
            let isPrinted = reporting.kinds?.contains { $0.includes(result) } ?? true
            state.report.add(result, keepingResult: isPrinted && reporting.format == .json)
            let isKnown = state.baseline?.meet(result) ?? false
            if result.outcome.isProblem, !isKnown { state.failedCount += 1 }
            if result.isPassed, result.isLossy { state.lossyCount += 1 }
            if result.outcome == .migrated, result.lost == nil { state.unexaminedCount += 1 }
            // What turns over time shows beside states that are not printed.
            let states = state.history?.lines(for: result, of: document)
            if isPrinted { try state.add(result, of: document, text: states, isKnown: isKnown, reporting) }
        }
    }

    /// Prints the lines that were added since.
    ///
    /// - Throws: ``ConsoleError``.
    func flush() throws {
        let write = { [state] in
            try state.withLock { state in
                guard !state.lines.isEmpty else { return }
                defer { state.lines = "" }
                try Console.write(Data(state.lines.utf8))
            }
        }
        guard state.withLock({ !$0.lines.isEmpty }) else { return }
        if let progress { try progress.clear(write) } else { try write() }
    }

    /// Prints what is left, and what can be said only at the end.
    ///
    /// - Throws: `EncodingError`, ``ConsoleError``.
    func finish() throws {
        try flush()
        let state = state.withLock { $0 }
        let report = state.report
        let comparison = state.baseline?.lines ?? []
        switch reporting.format {
        case .text:
            if let ending = state.history?.ending, !ending.isEmpty { try Console.print(ending) }
            try Console.print(CheckText.summary(of: report))
            if reporting.isStrict, state.lossyCount > 0 { try Console.print(CheckText.lossy(state.lossyCount)) }
            for line in comparison { try Console.print(SafeText.line(line)) }
            return
        case .github: try Console.print(CheckText.counts(of: report))
        case .junit: try Console.print(state.tests.text)
        case .jsonl: try Console.print(JSONText.text(of: CheckReport.Summary(report), layout: .compact))
        case .json: try Console.print(JSONText.text(of: report, layout: .pretty))
        }
        comparison.forEach(Console.complain)
    }
}

extension CheckPrinter.State {
    fileprivate mutating func add(
        _ result: CheckResult, of document: DocumentReference, text: String?, isKnown: Bool, _ reporting: CheckReporting
    ) throws {
        // In sentences, places are those of the file that the document is a line of.
        var told = result
        told.failure = result.failure.map(document.tells)
        switch reporting.format {
        case .text:
            lines += (text ?? CheckText.lines(for: result, of: document, isKnown: isKnown)) + "\n"
        case .jsonl: lines += try JSONText.text(of: result, layout: .compact) + "\n"
        case .github:
            for line in WorkflowCommands.lines(for: told, isKnown: isKnown, isStrict: reporting.isStrict) {
                lines += line + "\n"
            }
        case .junit:
            let excerpt = result.outcome.isProblem ? SourceExcerpt.lines(for: result, of: document) : []
            tests.add(told, excerpt: excerpt, isKnown: isKnown, isStrict: reporting.isStrict)
        case .json: break
        }
    }
}
