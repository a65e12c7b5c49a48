import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore
import MigrationWorker

/// Finds documents and checks them, on threads of their own, and posts what comes of it.
///
/// Finding never waits for checking, so that a large folder is listed at once.
///
/// ## Invariant
/// Everything mutable is touched only while `condition` is locked, which is what makes the class `Sendable`.
final class DocumentFeed: @unchecked Sendable {
    private let opener: Opener
    private let mailbox: EventMailbox
    private let condition = NSCondition()
    private var items: [DocumentReference] = []
    private var unposted: [CheckedDocument] = []
    private var isFinishedChecking = false
    private let run = Locked<Checks?>(nil)
    private var isStopped = false

    init(opener: Opener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Begins to find documents, and to check them.
    func start(_ walker: DocumentWalker) {
        let checks = checks()
        run.withLock { $0 = checks }
        GuardedThread.start(name: "find") { [self] in find(walker, checks) }
        GuardedThread.start(name: "post") { [self] in post() }
    }

    private typealias Checks = DocumentRun<DocumentReference, (document: DocumentReference, result: CheckResult)>

    private func checks() -> Checks {
        opener.checks(isOrdered: false) { [self] number, _, result in
            condition.withLock {
                unposted.append(CheckedDocument(FoundDocument.ID(number), result: result))
                condition.broadcast()
            }
        }
    }

    /// Where a document is that was found. Documents are numbered in the order in which they are found.
    func reference(of document: FoundDocument.ID) -> DocumentReference? {
        condition.withLock { items.indices.contains(document.number) ? items[document.number] : nil }
    }

    /// Gives up finding and checking.
    func stop() {
        run.withLock { $0?.cancel() }
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }

    // MARK: - Finding

    private func find(_ walker: DocumentWalker, _ checks: Checks) {
        let isCancelled = { [self] in condition.withLock { isStopped } }
        // Of several things that were opened, the names as they were given tell which is which.
        let folder = walker.given.count == 1 ? walker.given[0].path : ""
        let leftOut = try? walker.walk(isCancelled: isCancelled) { [self] found in
            condition.withLock {
                let documents = zip(items.count..., found).map { FoundDocument(.init($0), $1, below: folder) }
                items += found
                // Before any of them is checked: the screen has to know a document before it hears what became of it.
                mailbox.post(.found(documents))
            }
            found.forEach(checks.add)
        }
        defer { finish(checks) }
        guard let leftOut else { return }
        mailbox.post(
            .finishedFinding(
                leftOut: DocumentWalker.Omission.allCases.compactMap { omission in
                    leftOut[omission].map { LeftOut(omission.noun(count: $0), count: $0) }
                }))
    }

    // MARK: - Checking

    /// Often enough to look steady, seldom enough to leave the screen time for keys.
    private static let postInterval = 0.05

    private func finish(_ checks: Checks) {
        do throws(WorkerError) { try checks.finish() } catch { mailbox.post(.notice("\(error)")) }
        condition.withLock {
            isFinishedChecking = true
            condition.broadcast()
        }
    }

    /// Posts what was checked. A thread of its own, so that a migration that never comes to an end holds back nothing
    /// but itself.
    private func post() {
        while let checked = takeUnposted() {
            mailbox.post(.checked(checked))
            Thread.sleep(forTimeInterval: Self.postInterval)
        }
    }

    /// What was checked since; waits where that is nothing. Nil when there will be nothing any more.
    private func takeUnposted() -> [CheckedDocument]? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            if !unposted.isEmpty {
                defer { unposted = [] }
                return unposted
            }
            if isFinishedChecking { return nil }
            condition.wait()
        }
        return nil
    }
}

extension FoundDocument {
    /// The document that `reference` names, with the names by which a person tells it from others.
    ///
    /// - Parameter folder: What was opened: names go on from there.
    init(_ id: ID, _ reference: DocumentReference, below folder: FilePath) {
        let names = reference.names(below: folder)
        self.init(
            id: id, name: reference.name, place: names.place, displayName: names.label, title: names.title,
            firstLine: reference.firstLine)
    }
}
