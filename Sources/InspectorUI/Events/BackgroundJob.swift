import DocumentModel
import MigrationCore

/// Work that may take longer than a key may: done on another thread, with nothing but the values it was made from.
public struct BackgroundJob: Sendable, Identifiable {
    /// Tells a result that is still wanted from one that comes too late.
    public struct ID: Hashable, Sendable {
        let serial: Int
    }

    public let id: ID
    let work: Work

    enum Work: Sendable {
        case filter(DocumentFilter, documents: [FoundDocument], outcomes: [MigrationOutcome?])
        case compare(before: Document, after: Document, DifferenceStyle, failed: [FailedPart] = [])
        case arrange(DocumentDifference, DifferenceStyle, failed: [FailedPart] = [])
        case failure(Document, MigrationFailure)
        case source(SourceRequest)
        case search(SearchRequest)
    }

    /// Does the work.
    ///
    /// - Parameter isCancelled: Asked now and then; when it says true the job ends early.
    /// - Returns: The event to hand to the ``Inspector``; nil when the job was cancelled.
    public func run(isCancelled: () -> Bool) -> InspectorEvent? {
        if isCancelled() { return nil }
        let value: JobResult.Value? =
            switch work {
            case .filter(let filter, let documents, let outcomes):
                filter.matching(documents, outcomes: outcomes, isCancelled: isCancelled).map { .filtered($0) }
            case .compare(let before, let after, let style, let failed):
                Self.compare(before, after, isCancelled).flatMap { Self.arrange($0, style, failed, isCancelled) }
            case .arrange(let difference, let style, let failed):
                Self.arrange(difference, style, failed, isCancelled)
            case .failure(let document, let failure):
                .rows(FailureRows.rows(document: document, failure: failure))
            case .source(let request):
                .source(request.text())
            case .search(let request):
                request.find(isCancelled: isCancelled).map { .found($0) }
            }
        return value.map { .finished(JobResult(id: id, value: $0)) }
    }

    /// nil when cancelled.
    private static func compare(
        _ before: Document, _ after: Document, _ isCancelled: () -> Bool
    ) -> DocumentDifference? {
        try? DocumentDifference(old: before.root, new: after.root) {
            if isCancelled() { throw CancellationError() }
        }
    }

    private static func arrange(
        _ difference: DocumentDifference, _ style: DifferenceStyle, _ failed: [FailedPart], _ isCancelled: () -> Bool
    ) -> JobResult.Value? {
        DifferenceRows.rows(difference, style: style, failed: failed, isCancelled: isCancelled)
            .map { .difference(difference, $0) }
    }
}

/// What a ``BackgroundJob`` found out.
public struct JobResult: Sendable {
    public let id: BackgroundJob.ID
    let value: Value

    enum Value: Sendable {
        case filtered([Int])
        case difference(DocumentDifference, DifferenceRows)
        case rows([StepRow])
        case source(SourceText?)
        case found(SearchResult)
    }
}
