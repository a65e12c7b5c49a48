import CursesTerminal
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore

/// Finds documents and checks them, on threads of their own, and posts what comes of it.
///
/// Finding never waits for checking, so that a large folder is listed at once.
///
/// ## Invariant
/// Everything mutable is touched only while `condition` is locked, which is what makes the class `Sendable`.
final class DocumentFeed: @unchecked Sendable {
    private let opener: DocumentOpener
    private let mailbox: EventMailbox
    private let condition = NSCondition()
    private var items: [DocumentReference] = []
    private var nextToCheck = 0
    private var runningCheckers = 0
    private var unposted: [CheckedDocument] = []
    private var isFinishedFinding = false
    private var isStopped = false

    init(opener: DocumentOpener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Begins to find documents, and to check them.
    func start(_ walker: DocumentWalker) {
        GuardedThread.start(name: "find") { [self] in find(walker) }
        // One processor is left to the keys, the trace on the screen, and other programs; but beside a document whose
        // migration never ends, there is one who goes on.
        let checkers = max(2, ProcessInfo.processInfo.activeProcessorCount - 1)
        condition.withLock { runningCheckers = checkers }
        for _ in 0..<checkers { GuardedThread.start(name: "check") { [self] in check() } }
        GuardedThread.start(name: "post") { [self] in post() }
    }

    /// Where a document is that was found. Documents are numbered in the order in which they are found.
    func reference(of document: FoundDocument.ID) -> DocumentReference? {
        condition.withLock { items.indices.contains(document.number) ? items[document.number] : nil }
    }

    /// Gives up finding and checking.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }

    // MARK: - Finding

    private func find(_ walker: DocumentWalker) {
        let isCancelled = { [self] in condition.withLock { isStopped } }
        // Of several things that were opened, the names as they were given tell which is which.
        let folder = walker.given.count == 1 ? walker.given[0].path : ""
        let leftOut = try? walker.walk(isCancelled: isCancelled) { [self] found in
            condition.withLock {
                let documents = zip(items.count..., found).map { FoundDocument(.init($0), $1, below: folder) }
                items += found
                // Before any of them is checked: the screen has to know a document before it hears what became of it.
                mailbox.post(.found(documents))
                condition.broadcast()
            }
        }
        condition.withLock {
            isFinishedFinding = true
            condition.broadcast()
        }
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

    private func check() {
        while let (index, item) = takeNext() {
            let checked = CheckedDocument(FoundDocument.ID(index), result: opener.check(item))
            condition.withLock {
                unposted.append(checked)
                condition.broadcast()
            }
        }
        condition.withLock {
            runningCheckers -= 1
            condition.broadcast()
        }
    }

    /// The next document to check; waits where there is none yet. Nil when there will be none any more.
    private func takeNext() -> (index: Int, item: DocumentReference)? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            if nextToCheck < items.count {
                defer { nextToCheck += 1 }
                return (nextToCheck, items[nextToCheck])
            }
            if isFinishedFinding { return nil }
            condition.wait()
        }
        return nil
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
            if runningCheckers == 0 { return nil }
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
        self.init(id: id, name: reference.name, place: names.place, displayName: names.label, title: names.title)
    }
}
