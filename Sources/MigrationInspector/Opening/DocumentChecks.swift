import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// Checks of many documents. Of documents that are known to have the same bytes one is checked, and what came of it
/// counts for all.
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
        /// How many are checked.
        var checkedCount = 0
        /// The numbers of the documents that are being checked, by their numbers in the run.
        var numbers: [Int: Int] = [:]
        /// What came of the content of a document that was checked.
        var known: [[UInt8]: CheckResult] = [:]
        /// The documents whose content is being checked in another one.
        var waiting: [[UInt8]: [(number: Int, document: DocumentReference)]] = [:]
        /// What was not delivered, since others come before it.
        var held: [Int: (DocumentReference, CheckResult)] = [:]
        var delivered = 0

        /// Delivers what came of a document, and what was held back for it.
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

    /// Prepares checks.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether results are delivered in the order of the documents.
    ///   - deliver: Given the number of each document, from 0, and what came of it; called by one thread at a time.
    ///   - makeRun: Makes the run that does the work, which delivers to what it is given, in its order if `isOrdered`.
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
                // What cannot be read now may be the next time.
                if result.outcome != .unreadable { state.known[content] = result }
                for (number, other) in state.waiting.removeValue(forKey: content) ?? [] {
                    state.take(number, other, result.told(of: other), deliver)
                }
            }
        }
    }

    /// Has a document checked, unless one with the same bytes is, or was.
    func add(_ document: DocumentReference) {
        let isNew = state.withLock { state in
            let number = state.count
            state.count += 1
            if let content = document.contentID {
                if let result = state.known[content] {
                    state.take(number, document, result.told(of: document), deliver)
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

    /// Waits until all documents were checked.
    ///
    /// - Throws: ``WorkerError``.
    func finish() throws(WorkerError) { try run.finish() }

    /// Ends the work at once.
    func cancel() { run.cancel() }
}

extension CheckResult {
    /// The same of another document of the same bytes.
    fileprivate func told(of document: DocumentReference) -> CheckResult {
        var result = self
        result.source = document.name
        result.revision = document.revision
        return result
    }
}
