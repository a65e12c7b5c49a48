import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Prints a check report in the requested format, as soon as its parts are available.
final class CheckPrinter: Sendable {
    private let reporting: CheckReporting
    private let progress: ProgressLine?
    private let state: Locked<State>

    fileprivate struct State {
        var report = CheckReport()
        /// The results of a report that is printed as a whole.
        var results: [CheckResult] = []
        /// The text about committed states; nil if the documents aren't states of a file.
        var history: HistoryText?
        var tests = JUnitReport()
        var baseline: Baseline?
        /// The number of documents that pass but lose something.
        var lossyCount = 0
        /// The number of passing documents that lose something, or weren't completely examined, and aren't known from
        /// the baseline.
        var newDoubtfulCount = 0
        /// The number of passing documents that weren't completely examined.
        var unexaminedCount = 0
        /// The number of documents that fail and aren't known from the baseline.
        var failedCount = 0
        /// The exit statuses for documents that couldn't be read.
        var unread: Set<ExitStatus> = []
        /// Lines that haven't been written yet. Writing each one separately would take as long as checking a small
        /// document.
        var lines = ""
        var resultLines = ResultLines()
    }

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - isHistory: Whether the documents are the committed states of files.
    ///   - baseline: The earlier failures, which don't fail the run.
    ///   - progress: The progress line on the terminal that the report is printed to; nil if there is none.
    init(
        _ reporting: CheckReporting, isHistory: Bool = false, baseline: Baseline? = nil, progress: ProgressLine? = nil
    ) {
        self.reporting = reporting
        self.progress = progress
        var baseline = baseline
        baseline?.countsLosses = reporting.isStrict
        state = Locked(State(history: isHistory ? HistoryText() : nil, baseline: baseline))
    }

    /// The number of documents so far.
    var documentCount: Int { state.withLock { $0.report.counts.documents } }

    /// Adds a document. If the format has lines for each document, the next ``flush()`` prints them.
    ///
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, of document: DocumentReference) throws {
        try state.withLock { state in
            state.report.add(result, keepingResult: false)
            if result.outcome == .unreadable {
                let status = ExitStatus(notRead: result.failure?.reason)
                // A document that was found in a folder wasn't named by the user.
                if status == .software || document.isGiven { state.unread.insert(status) }
            }
            let (isPrinted, isKnown) = state.judge(result, reporting)
            // Add every state, because changes over time involve states that aren't printed.
            let states = state.history?.lines(for: result, of: document)
            if isPrinted { try state.add(result, of: document, text: states, isKnown: isKnown, reporting) }
        }
    }

    /// Adds a document of an earlier report. The counts of that report are added separately.
    ///
    /// - Parameter line: The JSON Lines value that the result was read from, if any. It's printed with all its members,
    ///   known or not.
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, writtenAs line: Document?) throws {
        try state.withLock { state in
            let (isPrinted, isKnown) = state.judge(result, reporting)
            guard isPrinted else { return }
            if reporting.format == .jsonl, let line {
                state.lines += JSONText.text(of: line) + "\n"
            } else {
                try state.add(result, excerpt: [], isKnown: isKnown, reporting)
            }
        }
        if state.withLock({ $0.lines.utf8.count }) >= 1 << 16 { try flush() }
    }

    /// Adds the counts and causes of an earlier report.
    ///
    /// - Throws: ``ReportProblem``.
    func add(_ report: CheckReport) throws {
        do { try state.withLock { try $0.report.add(report) } } catch is CheckReport.TooManyDocuments {
            throw ReportProblem.tooManyDocuments
        }
    }

    /// Prints the lines that were added since the last call.
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

    /// Prints the remaining lines, and everything that is known only at the end.
    ///
    /// - Returns: The status for all documents. It isn't a success if there are none.
    /// - Throws: `EncodingError`, ``ConsoleError``.
    func finish() throws -> ExitStatus {
        try flush()
        let state = state.withLock { $0 }
        var report = state.report
        let status = state.status(isStrict: reporting.isStrict)
        if report.counts.documents > 0 { report.exitStatus = Int(status.rawValue) }
        report.history = state.history?.summary
        try finish(state, report.with(results: state.results))
        return report.counts.documents > 0 ? status : .documentsFailed
    }

    private func finish(_ state: State, _ report: CheckReport) throws {
        let comparison = state.baseline?.lines ?? []
        switch reporting.format {
        case .text:
            if let ending = state.history?.ending, !ending.isEmpty { try Console.print(ending) }
            try Console.print(CheckText.summary(of: report))
            if reporting.isStrict, state.lossyCount > 0 { try Console.print(CheckText.lossy(state.lossyCount)) }
            if state.unexaminedCount > 0 { try Console.print(CheckText.notExamined(state.unexaminedCount)) }
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
    /// Returns the status for all documents, if there are any. It's a success if every document is current, migrates,
    /// or has a known failure, and, in strict mode, none of them loses anything.
    fileprivate func status(isStrict: Bool) -> ExitStatus {
        let merged = report.exitStatus.flatMap { ExitStatus(rawValue: Int32($0)) }
        for status in [ExitStatus.software, .noInput] where unread.contains(status) || merged == status {
            return status
        }
        if isStrict, newDoubtfulCount > 0 { return .documentsFailed }
        if baseline != nil { return failedCount == 0 ? .success : .documentsFailed }
        return merged ?? (report.counts.areAllPassed ? .success : .documentsFailed)
    }

    /// Counts a document, and returns whether it's printed and whether its failure is known.
    fileprivate mutating func judge(
        _ result: CheckResult, _ reporting: CheckReporting
    ) -> (isPrinted: Bool, isKnown: Bool) {
        let isKnown = baseline?.meet(result) ?? false
        if result.outcome.isProblem, !isKnown { failedCount += 1 }
        if result.isPassed, result.isLossy { lossyCount += 1 }
        // A report made without looking for losses doesn't show that there are none.
        let isExamined = result.examined?.isWhole ?? !(reporting.isStrict && result.outcome == .migrated)
        if result.isPassed, !isExamined { unexaminedCount += 1 }
        let isDoubtful = result.isLossy || !isExamined || result.reopens?.failure != nil
        if result.isPassed, isDoubtful, !isKnown { newDoubtfulCount += 1 }
        return (reporting.kinds?.contains { $0.includes(result) } ?? true, isKnown)
    }

    fileprivate mutating func add(
        _ result: CheckResult, of document: DocumentReference, text: String?, isKnown: Bool, _ reporting: CheckReporting
    ) throws {
        let isExcerptWanted = reporting.format == .junit && result.outcome.isProblem
        let excerpt = isExcerptWanted ? SourceExcerpt.lines(for: result, of: document) : []
        try add(result, text: text, excerpt: excerpt, isKnown: isKnown, reporting)
    }

    /// - Parameter text: The text for the document, if it differs from the usual one.
    fileprivate mutating func add(
        _ result: CheckResult, text: String? = nil, excerpt: [String], isKnown: Bool, _ reporting: CheckReporting
    ) throws {
        switch reporting.format {
        case .text: lines += (text ?? CheckText.lines(for: result, isKnown: isKnown)) + "\n"
        case .jsonl: lines += try resultLines.line(for: result) + "\n"
        case .github:
            for line in WorkflowCommands.lines(for: result.reported, isKnown: isKnown, isStrict: reporting.isStrict) {
                lines += line + "\n"
            }
        case .junit:
            tests.add(result.reported, excerpt: excerpt, isKnown: isKnown, isStrict: reporting.isStrict)
        case .json: results.append(result)
        }
    }
}
