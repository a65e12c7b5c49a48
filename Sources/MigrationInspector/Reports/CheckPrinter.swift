import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Prints a check report in the requested format, as soon as its parts are available.
final class CheckPrinter: Sendable {
    private let versions: VersionObservation
    private let progress: ProgressLine?
    private let state: Locked<State>

    private struct State {
        var tally: CheckTally
        var writer: any CheckWriter
        /// The documents that wait until all are known, because they, or documents before them, may have a version that
        /// only a comparison with the others shows.
        var awaiting: [(result: CheckResult, document: DocumentReference)] = []
        /// Lines that haven't been written yet. Writing each one separately would take as long as checking a small
        /// document.
        var lines = ""

        mutating func write(_ entry: CheckTally.Entry?) throws {
            guard let entry, let text = try writer.lines(for: entry) else { return }
            lines += text
            lines += "\n"
        }
    }

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - turns: The changes over time, if the documents are states of one thing.
    ///   - versions: Which versions are observed in documents of no chain.
    ///   - baseline: The earlier failures, which don't fail the run.
    ///   - progress: The progress line on the terminal that the report is printed to; nil if there is none.
    init(
        _ reporting: CheckReporting, turns: (any TurnsInTime)? = nil,
        versions: VersionObservation = VersionObservation(), baseline: Baseline? = nil, progress: ProgressLine? = nil
    ) {
        self.versions = versions
        self.progress = progress
        state = Locked(
            State(
                tally: CheckTally(reporting, turns: turns, baseline: baseline),
                writer: reporting.format.writer.init(reporting, areStates: versions.areStates)))
    }

    /// The number of documents so far.
    var documentCount: Int {
        state.withLock { state in
            state.tally.documentCount + state.awaiting.count { $0.result.outcome != .deleted }
        }
    }

    /// Adds a document. If the format has lines for each document, the next ``flush()`` prints them.
    ///
    /// - Throws: `EncodingError`.
    func add(_ result: CheckResult, of document: DocumentReference) throws {
        try state.withLock { state in
            if !state.awaiting.isEmpty || versions.awaitsOthers(result) {
                state.awaiting.append((result, document))
            } else {
                var result = result
                result.observed = versions.version(of: result)
                try state.write(state.tally.add(result, of: document))
            }
        }
    }

    /// Adds the documents that waited for all others.
    private func addAwaiting() throws {
        try state.withLock { state in
            let choices = versions.choices(among: state.awaiting)
            let awaiting = state.awaiting
            state.awaiting = []
            for (result, document) in awaiting {
                var result = result
                result.observed = choices.version(of: result, document)
                try state.write(state.tally.add(result, of: document))
            }
        }
    }

    /// Adds a document of an earlier report. The counts of that report are added separately.
    ///
    /// - Parameter line: The JSON Lines value that the result was read from, if any.
    /// - Throws: `EncodingError`, ``ConsoleError``.
    func add(_ result: CheckResult, writtenAs line: Document?) throws {
        let byteCount = try state.withLock { state in
            try state.write(state.tally.add(result, writtenAs: line))
            return state.lines.utf8.count
        }
        if byteCount >= 1 << 16 { try flush() }
    }

    /// Adds the counts and causes of an earlier report.
    ///
    /// - Throws: ``ReportProblem``.
    func add(_ report: CheckReport) throws { try state.withLock { try $0.tally.add(report) } }

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
    /// - Parameter followed: The histories of a value that was followed through the documents.
    /// - Returns: The status for all documents. It isn't a success if there are none.
    /// - Throws: `EncodingError`, ``ConsoleError``.
    func finish(followed: [FollowedValueReport] = []) throws -> ExitStatus {
        try addAwaiting()
        try flush()
        var (tally, writer) = state.withLock { ($0.tally, $0.writer) }
        tally.followed = followed
        try Console.print(try writer.ending(tally))
        if !type(of: writer).isForUsers { tally.comparison.forEach(Console.complain) }
        return tally.status
    }
}
