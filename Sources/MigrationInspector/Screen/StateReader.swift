import CursesTerminal
import DocumentModel
import DocumentSources
import InspectorUI

/// Reads documents as they are, without a chain, on separate threads, to compare them over time.
final class StateReader: Sendable {
    private let feed: DocumentFeed
    private let mailbox: EventMailbox
    /// The number of the latest work for each purpose. Work with an earlier number gives up.
    private let latest = Locked<[Purpose: Int]>([:])

    private enum Purpose: CaseIterable { case following, ordering }

    init(feed: DocumentFeed, mailbox: EventMailbox) {
        self.feed = feed
        self.mailbox = mailbox
    }

    /// Reads one document.
    func read(_ document: FoundDocument.ID) {
        mailbox.start("state") { [self] in mailbox.post(.read(document, content(of: document))) }
    }

    /// Follows a value through documents.
    func follow(_ path: DocumentPath, in documents: [StateInTime]) {
        start(.following) { [self] isCancelled in
            FollowedValue(path, in: documents, isCancelled: isCancelled, read: content).map { .followed($0) }
        }
    }

    /// Orders documents by a value.
    func order(_ documents: [FoundDocument.ID], by path: DocumentPath) {
        start(.ordering) { [self] isCancelled in
            DocumentOrder.ordered(documents, isCancelled: isCancelled) {
                content(of: $0)?.root.descendant(at: path)
            }.map { .ordered($0.isEmpty ? documents : $0, by: path, isKnown: !$0.isEmpty) }
        }
    }

    /// Cancels all work that reads many documents.
    func cancel() {
        latest.withLock { latest in for purpose in Purpose.allCases { latest[purpose, default: 0] += 1 } }
    }

    private func start(_ purpose: Purpose, _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> InspectorEvent?) {
        let number = latest.withLock { latest in
            latest[purpose, default: 0] += 1
            return latest[purpose]
        }
        mailbox.start("states") { [self] in
            if let event = work({ self.latest.withLock { $0[purpose] != number } }) { mailbox.post(event) }
        }
    }

    private func content(of document: FoundDocument.ID) -> Document? {
        feed.reference(of: document).flatMap { try? Document(parsing: $0.read(), allowsJSON5: true) }
    }
}
