import CursesTerminal
import DocumentModel
import DocumentSources
import InspectorUI

/// Reads documents on separate threads, to compare them over time. They are compared as they are; only where the
/// version changes does a value's way lead through the migration.
final class StateReader: Sendable {
    private let opener: Opener
    private let feed: DocumentFeed
    private let mailbox: EventMailbox
    /// The number of the latest work for each purpose. Work with an earlier number gives up.
    private let latest = Locked<[Purpose: Int]>([:])

    private enum Purpose: CaseIterable { case following, ordering, observing }

    init(opener: Opener, feed: DocumentFeed, mailbox: EventMailbox) {
        self.opener = opener
        self.feed = feed
        self.mailbox = mailbox
    }

    /// Reads one document.
    func read(_ document: FoundDocument.ID) {
        mailbox.start("state") { [self] in mailbox.post(.read(document, content(of: document))) }
    }

    /// Migrates one document.
    func readMigrated(_ document: FoundDocument.ID) {
        mailbox.start("state") { [self] in
            mailbox.post(.readMigrated(document, content(of: document, isMigrated: true)))
        }
    }

    /// Finds the states that last changed the values of one.
    func blame(_ request: FollowRequest) {
        start(.following) { [self] isCancelled in
            BlamedValues(request, isCancelled: isCancelled) { content(of: $0, isMigrated: request.isMigrated) }
                .map { .blamed($0) }
        }
    }

    /// Follows a value through documents.
    func follow(_ request: FollowRequest) {
        start(.following) { [self] isCancelled in
            FollowedValue(
                request, isCancelled: isCancelled, read: { content(of: $0, isMigrated: request.isMigrated) },
                migration: { earlier, later in
                    guard !request.isMigrated, let version = request.versions[earlier],
                        let old = feed.reference(of: request.states[earlier].document)
                    else { return nil }
                    return opener.migration(of: old, in: version, to: request.versions[later])
                }
            ).map { .followed($0) }
        }
    }

    /// Orders documents by a value.
    func order(_ documents: [FoundDocument.ID], by key: OrderKey) {
        start(.ordering) { [self] isCancelled in
            var values: [FoundDocument.ID: String] = [:]
            return DocumentOrder.ordered(documents, isCancelled: isCancelled) { document in
                let value = feed.reference(of: document).flatMap { key.value(of: $0) }
                values[document] = value.map(OrderedState.text(of:))
                return value
            }.map { $0.isEmpty ? .ordered(documents, by: key, values: [:]) : .ordered($0, by: key, values: values) }
        }
    }

    /// Finds the fields of documents by their observed version.
    func observeFields(of groups: [ObservedGroup]) {
        start(.observing) { [self] isCancelled in
            ObservedGroup.knowing(groups, isCancelled: isCancelled) { content(of: $0) }.map { .observedFields($0) }
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

    private func content(of document: FoundDocument.ID, isMigrated: Bool = false) -> Document? {
        feed.reference(of: document).flatMap { opener.content(of: $0, isMigrated: isMigrated) }
    }
}
