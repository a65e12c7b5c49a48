import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// Checks many documents. Of documents that are known to have the same bytes, only one is checked, and its result
/// counts for all of them.
///
/// ## Invariant
/// `deliver` is called with `state` locked, so by one thread at a time.
final class DocumentChecks: Sendable {
    typealias Run = DocumentRun<
        DocumentReference, CheckResult, (document: DocumentReference, result: CheckResult)
    >

    private let run: Run
    private let state: Locked<State>
    private let deliver: @Sendable (Int, DocumentReference, CheckResult) -> Void

    private struct State {
        let isOrdered: Bool
        var count = 0
        /// The number of documents that were given to the run.
        var checkedCount = 0
        /// The numbers of the documents that are being checked, keyed by their numbers in the run.
        var numbers: [Int: Int] = [:]
        /// The results for contents that have been checked.
        var known: [[UInt8]: CheckResult] = [:]
        /// The documents that wait for the check of another document with the same content.
        var waiting: [[UInt8]: [(number: Int, document: DocumentReference)]] = [:]
        /// Results that cannot be delivered before earlier ones.
        var held: [Int: (DocumentReference, CheckResult)] = [:]
        var delivered = 0

        /// Delivers a result and any results that were waiting for it, or keeps it if it isn't next.
        mutating func take(
            _ number: Int, _ document: DocumentReference, _ result: CheckResult,
            _ deliver: (Int, DocumentReference, CheckResult) -> Void
        ) {
            guard isOrdered else { return deliver(number, document, result) }
            held[number] = (document, result)
            while let (document, result) = held.removeValue(forKey: delivered) {
                deliver(delivered, document, result)
                delivered += 1
            }
        }
    }

    /// Prepares the checks.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether results are delivered in the order of the documents.
    ///   - deliver: Called with the number of each document, from 0, and its result, by one thread at a time.
    ///   - makeRun: Makes the run that does the work. The run must call the given closure with each result, in order if
    ///     `isOrdered` is true.
    init(
        isOrdered: Bool, deliver: @escaping @Sendable (Int, DocumentReference, CheckResult) -> Void,
        makeRun: (@escaping @Sendable (Int, DocumentReference, CheckResult) -> Void) -> Run
    ) {
        let state = Locked(State(isOrdered: isOrdered))
        self.state = state
        self.deliver = deliver
        run = makeRun { index, document, result in
            state.withLock { state in
                guard let number = state.numbers.removeValue(forKey: index) else { return }
                state.take(number, document, result, deliver)
                guard let content = document.contentID else { return }
                // A document that is unreadable now may be readable next time.
                if result.outcome != .unreadable { state.known[content] = result }
                for (number, other) in state.waiting.removeValue(forKey: content) ?? [] {
                    state.take(number, other, result.reported(of: other), deliver)
                }
            }
        }
    }

    /// Checks a document, unless one with the same bytes has been or is being checked.
    func add(_ document: DocumentReference) {
        let isNew = state.withLock { state in
            let number = state.count
            state.count += 1
            if let content = document.contentID {
                if let result = state.known[content] {
                    state.take(number, document, result.reported(of: document), deliver)
                    return false
                }
                if state.waiting[content] != nil {
                    state.waiting[content]?.append((number, document))
                    return false
                }
                state.waiting[content] = []
            }
            state.numbers[state.checkedCount] = number
            state.checkedCount += 1
            return true
        }
        if isNew { run.add(document) }
    }

    /// Waits until all documents have been checked.
    ///
    /// - Throws: ``WorkerError``.
    func finish() throws(WorkerError) { try run.finish() }

    /// Cancels the checks immediately.
    func cancel() { run.cancel() }
}

extension CheckResult {
    /// Returns the result for another document with the same bytes.
    fileprivate func reported(of document: DocumentReference) -> CheckResult {
        var result = self
        result.source = document.name
        result.revision = document.revision
        return result
    }
}
