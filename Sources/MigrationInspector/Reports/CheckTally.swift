import DocumentModel
import DocumentSources
import MigrationCore

/// Counts the documents of a check report, judges them, and determines the exit status. It knows no format.
struct CheckTally {
    /// A document of the report, with the judgment on it.
    struct Entry {
        let result: CheckResult
        /// Nil if the result was read from an earlier report.
        var document: DocumentReference?
        /// The JSON Lines value that the result was read from, if any.
        var line: Document?
        /// Whether the failure is known, so that it doesn't fail the run.
        let isKnown: Bool
    }

    let reporting: CheckReporting
    /// The changes over time; nil if the documents aren't states of one thing.
    private(set) var turns: (any TurnsInTime)?
    /// The counts and causes.
    private var report = CheckReport()
    /// The observed versions, once all documents are known.
    private(set) var observed = ObservedCounts()
    private var baseline: Baseline?
    /// The number of documents that pass but lose something.
    private(set) var lossyCount = 0
    /// The number of passing documents that weren't completely examined.
    private(set) var unexaminedCount = 0
    /// The number of passing documents that lose something, or weren't completely examined, and aren't known from the
    /// baseline.
    private var newDoubtfulCount = 0
    /// The number of documents that fail and aren't known from the baseline.
    private var failedCount = 0
    /// The exit statuses for documents that couldn't be read.
    private var unread: Set<ExitStatus> = []
    /// The histories of a value that was followed, one for each document; empty if none was.
    var followed: [FollowedValueReport] = []

    init(_ reporting: CheckReporting, turns: (any TurnsInTime)?, baseline: Baseline?) {
        (self.reporting, self.turns, self.baseline) = (reporting, turns, baseline)
        self.baseline?.countsLosses = reporting.isStrict
    }

    /// Counts a document of which everything is known.
    ///
    /// - Returns: The document to print; nil if the user didn't ask for documents of its kind.
    mutating func add(_ result: CheckResult, of document: DocumentReference) -> Entry? {
        report.add(result, keepingResult: false)
        observed.add(result)
        turns?.add(result, of: document)
        if result.outcome == .unreadable {
            let status = ExitStatus(notRead: result.failure?.reason)
            // A document that was found in a folder wasn't named by the user.
            if status == .software || document.isGiven { unread.insert(status) }
        }
        return judge(result, document: document)
    }

    /// Judges a document of an earlier report, whose counts are added separately.
    ///
    /// - Returns: The document to print; nil if the user didn't ask for documents of its kind.
    mutating func add(_ result: CheckResult, writtenAs line: Document?) -> Entry? { judge(result, line: line) }

    /// Adds the counts and causes of an earlier report.
    ///
    /// - Throws: ``ReportProblem``.
    mutating func add(_ other: CheckReport) throws(ReportProblem) {
        do { try report.add(other) } catch { throw .tooManyDocuments }
    }

    private mutating func judge(
        _ result: CheckResult, document: DocumentReference? = nil, line: Document? = nil
    ) -> Entry? {
        let isKnown = baseline?.meet(result) ?? false
        if result.outcome.isProblem, !isKnown { failedCount += 1 }
        if result.isPassed {
            // A report made without looking for losses doesn't show that there are none.
            let isExamined = result.examined?.isWhole ?? !(reporting.isStrict && result.outcome == .migrated)
            let isDoubtful = result.isLossy || !isExamined || result.reopens?.failure != nil
            if result.isLossy { lossyCount += 1 }
            if !isExamined { unexaminedCount += 1 }
            if isDoubtful, !isKnown { newDoubtfulCount += 1 }
        }
        guard reporting.kinds?.contains(where: { $0.includes(result) }) != false else { return nil }
        return Entry(result: result, document: document, line: line, isKnown: isKnown)
    }

    /// The number of documents so far.
    var documentCount: Int { report.counts.documents }

    /// The comparison with the baseline, as lines of text.
    var comparison: [String] { baseline?.lines ?? [] }

    /// The report on all documents, without their results.
    var summary: CheckReport {
        var report = report
        if documentCount > 0 { report.exitStatus = Int(status.rawValue) }
        report.history = turns?.summary
        report.followed = followed.isEmpty ? nil : followed.flatMap(\.rows)
        return report
    }

    /// What became of the documents over time, and of a value that was followed.
    var sections: [HistorySection] { (turns?.sections ?? []) + followed.map(\.section) }

    /// The status for all documents. It's a success if there are some, every one of them is current, migrates, or has a
    /// known failure, and, in strict mode, none of them loses anything.
    var status: ExitStatus {
        if documentCount == 0 { return .documentsFailed }
        let merged = report.exitStatus.flatMap { ExitStatus(rawValue: Int32($0)) }
        for status in [ExitStatus.software, .noInput] where unread.contains(status) || merged == status {
            return status
        }
        if reporting.isStrict, newDoubtfulCount > 0 { return .documentsFailed }
        if baseline != nil { return failedCount == 0 ? .success : .documentsFailed }
        return merged ?? (report.counts.areAllPassed ? .success : .documentsFailed)
    }
}

/// What changes over time among documents that are states of one thing.
protocol TurnsInTime: Sendable {
    /// Adds the next state.
    mutating func add(_ result: CheckResult, of document: DocumentReference)

    /// The changes, for a report in a format that programs read.
    var summary: HistorySummary { get }

    /// The changes, newest first, in parts of a report that people read; empty if there are none.
    var sections: [HistorySection] { get }
}
