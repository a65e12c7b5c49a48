import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// `check`: every document's outcome, without a screen.
struct CheckCommand {
    let opener: Opener
    let walker: DocumentWalker
    let reporting: CheckReporting
    /// What orders the documents of one place in time; nil to keep their order there.
    var order: OrderKey?

    func run() throws -> ExitStatus {
        if reporting.shard != nil, let stream = walker.given.first(where: \.isReadOnce) {
            throw UsageError.shardOfInput(stream.path)
        }
        let baseline: Baseline?
        do {
            baseline = try reporting.baseline.map { try Baseline(reading: $0) }
        } catch let error where error is SourceError || error is ReportError {
            Console.complain("\(error)")
            return .noInput
        }
        let failure = FirstError()
        let progress = ProgressLine()
        let isHistory = walker.given.contains(where: \.isHistory)
        let isOfParts = walker.given.count == 1 && walker.given[0].isOfParts
        let ordered = order != nil || isOfParts ? OrderedStates(by: order, areOneDocument: isOfParts) : nil
        let writer = reporting.format.writer
        let isStreamed = walker.given.contains(where: \.isReadOnce) && !writer.waitsForStreams
        let isOneTerminal = isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0
        let printer = CheckPrinter(
            reporting, turns: isHistory ? HistoryText() : ordered,
            versions: VersionObservation(areStates: isHistory, key: opener.versionKey, canWait: !isStreamed),
            baseline: baseline, progress: isOneTerminal ? progress : nil)
        let states = Locked<[(document: DocumentReference, version: DocumentVersion?)]>([])
        let count = { @Sendable in "checking: \(printer.documentCount) documents" }
        let show = { @Sendable (document: DocumentReference, work: WorkerProgress) in
            progress.show { "\(count()); \(document.name) \(work.shown.words())" }
        }
        let checks = opener.checks(
            findsLosses: reporting.isStrict, isTimed: writer.isTimed, progress: show
        ) { _, document, result in
            if reporting.followed != nil {
                let isOpened = result.outcome == .current || result.outcome == .migrated
                states.withLock { $0.append((document, isOpened ? result.version : nil)) }
            }
            failure.keep { try printer.add(result, of: document) }
            if result.outcome == .unreadable, document.isGiven {
                let message = result.failure?.message ?? "unreadable"
                progress.clear()
                // Users at a terminal read the report, which already says it.
                if !isOneTerminal || !writer.isForUsers { Console.complain("\(result.source): \(message)") }
            }
            progress.show(count)
        } pause: {
            failure.keep { try printer.flush() }
        }
        StoreCopying.onProgress.withLock {
            $0 = { file, share in progress.show { CommandWords.copying(file, share: share) } }
        }
        defer { StoreCopying.onProgress.withLock { $0 = nil } }
        let part = try reporting.shard.map { shard in (shard, total: try documentCount()) }
        let range = part.map { shard, total in shard.range(of: total) }
        let found = Locked(0)
        let check = { (documents: [DocumentReference]) in
            let first = found.withLock { found in
                defer { found += documents.count }
                return found
            }
            for (number, document) in zip(first..., documents) where range?.contains(number) != false {
                checks.add(document)
            }
        }
        let unordered = Locked<[DocumentReference]>([])
        let leftOut = try walker.walk { documents in
            if order == nil { check(documents) } else { unordered.withLock { $0 += documents } }
        }
        if let order, let ordered {
            let (documents, isKnown) = ordered.ordered(unordered.withLock { $0 })
            if !isKnown { Console.complain(CommandWords.notOrdered(by: order)) }
            check(documents)
        }
        try checks.finish()
        progress.clear()
        var status = ExitStatus.software
        var followed: [FollowedValueReport] = []
        if let value = reporting.followed {
            let states = StatesInTime.each(of: states.withLock { $0 }, opener: opener, isMigrated: value.isMigrated)
            followed = try FollowedValueReport.reports(value, in: states)
        }
        failure.keep { status = try printer.finish(followed: followed) }
        try failure.rethrow()
        for (chain, version) in try opener.host.shortenedSteps() {
            Console.complain(CommandWords.shortenedTime(onTheWayTo: version, of: chain))
        }
        for (chain, version) in try opener.host.unaskableTypes() {
            Console.complain(CommandWords.unaskable(version, of: chain))
        }
        if let words = CommandWords.leftOut(leftOut) { Console.complain(words) }
        guard printer.documentCount == 0 else { return status }
        // There may be more parts than documents, so a part may be empty.
        if let part, part.total > 0 { return .success }
        Console.complain(CommandWords.noDocuments(in: walker.given.map(\.path)))
        return status
    }

    /// Returns the number of all documents, which determines the ranges of the parts.
    private func documentCount() throws -> Int {
        let count = Locked(0)
        try walker.walk { documents in count.withLock { $0 += documents.count } }
        return count.withLock { $0 }
    }
}

/// Keeps the first error of many tasks until all of them are done.
final class FirstError: Sendable {
    private let error = Locked<(any Error)?>(nil)

    func keep(_ work: () throws -> Void) {
        do { try work() } catch { self.error.withLock { $0 = $0 ?? error } }
    }

    func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
